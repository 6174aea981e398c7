// Pad values of integers for out-of-bounds elements.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>

// Pads the tail of an index tile with an index of no entry.
// CASE @tail: 3xT=2,0,1 -> 4xT=2,0,1,-1
tile.kernel @tail(%a: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [4] pad(minus_one) : !V -> tensor<4x!T>
  tile.store %0, %y[%c0] : tensor<4x!T>, !V
}
