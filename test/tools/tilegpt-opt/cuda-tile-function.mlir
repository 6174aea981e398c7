// --function compiles one of several entries of CUDA Tile IR, of text and of bytecode.
// RUN: tilegpt-opt %s --function=second --emit=ptx --arch=sm_80 | grep entry | FileCheck %s
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode -o %t.bytes
// RUN: tilegpt-opt %t.bytes --function=second --emit=ptx --arch=sm_80 | grep entry | FileCheck %s
// CHECK: .entry kernel_second(
// CHECK-NOT: entry

// RUN: %expect-exit 2 tilegpt-opt %s --function=third --emit=ptx 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: {{^}}tilegpt-opt: error: --function=third: '{{.*}}cuda-tile-function.mlir' has no such kernel; it has @first, @second{{$}}
// RUN: %expect-exit 2 tilegpt-opt %s --function=second --bind=BM=64 --emit=ptx 2>&1 | FileCheck %s --check-prefix=BIND
// BIND: {{^}}tilegpt-opt: error: --arg, --bind and --function are for kernels that nothing launches; '{{.*}}cuda-tile-function.mlir' has no kernel{{$}}
cuda_tile.module @two {
  global constant @table <i32: [3, 4]> : tile<2xi32>
  entry @first(%p: tile<ptr<i32>>) {
    %x = constant <i32: 1> : tile<i32>
    %k = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @second(%p: tile<ptr<i32>>) {
    %t = get_global @table : tile<ptr<i32>>
    %x, %k0 = load_ptr_tko weak %t : tile<ptr<i32>> -> tile<i32>, token
    %k = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
