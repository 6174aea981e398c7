// RUN: tilegpt-opt %s --cuda-tile-to-tile --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=TILE
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode | tilegpt-opt --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX

// What an entry says of its source becomes the line table of its code. The line of what is inlined is that of its source.
// TILE-LABEL: tile.kernel @twice
// TILE-NEXT:  tile.debug_scope = #llvm.di_subprogram<{{.*}}name = "twice_all", linkageName = "twice"
// TILE:       tile.load_at {{.*}} loc("a.py":11:5)
// TILE:       arith.addf {{.*}} loc(fused<#llvm.di_lexical_block_file<{{.*}}>["b.py":3:9])
// TILE:       tile.store_at {{.*}} loc("a.py":13:5)

// PTX-LABEL: .entry kernel_twice
// PTX:       .loc [[A:[0-9]+]] 11 5
// PTX:       ld.global
// PTX:       .loc [[B:[0-9]+]] 3 9
// PTX:       add.rn.f32
// PTX:       .loc [[A]] 13 5
// PTX:       st.global
// PTX-DAG:   .file [[A]] "/src/a.py"
// PTX-DAG:   .file [[B]] "/src/b.py"

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#scope = #cuda_tile.di_subprogram<file = #file, line = 9, name = "twice_all", linkageName = "twice", compileUnit = #unit, scopeLine = 10>
#block = #cuda_tile.di_lexical_block<scope = #scope, file = #file, line = 12, column = 1>
#start = #cuda_tile.di_loc<loc("a.py":10:1) in #scope>
#load = #cuda_tile.di_loc<loc("a.py":11:5) in #scope>
#call = #cuda_tile.di_loc<loc("a.py":12:5) in #scope>
#inlined = #cuda_tile.di_loc<loc("b.py":3:9) in #block>
#store = #cuda_tile.di_loc<loc("a.py":13:5) in #scope>

cuda_tile.module @lines {
  entry @twice(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %v, %k = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token loc(#load)
    %n = addf %v, %v : tile<f32> loc(callsite(#inlined at #call))
    %s = store_ptr_tko weak %y, %n : tile<ptr<f32>>, tile<f32> -> token loc(#store)
    return loc(#store)
  } loc(#start)
}
