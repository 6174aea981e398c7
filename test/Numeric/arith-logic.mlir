// Logic on i1 tiles: a bit is 0 or 1 in memory, and -1 when read as a signed number.
// TYPES: i1
!V = !tile.view<?x!T>
!B = !tile.view<?xi1>
!X = tensor<4x!T>
!M = tensor<4xi1>

// CASE @andi: 5xT=0,0,1,1,1 5xT=0,1,0,1,1 -> 5xT=0,0,0,1,1
tile.kernel @andi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.andi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @ori: 5xT=0,0,1,1,1 5xT=0,1,0,1,1 -> 5xT=0,1,1,1,1
tile.kernel @ori(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.ori %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @xori: 5xT=0,0,1,1,1 5xT=0,1,0,1,1 -> 5xT=0,1,1,0,0
tile.kernel @xori(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.xori %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @cmpi_slt: 4xT=0,0,1,1 4xT=0,1,0,1 -> 4xi1=0,0,1,0
tile.kernel @cmpi_slt(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi slt, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @cmpi_ult: 4xT=0,0,1,1 4xT=0,1,0,1 -> 4xi1=0,1,0,0
tile.kernel @cmpi_ult(%a: !V, %b: !V) outs(%y: !B) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.cmpi ult, %0, %1 : !X
  tile.store %2, %y[%i] : !M, !B
}
// CASE @extend: 4xi1=0,1,1,0 -> 4xi32=0,-1,-1,0 4xi32=0,1,1,0 4xf32=0,1,1,0
tile.kernel @extend(%a: !B) outs(%s: !tile.view<?xi32>, %u: !tile.view<?xi32>, %f: !tile.view<?xf32>) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !B -> !M
  %1 = arith.extsi %0 : !M to tensor<4xi32>
  %2 = arith.extui %0 : !M to tensor<4xi32>
  %3 = arith.uitofp %0 : !M to tensor<4xf32>
  tile.store %1, %s[%i] : tensor<4xi32>, !tile.view<?xi32>
  tile.store %2, %u[%i] : tensor<4xi32>, !tile.view<?xi32>
  tile.store %3, %f[%i] : tensor<4xf32>, !tile.view<?xf32>
}
