// Atomic sums of floats.
// TYPES: f16 bf16 f32 f64
!V = !tile.view<?x!T>

// CASE @sum: 8xT=1,2,3,4,5,6,7,8 -> 2xT=48,60|0,0
tile.kernel @sum(%a: !V) outs(%y: !V) grid [3] {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %0 = tile.load %a[%c0] [8] : !V -> tensor<8x!T>
  %i = tile.iota [8] : tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %parity = arith.andi %i, %one : tensor<8xi32>
  %old = tile.atomic_rmw add %p[%parity], %0 : !tile.ptr<!T>, tensor<8xi32>, tensor<8x!T>
}
// CASE @old: 4xT=1,2,3,4 -> 4xT=2,4,6,8|1,2,3,4 4xT=1,2,3,4
tile.kernel @old(%a: !V) outs(%y: !V, %o: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %0 = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %i = tile.iota [4] : tensor<4xi32>
  %1 = tile.atomic_rmw add %p[%i], %0 order(release) : !tile.ptr<!T>, tensor<4xi32>, tensor<4x!T>
  tile.store %1, %o[%c0] : tensor<4x!T>, !V
}
