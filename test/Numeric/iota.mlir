// Consecutive integers from 0, in every integer type.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>
// CASE @iota: -> 5xT=0,1,2,3,4
tile.kernel @iota() outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.iota [5] : tensor<5x!T>
  tile.store %0, %y[%i] : tensor<5x!T>, !V
}
