// Truncation of floats to one bit: values between 0 and 1 in magnitude become 0.
// TYPES: f16 bf16 f32 f64
!V = !tile.view<?x!T>
!B = !tile.view<?xi1>

// CASE @fptoui: 8xT=0,1,0.5,-0.0,1.75,-0.75,1,0 -> 8xi1=0,1,0,0,1,0,1,0
tile.kernel @fptoui(%a: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = arith.fptoui %0 : tensor<4x!T> to tensor<4xi1>
  tile.store %1, %y[%i] : tensor<4xi1>, !B
}
// CASE @fptosi: 8xT=0,-1,0.5,-0.0,-1.75,-0.75,0.75,-1 -> 8xi1=0,1,0,0,1,0,0,1
tile.kernel @fptosi(%a: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = arith.fptosi %0 : tensor<4x!T> to tensor<4xi1>
  tile.store %1, %y[%i] : tensor<4xi1>, !B
}
