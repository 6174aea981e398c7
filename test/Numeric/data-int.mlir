// Constant data in a kernel, used as a table and as a view.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>

// CASE @table: 3xi32=2,0,4 -> 3xT=7,3,0 4xT=0,1,0,1
tile.kernel @table(%at: !tile.view<?xi32>) outs(%y: !V, %z: !V) grid [1] {
  %i = tile.block_id 0
  %o = tile.load %at[%i] [3] : !tile.view<?xi32> -> tensor<3xi32>
  %p = tile.data dense<[3, 5, 7, 9, 0]> : tensor<5x!T> -> !tile.ptr<!T>
  %0 = tile.load_at %p[%o] : !tile.ptr<!T>, tensor<3xi32> -> tensor<3x!T>
  tile.store %0, %y[%i] : tensor<3x!T>, !V
  %q = tile.data dense<[[0, 1], [0, 1]]> : tensor<2x2x!T> -> !tile.ptr<!T>
  %v = tile.view_at %q sizes [4] : !tile.ptr<!T> -> !tile.view<4x!T>
  %1 = tile.load %v[%i] [4] : !tile.view<4x!T> -> tensor<4x!T>
  tile.store %1, %z[%i] : tensor<4x!T>, !V
}
