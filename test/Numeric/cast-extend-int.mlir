// Extension of integers, with and without sign.
// TYPES: i8:i16 i8:i32 i8:i64 i16:i32 i16:i64 i32:i64
!V = !tile.view<?x!T>
!W = !tile.view<?x!U>
!X = tensor<4x!T>
!Z = tensor<4x!U>

// CASE @extsi: 6xT=1,-2,127,-128,0,-1 -> 6xU=1,-2,127,-128,0,-1
tile.kernel @extsi(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.extsi %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
// CASE @extui: 4xT=1,2,127,0 -> 4xU=1,2,127,0
// CASE @extui [i8:i16,i8:i32,i8:i64]: 2xT=-1,-128 -> 2xU=255,128
// CASE @extui [i16:i32,i16:i64]: 1xT=-1 -> 1xU=65535
// CASE @extui [i32:i64]: 1xT=-1 -> 1xU=4294967295
tile.kernel @extui(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.extui %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
