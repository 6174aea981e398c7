// RUN: split-file %s %t
// RUN: tilegpt-opt %t/twice.mlir --cuda-tile-to-tile --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=TILE
// RUN: tilegpt-opt %t/twice.mlir --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tilegpt-opt %t/twice.mlir --emit=cuda-tile-bytecode | tilegpt-opt --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: tilegpt-opt %t/loop.mlir --emit=cuda-tile-bytecode -o %t/loop.tileirbc
// RUN: tilegpt-opt %t/loop.tileirbc --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=LOOP
// RUN: tilegpt-run %t/loop.tileirbc --function count --grid 1 --raw --output ptr:1xi32 --input i32=4 --expected-output 1xi32=12

// RUN: tilegpt-opt %t/unnamed.mlir --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=UNNAMED

// LOOP: .entry kernel_count
// LOOP: .loc [[#]] 11 5

// An entry's debug information becomes the line table of its code. Inlined code has the line of its source.
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

//--- twice.mlir
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

// Loop-carried values have locations, too, which no target trips over.
//--- loop.mlir
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#scope = #cuda_tile.di_subprogram<file = #file, line = 9, name = "count", linkageName = "count", compileUnit = #unit, scopeLine = 10>
#start = #cuda_tile.di_loc<loc("a.py":10:1) in #scope>
#loop = #cuda_tile.di_loc<loc("a.py":11:5) in #scope>

cuda_tile.module @lines {
  entry @count(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32> loc(#start)
    %one = constant <i32: 1> : tile<i32> loc(#start)
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<i32>) {
      %three = constant <i32: 3> : tile<i32> loc(#loop)
      %next = xori %acc, %i : tile<i32> loc(#loop)
      %more = addi %next, %three : tile<i32> loc(#loop)
      continue %more : tile<i32> loc(#loop)
    } loc(#loop)
    %s = store_ptr_tko weak %y, %sum : tile<ptr<i32>>, tile<i32> -> token loc(#loop)
    return loc(#loop)
  } loc(#start)
}

// No line table names a file without a name, nor a directory.
// UNNAMED:     .entry kernel_folder
// UNNAMED-NOT: lib/
// UNNAMED:     .entry kernel_unnamed
// UNNAMED-NOT: .loc
//--- unnamed.mlir
#none = #cuda_tile.di_file<"" in "">
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #none>
#scope = #cuda_tile.di_subprogram<file = #file, line = 9, name = "unnamed", linkageName = "unnamed", compileUnit = #unit, scopeLine = 10>
#start = #cuda_tile.di_loc<loc("a.py":10:1) in #scope>
#named = #cuda_tile.di_compile_unit<file = #file>
#inner = #cuda_tile.di_subprogram<file = #file, line = 9, name = "folder", linkageName = "folder", compileUnit = #named, scopeLine = 10>
#folder = #cuda_tile.di_loc<loc("lib/":10:1) in #inner>

cuda_tile.module @lines {
  entry @unnamed(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %s = store_ptr_tko weak %y, %n : tile<ptr<i32>>, tile<i32> -> token loc(#start)
    return loc(#start)
  } loc(#start)
  entry @folder(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %s = store_ptr_tko weak %y, %n : tile<ptr<i32>>, tile<i32> -> token loc(#folder)
    return loc(#folder)
  } loc(#folder)
}
