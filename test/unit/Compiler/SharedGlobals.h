// A program whose entries write and read the same global.
#ifndef TILEGPT_TEST_UNIT_COMPILER_SHAREDGLOBALS_H
#define TILEGPT_TEST_UNIT_COMPILER_SHAREDGLOBALS_H

namespace tilegpt::test {

/// `add(n)` adds n to each of four sums, `double()` doubles them, and `read(y)`
/// stores them to y; they begin as 10, 20, 30, 40. All three have a memory of
/// their own as well: `add` and `double` count their calls, `read` has a table
/// with one number that it adds.
inline constexpr char sharedGlobals[] = R"(
cuda_tile.module @m {
  global @sums alignment = 64 <i32: [10, 20, 30, 40]> : tile<4xi32>
  global @adds <i32: 0> : tile<1xi32>
  global @doubles <i32: 0> : tile<1xi32>
  global @table <i32: 1000> : tile<1xi32>
  entry @add(%n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %count = get_global @adds : tile<ptr<i32>>
    %old, %t = atomic_rmw_tko relaxed device %count, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %g = get_global @sums : tile<ptr<i32>>
    %g1 = reshape %g : tile<ptr<i32>> -> tile<1xptr<i32>>
    %g4 = broadcast %g1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %i = iota : tile<4xi32>
    %p = offset %g4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %n4 = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %olds, %t2 = atomic_rmw_tko relaxed device %p, add, %n4 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  }
  entry @double() {
    %one = constant <i32: 1> : tile<i32>
    %count = get_global @doubles : tile<ptr<i32>>
    %old, %t0 = atomic_rmw_tko relaxed device %count, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %g = get_global @sums : tile<ptr<i32>>
    %v = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %p = make_partition_view %v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %s, %t = load_view_tko weak %p[%zero] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %d = addi %s, %s : tile<4xi32>
    %t2 = store_view_tko weak %d, %p[%zero] token = %t : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
  entry @read(%y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %table = get_global @table : tile<ptr<i32>>
    %more, %t0 = load_ptr_tko weak %table : tile<ptr<i32>> -> tile<i32>, token
    %more1 = reshape %more : tile<i32> -> tile<1xi32>
    %more4 = broadcast %more1 : tile<1xi32> -> tile<4xi32>
    %g = get_global @sums : tile<ptr<i32>>
    %v = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %p = make_partition_view %v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %s, %t = load_view_tko weak %p[%zero] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %r = addi %s, %more4 : tile<4xi32>
    %yv = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %t2 = store_view_tko weak %r, %yp[%zero] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
}
)";

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_COMPILER_SHAREDGLOBALS_H
