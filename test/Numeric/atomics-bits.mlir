// Bitwise behaviour of float atomics: exchanges, and -0, which differs from 0.
// TYPES: f32 f64
!V = !tile.view<?x!T>

// CASE @replace: 4xT=1,0,-0,4 -> 4xT=9,9,0,9|1,0,0,4 4xT=1,0,0,4
tile.kernel @replace(%a: !V) outs(%y: !V, %o: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %0 = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %nine = arith.constant dense<9.0> : tensor<4x!T>
  %i = tile.iota [4] : tensor<4xi32>
  %1 = tile.atomic_cas %p[%i], %0, %nine : !tile.ptr<!T>, tensor<4xi32>, tensor<4x!T>
  tile.store %1, %o[%c0] : tensor<4x!T>, !V
}
