// All sixteen predicates of arith.cmpf, and arith.select by tile and by scalar.
// TYPES: f8E4M3FN f16 bf16 f32 f64
!V = !tile.view<?x!T>
!B = !tile.view<?xi1>
!X = tensor<4x!T>
!M = tensor<4xi1>

// CASE @cmpf_false: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,0,0,0,0,0
tile.kernel @cmpf_false(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf false, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_oeq: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,1,0,0,0,0
tile.kernel @cmpf_oeq(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf oeq, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ogt: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,0,1,0,0,0
tile.kernel @cmpf_ogt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ogt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_oge: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,1,1,0,0,0
tile.kernel @cmpf_oge(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf oge, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_olt: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,0,0,0,0,0
tile.kernel @cmpf_olt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf olt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ole: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,1,0,0,0,0
tile.kernel @cmpf_ole(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ole, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_one: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,0,1,0,0,0
tile.kernel @cmpf_one(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf one, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ord: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,1,1,0,0,0
tile.kernel @cmpf_ord(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ord, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ueq: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,1,0,1,1,1
tile.kernel @cmpf_ueq(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ueq, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ugt: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,0,1,1,1,1
tile.kernel @cmpf_ugt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ugt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_uge: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,1,1,1,1,1
tile.kernel @cmpf_uge(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf uge, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ult: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,0,0,1,1,1
tile.kernel @cmpf_ult(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ult, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_ule: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,1,0,1,1,1
tile.kernel @cmpf_ule(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf ule, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_une: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,0,1,1,1,1
tile.kernel @cmpf_une(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf une, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_uno: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=0,0,0,1,1,1
tile.kernel @cmpf_uno(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf uno, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpf_true: 6xT=1,2,3,nan,1,nan 6xT=2,2,1,1,nan,nan -> 6xi1=1,1,1,1,1,1
tile.kernel @cmpf_true(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpf true, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @select: 6xi1=1,0,1,0,0,1 6xT=1,2,3,4,5,6 6xT=-1,-2,-3,-4,-5,-6 -> 6xT=1,-2,3,-4,-5,6
tile.kernel @select(%c: !B, %a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %c[%i] [4] : !B -> !M
  %1 = tile.load %a[%i] [4] : !V -> !X
  %2 = tile.load %b[%i] [4] : !V -> !X
  %3 = arith.select %0, %1, %2 : !M, !X
  tile.store %3, %y[%i] : !X, !V
}
// CASE @select_tile: i1=1 4xT=1,2,3,4 4xT=5,6,7,8 -> 4xT=1,2,3,4
// CASE @select_tile: i1=0 4xT=1,2,3,4 4xT=5,6,7,8 -> 4xT=5,6,7,8
tile.kernel @select_tile(%c: i1, %a: !V, %b: !V) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %1 = tile.load %a[%i] [4] : !V -> !X
  %2 = tile.load %b[%i] [4] : !V -> !X
  %3 = arith.select %c, %1, %2 : !X
  tile.store %3, %y[%i] : !X, !V
}
