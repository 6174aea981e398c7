// Operands of different float types, and tf32: f32 operands rounded to ten mantissa bits, ties to even.
// TYPES: f32:bf16 f32:f16 bf16:f16 f32:f8E4M3FN bf16:f8E4M3FN f16:f8E5M2 f8E5M2:f8E4M3FN
!V = !tile.view<?x?x!T>
!W = !tile.view<?x?x!U>
!Y = !tile.view<?x?xf32>

// CASE @mixed K=3: 2x3xT=1,2,3,4,5,6 2x3xU=1,0,1,0,1,-1 -> 2x2xf32=4,-1,10,-1
tile.kernel @mixed(%a: !V, %b: !W) outs(%y: !Y) grid [1] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %0 = tile.load %a[%i, %i] [2, 3] : !V -> tensor<2x3x!T>
  %1 = tile.load %b[%i, %i] [2, 3] : !W -> tensor<2x3x!U>
  %2 = tile.dot %0, %1, %zero transpose_b : tensor<2x3x!T>, tensor<2x3x!U>, tensor<2x2xf32> -> tensor<2x2xf32>
  tile.store %2, %y[%i, %i] : tensor<2x2xf32>, !Y
}
// A size that every target multiplies in tf32: each result is the sum of eight equal products.
// CASE @tf32: 16x8xf32=1.00048828125 8x8xf32=1 -> 16x8xf32=8
// CASE @tf32: 16x8xf32=1.00146484375 8x8xf32=2 -> 16x8xf32=16.03125
// CASE @tf32: 16x8xf32=3 8x8xf32=1.0002 -> 16x8xf32=24
tile.kernel @tf32(%a: !Y, %b: !Y) outs(%y: !Y) grid [1] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  %0 = tile.load %a[%i, %i] [16, 8] : !Y -> tensor<16x8xf32>
  %1 = tile.load %b[%i, %i] [8, 8] : !Y -> tensor<8x8xf32>
  %2 = tile.dot %0, %1, %zero precision(tf32) : tensor<16x8xf32>, tensor<8x8xf32>, tensor<16x8xf32> -> tensor<16x8xf32>
  tile.store %2, %y[%i, %i] : tensor<16x8xf32>, !Y
}
