// All ten predicates of arith.cmpi, and arith.select on integers.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>
!B = !tile.view<?xi1>
!X = tensor<4x!T>
!M = tensor<4xi1>

// CASE @cmpi_eq: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=0,1,0,0,0,0
tile.kernel @cmpi_eq(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi eq, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_ne: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=1,0,1,1,1,1
tile.kernel @cmpi_ne(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi ne, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_slt: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=1,0,0,1,1,0
tile.kernel @cmpi_slt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi slt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_sle: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=1,1,0,1,1,0
tile.kernel @cmpi_sle(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi sle, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_sgt: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=0,0,1,0,0,1
tile.kernel @cmpi_sgt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi sgt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_sge: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=0,1,1,0,0,1
tile.kernel @cmpi_sge(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi sge, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_ult: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=1,0,0,0,1,1
tile.kernel @cmpi_ult(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi ult, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_ule: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=1,1,0,0,1,1
tile.kernel @cmpi_ule(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi ule, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_ugt: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=0,0,1,1,0,0
tile.kernel @cmpi_ugt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi ugt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_uge: 6xT=1,2,3,-1,-5,0 6xT=2,2,1,1,-4,-1 -> 6xi1=0,1,1,1,0,0
tile.kernel @cmpi_uge(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi uge, %0, %1 : !X
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
