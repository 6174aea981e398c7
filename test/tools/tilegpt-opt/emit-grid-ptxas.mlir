// The blocks that a compiled kernel expects, which need not be those of its own tiles: rows are merged until a block loads
// enough. A raw kernel leaves its grid to the launch.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --function=double --emit=launch --arg=x=2048x11008xf16,y=2048x11008xf16 | tr -d ' \n' | FileCheck %s --check-prefix=STATIC
// RUN: tilegpt-opt %s --function=sized --emit=launch | tr -d ' \n' | FileCheck %s --check-prefix=SIZED
// RUN: tilegpt-opt %s --function=raw --emit=launch | FileCheck %s --check-prefix=RAW
// STATIC: "grid":{{\[\[}}256],[22]]
// SIZED: "grid":{{\[\[}}"p0[0]","p0[1]","mul",2,"add",64,"ceildiv"],["p1"]]
// RAW: "kernel_raw"
// RAW-NOT: "grid"

!X = !tile.view<?x?xf16>
tile.kernel @double(%x: !X) outs(%y: !X)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    grid [ceildiv(dim(%x, 0), 4), ceildiv(dim(%x, 1), 512)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 512] : !X -> tensor<4x512xf16>
  %d = arith.addf %t, %t : tensor<4x512xf16>
  tile.store %d, %y[%m, %n] : tensor<4x512xf16>, !X
}

tile.kernel @sized(%x: !X, %times: index) outs(%y: !tile.view<?xi32>)
    grid [ceildiv(dim(%x, 0) * dim(%x, 1) + 2, 64), %times] {
  %m = tile.block_id 0
  %i = tile.block_id 1
  %mi = arith.index_cast %m : index to i32
  %t = tile.splat %mi [1] : i32 -> tensor<1xi32>
  tile.store %t, %y[%i] : tensor<1xi32>, !tile.view<?xi32>
}

tile.kernel @raw(%x: !tile.ptr<i32>) grid launch {
  %m = tile.block_id 0
  %mi = arith.index_cast %m : index to i32
  %t = tile.splat %mi [1] : i32 -> tensor<1xi32>
  tile.store_at %t, %x[%t] : tensor<1xi32>, !tile.ptr<i32>, tensor<1xi32>
}
