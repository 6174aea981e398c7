// Dot operands that a block computes and keeps in block-local memory.
// TYPES: bf16 f32
!V = !tile.view<?x?x!T>

// CASE @multiplied K=16: 32x16xT=random:1 16x16xT=random:2 -> 32x16xT
tile.kernel @multiplied(%a: !V, %w: !V) outs(%y: !V) grid [2] {
  %b = tile.block_id 0
  %zero = arith.constant 0 : index
  %p = tile.scratch 256 : !tile.ptr<!T>
  %v = tile.view_at %p sizes [16, 16] : !tile.ptr<!T> -> !tile.view<16x16x!T>
  %0 = tile.load %a[%b, %zero] [16, 16] : !V -> tensor<16x16x!T>
  %1 = arith.negf %0 : tensor<16x16x!T>
  tile.store %1, %v[%zero, %zero] : tensor<16x16x!T>, !tile.view<16x16x!T>
  %2 = tile.load %v[%zero, %zero] [16, 16] : !tile.view<16x16x!T> -> tensor<16x16x!T>
  %3 = tile.load %w[%zero, %zero] [16, 16] : !V -> tensor<16x16x!T>
  %none = arith.constant 0.0 : f32
  %init = tile.splat %none [16, 16] : f32 -> tensor<16x16xf32>
  %4 = tile.dot %2, %3, %init : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
  %5 = tile.cast %4 : tensor<16x16xf32> to tensor<16x16x!T>
  tile.store %5, %y[%b, %zero] : tensor<16x16x!T>, !V
}
