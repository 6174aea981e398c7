// Constant data in a kernel, partly masked.
// TYPES: f8E4M3FN f16 bf16 f32 f64
!V = !tile.view<?x!T>

// CASE @float_table: -> 4xT=1,-0.0,nan,0.5
tile.kernel @float_table() outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %p = tile.data dense<[1.0, -0.0, 0.5]> : tensor<3x!T> -> !tile.ptr<!T>
  %o = arith.constant dense<[0, 1, 9, 2]> : tensor<4xi64>
  %m = arith.constant dense<[true, true, false, true]> : tensor<4xi1>
  %0 = tile.load_at %p[%o] pad(nan) mask(%m : tensor<4xi1>) : !tile.ptr<!T>, tensor<4xi64> -> tensor<4x!T>
  tile.store %0, %y[%i] : tensor<4x!T>, !V
}
