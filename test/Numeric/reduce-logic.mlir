// Reductions of i1: all, any, parity.
// TYPES: i1
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
// CASE @bitwise: 3x3xT=1,1,1,0,1,1,0,0,0 -> 3xT=1,0,0 3xT=1,1,0 3xT=1,0,0
tile.kernel @bitwise(%a: !V2) outs(%all: !V, %any: !V, %parity: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 3] : !V2 -> tensor<3x3x!T>
  %1 = tile.reduce and %0 axis 1 : tensor<3x3x!T> -> tensor<3x!T>
  %2 = tile.reduce or %0 axis 1 : tensor<3x3x!T> -> tensor<3x!T>
  %3 = tile.reduce xor %0 axis 1 : tensor<3x3x!T> -> tensor<3x!T>
  tile.store %1, %all[%i] : tensor<3x!T>, !V
  tile.store %2, %any[%i] : tensor<3x!T>, !V
  tile.store %3, %parity[%i] : tensor<3x!T>, !V
}
