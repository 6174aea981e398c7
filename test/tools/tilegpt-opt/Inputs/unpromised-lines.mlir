// Doubles n numbers of any alignment. Has a version for aligned ones, and a line table.
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#scope = #cuda_tile.di_subprogram<file = #file, line = 9, name = "twice", linkageName = "twice", compileUnit = #unit, scopeLine = 9>
#line = #cuda_tile.di_loc<loc("a.py":11:5) in #scope>

cuda_tile.module @lines {
  global @launches <i32: 0> : tile<1xi32>
  entry @twice(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32> loc(#line)
    %g = get_global @launches : tile<ptr<i32>> loc(#line)
    %old, %t = atomic_rmw_tko relaxed device %g, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token loc(#line)
    %b, %by, %bz = get_tile_block_id : tile<i32> loc(#line)
    %v = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#line)
    %p = make_partition_view %v : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>> loc(#line)
    %a, %k = load_view_tko weak %p[%b] : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token loc(#line)
    %d = addf %a, %a : tile<256xf32> loc(#line)
    %s = store_view_tko weak %d, %p[%b] : tile<256xf32>, partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token loc(#line)
    return loc(#line)
  } loc(#line)
}
