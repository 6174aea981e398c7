// RUN: tilegpt-opt %s --cuda-tile-to-tile | FileCheck %s

// Read-only globals are constants of each kernel; a written global is shared memory of the only entry that uses it, or
// of the program.
// CHECK-LABEL: tile.kernel @counts(
// CHECK-DAG:     tile.data shared "m.count" align 64 dense<0> : !cuda_tile.tile<1xi32> {tile.program}
// CHECK-DAG:     tile.data shared "own" dense<0>
// CHECK-DAG:     tile.data dense<7>
// CHECK-LABEL: tile.kernel @reads(
// CHECK-DAG:     tile.data shared "m.count" align 64 dense<0> : !cuda_tile.tile<1xi32> {tile.program}
// CHECK-DAG:     tile.data dense<7>
// CHECK-NOT:     shared
cuda_tile.module @m {
  global @count alignment = 64 <i32: 0> : tile<1xi32>
  global @own <i32: 0> : tile<1xi32>
  global @table <i32: 7> : tile<1xi32>
  entry @counts(%y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %g = get_global @count : tile<ptr<i32>>
    %old, %t = atomic_rmw_tko relaxed device %g, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o = get_global @own : tile<ptr<i32>>
    %old2, %t2 = atomic_rmw_tko relaxed device %o, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %r = get_global @table : tile<ptr<i32>>
    %v, %t3 = load_ptr_tko weak %r : tile<ptr<i32>> -> tile<i32>, token
    %t4 = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @reads(%y: tile<ptr<i32>>) {
    %g = get_global @count : tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %g : tile<ptr<i32>> -> tile<i32>, token
    %r = get_global @table : tile<ptr<i32>>
    %w, %t1 = load_ptr_tko weak %r : tile<ptr<i32>> -> tile<i32>, token
    %s = addi %v, %w : tile<i32>
    %t2 = store_ptr_tko weak %y, %s : tile<ptr<i32>>, tile<i32> -> token
  }
}
