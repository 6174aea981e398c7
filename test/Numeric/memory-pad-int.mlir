// What stands for elements that lie behind a view, of integers.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>

// The tail of an index tile that names no entry.
// CASE @tail: 3xT=2,0,1 -> 4xT=2,0,1,-1
tile.kernel @tail(%a: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [4] pad(minus_one) : !V -> tensor<4x!T>
  tile.store %0, %y[%c0] : tensor<4x!T>, !V
}
