// Loads and stores: partial tiles, pad values, masks, orders, and elements that must not change.
// TYPES: i1 i8 i16 i32 i64 f8E4M3FN f8E5M2 f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!B = !tile.view<?xi1>

// CASE @copy: 7xT=1,0,1,1,0,1,1 -> 7xT=1,0,1,1,0,1,1
// CASE @copy: 3xT=1,0,1 -> 3xT=1,0,1
// CASE @copy: 0xT -> 0xT
tile.kernel @copy(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  tile.store %0, %y[%i] : tensor<4x!T>, !V
}
// Loads outside the view return zero, also far outside and at negative indices.
// CASE @pad_zero: 3xT=1,1,1 -> 4xT=1,1,1,0 4xT=0,0,0,0 4xT=0,0,0,0
tile.kernel @pad_zero(%a: !V) outs(%y: !V, %far: !V, %before: !V) grid [1] {
  %i = tile.block_id 0
  %c9 = arith.constant 9 : index
  %m1 = arith.constant -1 : index
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = tile.load %a[%c9] [4] : !V -> tensor<4x!T>
  %2 = tile.load %a[%m1] [4] : !V -> tensor<4x!T>
  tile.store %0, %y[%i] : tensor<4x!T>, !V
  tile.store %1, %far[%i] : tensor<4x!T>, !V
  tile.store %2, %before[%i] : tensor<4x!T>, !V
}
// Masked-off elements load as zero and are not stored.
// CASE @mask: 5xT=1,1,1,1,1 5xi1=1,0,1,0,1 -> 5xT=1,0,1,0,1 5xT=1,0,1,1,1|0,0,1,1,0
tile.kernel @mask(%a: !V, %m: !B) outs(%y: !V, %z: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %c = tile.load %m[%i] [4] : !B -> tensor<4xi1>
  %0 = tile.load %a[%i] [4] mask(%c : tensor<4xi1>) : !V -> tensor<4x!T>
  %1 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  tile.store %0, %y[%i] : tensor<4x!T>, !V
  tile.store %1, %z[%i] mask(%c : tensor<4xi1>) : tensor<4x!T>, !V
}
// CASE @two_axes: 3x5xT=1,0,1,1,0,0,1,1,0,1,1,1,0,0,1 -> 3x5xT=1,0,1,1,0,0,1,1,0,1,1,1,0,0,1
tile.kernel @two_axes(%a: !V2) outs(%y: !V2) grid [ceildiv(dim(%y, 0), 2), ceildiv(dim(%y, 1), 3)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %0 = tile.load %a[%i, %j] [2, 3] : !V2 -> tensor<2x3x!T>
  tile.store %0, %y[%i, %j] : tensor<2x3x!T>, !V2
}
// With order [1, 0] the tile is the transpose of the window; indices keep the order of the view's axes.
// CASE @order: 3x5xT=1,0,1,1,0,0,1,1,0,1,1,1,0,0,1 -> 5x3xT=1,0,1,0,1,1,1,1,0,1,0,0,0,1,1 3x5xT=1,0,1,1,0,0,1,1,0,1,1,1,0,0,1
tile.kernel @order(%a: !V2) outs(%y: !V2, %z: !V2) grid [2, 2] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %0 = tile.load %a[%i, %j] [3, 2] order [1, 0] : !V2 -> tensor<3x2x!T>
  tile.store %0, %y[%j, %i] : tensor<3x2x!T>, !V2
  tile.store %0, %z[%i, %j] order [1, 0] : tensor<3x2x!T>, !V2
}
// A block sees its own stores.
// CASE @program_order: 4xT=1,0,1,0 -> 4xT=1,0,1,0 4xT=1,0,1,0
tile.kernel @program_order(%a: !V) outs(%y: !V, %z: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  tile.store %0, %y[%i] : tensor<4x!T>, !V
  %1 = tile.load %y[%i] [4] : !V -> tensor<4x!T>
  tile.store %1, %z[%i] : tensor<4x!T>, !V
}
