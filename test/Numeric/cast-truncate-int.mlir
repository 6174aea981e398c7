// Truncation of integers keeps the low bits.
// TYPES: i8:i1 i16:i1 i32:i1 i64:i1 i16:i8 i32:i8 i64:i8 i32:i16 i64:i16 i64:i32
!V = !tile.view<?x!T>
!W = !tile.view<?x!U>
!X = tensor<4x!T>
!Z = tensor<4x!U>

// CASE @trunci: 4xT=1,0,1,0 -> 4xU=1,0,1,0
// CASE @trunci [i16:i8,i32:i8,i64:i8]: 4xT=255,128,-129,300 -> 4xU=-1,-128,127,44
// CASE @trunci [i32:i16,i64:i16]: 2xT=65535,32768 -> 2xU=-1,-32768
// CASE @trunci [i64:i32]: 2xT=4294967295,4294967296 -> 2xU=-1,0
// CASE @trunci [i8:i1,i64:i1]: 4xT=2,3,-1,4 -> 4xU=0,1,1,0
tile.kernel @trunci(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.trunci %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
