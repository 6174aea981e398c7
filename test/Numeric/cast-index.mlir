// Between index and integers: scalars widen with or without sign and narrow by dropping bits.
// TYPES: i8 i16 i32 i64
!V = !tile.view<1x!T>
!N = !tile.view<1xi64>
// CASE @index_cast: T=-5 -> 1xi64=-5 1xT=-10
// CASE @index_castui: T=5 -> 1xi64=5 1xT=10
// CASE @index_castui [i8]: T=-1 -> 1xi64=255 1xT=-2
tile.kernel @index_cast(%a: !T) outs(%n: !N, %y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = arith.index_cast %a : !T to index
  %1 = arith.index_cast %0 : index to i64
  %2 = tile.splat %1 [1] : i64 -> tensor<1xi64>
  tile.store %2, %n[%i] : tensor<1xi64>, !N
  %3 = arith.addi %0, %0 : index
  %4 = arith.index_cast %3 : index to !T
  %5 = tile.splat %4 [1] : !T -> tensor<1x!T>
  tile.store %5, %y[%i] : tensor<1x!T>, !V
}
tile.kernel @index_castui(%a: !T) outs(%n: !N, %y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = arith.index_castui %a : !T to index
  %1 = arith.index_cast %0 : index to i64
  %2 = tile.splat %1 [1] : i64 -> tensor<1xi64>
  tile.store %2, %n[%i] : tensor<1xi64>, !N
  %3 = arith.addi %0, %0 : index
  %4 = arith.index_castui %3 : index to !T
  %5 = tile.splat %4 [1] : !T -> tensor<1x!T>
  tile.store %5, %y[%i] : tensor<1x!T>, !V
}
