// Pad values of floats for masked and out-of-bounds elements.
// TYPES: bf16 f32
!V = !tile.view<?x!T>

// Masked elements need not exist.
// CASE @pads: 3xT=1,2,3 -> 4xT=1,2,3,-inf 4xT=1,2,3,inf 4xT=1,2,3,-0
tile.kernel @pads(%a: !V) outs(%x: !V, %y: !V, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %a : !V -> !tile.ptr<!T>
  %i = tile.iota [4] : tensor<4xi64>
  %three = arith.constant dense<3> : tensor<4xi64>
  %m = arith.cmpi slt, %i, %three : tensor<4xi64>
  %0 = tile.load_at %p[%i] pad(neg_inf) mask(%m : tensor<4xi1>) : !tile.ptr<!T>, tensor<4xi64> -> tensor<4x!T>
  %1 = tile.load_at %p[%i] pad(pos_inf) mask(%m : tensor<4xi1>) order(relaxed) : !tile.ptr<!T>, tensor<4xi64> -> tensor<4x!T>
  %2 = tile.load %a[%c0] [4] pad(neg_zero) : !V -> tensor<4x!T>
  tile.store %0, %x[%c0] : tensor<4x!T>, !V
  tile.store %1, %y[%c0] : tensor<4x!T>, !V
  tile.store %2, %z[%c0] : tensor<4x!T>, !V
}
