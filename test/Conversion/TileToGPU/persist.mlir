// RUN: tilegpt-opt %s --tile-gpu-persist --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true, raster = 4>

// Tile t of bands of four rows, each walked column by column; the last band may be lower.
// CHECK-LABEL: tile.kernel @sum(
// CHECK-DAG:   %[[ROWS:.*]] = tile.num_blocks 0
// CHECK-DAG:   %[[COLUMNS:.*]] = tile.num_blocks 1
// CHECK-DAG:   %[[TILES:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK-DAG:   %[[W:.*]] = tile_gpu.worker
// CHECK-DAG:   %[[N:.*]] = tile_gpu.num_workers
// CHECK:       scf.for %[[T:.*]] = %[[W]] to %[[TILES]] step %[[N]] {
// CHECK:         %[[BAND:.*]] = arith.muli %[[COLUMNS]], %c4
// CHECK:         %[[D:.*]] = arith.divui %[[T]], %[[BAND]]
// CHECK:         %[[FIRST:.*]] = arith.muli %[[D]], %c4
// CHECK:         %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FIRST]]
// CHECK:         %[[HEIGHT:.*]] = arith.minui %[[LEFT]], %c4
// CHECK:         %[[IN:.*]] = arith.remui %[[T]], %[[BAND]]
// CHECK:         %[[R:.*]] = arith.remui %[[IN]], %[[HEIGHT]]
// CHECK:         %[[ROW:.*]] = arith.addi %[[FIRST]], %[[R]]
// CHECK:         %[[COLUMN:.*]] = arith.divui %[[IN]], %[[HEIGHT]]
// CHECK:         tile.load %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK:         tile.store %{{.*}}[%[[ROW]], %[[COLUMN]]]
tile.kernel @sum(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 32)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [8, 32] : !tile.view<?x?xf32> -> tensor<8x32xf32>
  tile.store %t, %y[%m, %n] : tensor<8x32xf32>, !tile.view<?x?xf32>
}

// -----

// Where the size of the grid is known, so are bounds of the place.
// CHECK-LABEL: tile.kernel @known(
// CHECK:         tile.assume %{{.*}} bounded [0, 11] : index
tile.kernel @known(%x: !tile.view<?x384xf32>) outs(%y: !tile.view<?x384xf32>)
    grid [ceildiv(dim(%y, 0), 8), 12] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [8, 32] : !tile.view<?x384xf32> -> tensor<8x32xf32>
  tile.store %t, %y[%m, %n] : tensor<8x32xf32>, !tile.view<?x384xf32>
}

// -----

// Without such a plan nothing changes.
// CHECK-LABEL: tile.kernel @stays(
// CHECK-NOT:   scf.for
tile.kernel @stays(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 32)]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4>} {
  %m = tile.block_id 0
  %t = tile.load %x[%m] [32] : !tile.view<?xf32> -> tensor<32xf32>
  tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32>
}

// -----

// expected-error @below {{has a plan whose blocks stay, but a grid of 3 axes; expected at most 2}}
tile.kernel @deep() grid [1, 2, 3]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true>} {
}
