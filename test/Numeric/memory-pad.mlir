// Pad values that only floats have.
// TYPES: f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>

// CASE @pad: 3xT=1,2,3 -> 4xT=1,2,3,-inf 4xT=1,2,3,inf 4xT=1,2,3,nan
tile.kernel @pad(%a: !V) outs(%n: !V, %p: !V, %q: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] pad(neg_inf) : !V -> tensor<4x!T>
  %1 = tile.load %a[%i] [4] pad(pos_inf) : !V -> tensor<4x!T>
  %2 = tile.load %a[%i] [4] pad(nan) : !V -> tensor<4x!T>
  tile.store %0, %n[%i] : tensor<4x!T>, !V
  tile.store %1, %p[%i] : tensor<4x!T>, !V
  tile.store %2, %q[%i] : tensor<4x!T>, !V
}
// The pad value of a gather fills whole rows.
// CASE @gather_pad: 2x3xT=1,2,3,4,5,6 4xi32=1,-1,2,0 -> 4x3xT=4,5,6,-inf,-inf,-inf,-inf,-inf,-inf,1,2,3
tile.kernel @gather_pad(%a: !V2, %n: !tile.view<?xi32>) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %n[%i] [4] : !tile.view<?xi32> -> tensor<4xi32>
  %1 = tile.gather %a[%i] at %0 axis 0 [4, 3] pad(neg_inf) : !V2, tensor<4xi32> -> tensor<4x3x!T>
  tile.store %1, %y[%i, %i] : tensor<4x3x!T>, !V2
}
