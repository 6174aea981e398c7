// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-persist --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true, raster = 4>

// Tile t in bands of four rows, each walked column by column; the last band may have fewer rows.
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

// If the size of the grid is known, so are bounds of the indices.
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

// In a fully known grid, divisions are by constants.
// CHECK-LABEL: tile.kernel @fixed(
// CHECK-NOT:   tile.num_blocks
// CHECK:       scf.for %[[T:.*]] = %{{.*}} to %c48 step
// CHECK:         arith.divui %[[T]], %c48
// CHECK:         tile.assume %{{.*}} bounded [0, 3] : index
// CHECK:         tile.assume %{{.*}} bounded [0, 11] : index
tile.kernel @fixed(%x: !tile.view<32x384xf32>) outs(%y: !tile.view<32x384xf32>)
    grid [4, 12] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true, raster = 4>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [8, 32] : !tile.view<32x384xf32> -> tensor<8x32xf32>
  tile.store %t, %y[%m, %n] : tensor<8x32xf32>, !tile.view<32x384xf32>
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

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true, raster = 4>

// The loop grows with the block's row: the last rows come first, for all columns.
// CHECK-LABEL: tile.kernel @growing(
// CHECK-DAG:   %[[W:.*]] = tile_gpu.worker
// CHECK-DAG:   %[[N:.*]] = tile_gpu.num_workers
// CHECK-DAG:   %[[COLUMNS:.*]] = tile.num_blocks 1
// CHECK:       scf.for %[[T:.*]] = %[[W]] to %{{.*}} step %[[N]] {
// CHECK:         %[[RANK:.*]] = arith.divui %[[T]], %[[COLUMNS]]
// CHECK:         %[[R:.*]] = arith.subi %{{.*}}, %[[RANK]]
// CHECK:         %[[C:.*]] = arith.remui %[[T]], %[[COLUMNS]]
// CHECK:         tile.store %{{.*}}[%[[R]], %[[C]]]
tile.kernel @growing(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 32)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %before = arith.muli %m, %c8 : index
  %window = tile.subview %x[0, 0] [%before, 32] : !tile.view<?x?xf32> -> !tile.view<?x32xf32, strides=[?, 1]>
  %steps = tile.num_tiles %window, 0 by [8] : !tile.view<?x32xf32, strides=[?, 1]>
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<8x32xf32>) {
    %t = tile.load %window[%j, %c0] [8, 32] : !tile.view<?x32xf32, strides=[?, 1]> -> tensor<8x32xf32>
    %s = arith.addf %acc, %t : tensor<8x32xf32>
    scf.yield %s : tensor<8x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<8x32xf32>, !tile.view<?x?xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true, raster = 4>

// A main loop that computes between its dots: blocks of one head have the same keys. Bands of four heads are walked one
// after the other, and blocks may draw their tiles.
// CHECK-LABEL: tile.kernel @heads(
// CHECK-DAG:   %[[ROWS:.*]] = tile.num_blocks 0
// CHECK-DAG:   %[[HEADS:.*]] = tile.num_blocks 1
// CHECK:       scf.for %[[T:.*]] =
// CHECK:         %[[PLACES:.*]] = arith.muli %[[ROWS]], %c4
// CHECK:         %[[BAND:.*]] = arith.divui %[[T]], %[[PLACES]]
// CHECK:         %[[FIRST:.*]] = arith.muli %[[BAND]], %c4
// CHECK:         %[[LEFT:.*]] = arith.subi %[[HEADS]], %[[FIRST]]
// CHECK:         %[[WIDTH:.*]] = arith.minui %[[LEFT]], %c4
// CHECK:         %[[REST:.*]] = arith.remui %[[T]], %[[PLACES]]
// CHECK:         %[[M:.*]] = arith.divui %[[REST]], %[[WIDTH]]
// CHECK:         %[[IN:.*]] = arith.remui %[[REST]], %[[WIDTH]]
// CHECK:         %[[H:.*]] = arith.addi %[[FIRST]], %[[IN]]
// CHECK:         tile.select %arg0[%[[H]]]
// CHECK:         tile.load %{{.*}}[%[[M]], %c0]
// CHECK:       } {tile_gpu.dynamic_schedule}
tile.kernel @heads(%q: !tile.view<?x512x64xbf16>, %k: !tile.view<?x512x64xbf16>) outs(%y: !tile.view<?x512x64xf32>)
    grid [ceildiv(dim(%y, 1), 64), dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %qh = tile.select %q[%h] : !tile.view<?x512x64xbf16> -> !tile.view<512x64xbf16>
  %kh = tile.select %k[%h] : !tile.view<?x512x64xbf16> -> !tile.view<512x64xbf16>
  %yh = tile.select %y[%h] : !tile.view<?x512x64xf32> -> !tile.view<512x64xf32>
  %qt = tile.load %qh[%m, %c0] [64, 64] : !tile.view<512x64xbf16> -> tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%o = %zero) -> (tensor<64x64xf32>) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !tile.view<512x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %kh[%j, %c0] [64, 64] : !tile.view<512x64xbf16> -> tensor<64x64xbf16>
    %s = tile.dot %qt, %kt, %zero transpose_b
        : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %p = tile.cast %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %on = tile.dot %p, %vt, %o : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %on : tensor<64x64xf32>
  }
  tile.store %r, %yh[%m, %c0] : tensor<64x64xf32>, !tile.view<512x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true, raster = 4>

// A grid of three axes is walked in order.
// CHECK-LABEL: tile.kernel @deep(
// CHECK-DAG:   %[[X:.*]] = tile.num_blocks 0
// CHECK-DAG:   %[[Y:.*]] = tile.num_blocks 1
// CHECK:       scf.for
// CHECK:         %[[A:.*]] = arith.remui %[[T:.*]], %[[X]]
// CHECK:         %[[REST:.*]] = arith.divui %[[T]], %[[X]]
// CHECK:         %[[B:.*]] = arith.remui %[[REST]], %[[Y]]
// CHECK:         %[[C:.*]] = arith.divui %[[REST]], %[[Y]]
// CHECK:         tile.load %{{.*}}[%[[A]], %[[B]], %[[C]]]
tile.kernel @deep(%x: !tile.view<?x?x?xf32>) outs(%y: !tile.view<?x?x?xf32>) grid [dim(%y, 0), dim(%y, 1), dim(%y, 2)]
    attributes {tile_gpu.plan = #plan} {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %k = tile.block_id 2
  %t = tile.load %x[%i, %j, %k] [1, 1, 1] : !tile.view<?x?x?xf32> -> tensor<1x1x1xf32>
  tile.store %t, %y[%i, %j, %k] : tensor<1x1x1xf32>, !tile.view<?x?x?xf32>
}

// -----

// Clusters of two walk the rows of the grid in pairs, three pairs for five rows: the last block of the last pair is
// outside the grid. Bands are two pairs high.
// CHECK-LABEL: tile.kernel @pairs(
// CHECK:         tile_gpu.cluster = array<i32: 2, 1, 1>
// CHECK:       %[[W:.*]] = tile_gpu.worker
// CHECK:       %[[N:.*]] = tile_gpu.num_workers
// CHECK:       %[[FIRST:.*]] = arith.divui %[[W]], %c2
// CHECK:       %[[STEP:.*]] = arith.divui %[[N]], %c2
// CHECK:       scf.for %[[T:.*]] = %[[FIRST]] to %c36 step %[[STEP]] {
// CHECK:         arith.divui %[[T]], %c24
// CHECK:         %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[PAIR:.*]] = arith.muli %{{.*}}, %c2
// CHECK:         %[[ROW:.*]] = arith.addi %[[PAIR]], %[[RANK]]
// CHECK:         tile.assume %[[ROW]] bounded [0, 5] : index
// CHECK:         tile.assume %{{.*}} bounded [0, 11] : index
tile.kernel @pairs(%x: !tile.view<640x128xbf16>, %w: !tile.view<384x128xbf16>) outs(%y: !tile.view<640x384xf32>) grid [5, 12]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               raster = 4, multicast = 2>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<640x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<640x384xf32>
}

// -----

// … or its columns.
// CHECK-LABEL: tile.kernel @neighbours(
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c30 step
// CHECK:         %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[RANK]]
// CHECK:         tile.assume %{{.*}} bounded [0, 4] : index
// CHECK:         tile.assume %[[COLUMN]] bounded [0, 11] : index
tile.kernel @neighbours(%x: !tile.view<640x128xbf16>, %w: !tile.view<384x128xbf16>) outs(%y: !tile.view<640x384xf32>) grid [5, 12]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 2, multicastAxis = 1>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<640x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<640x384xf32>
}

// -----

// … or four of them side by side: only as many clusters as run at a time get work, since the others would start when
// these have finished.
// CHECK-LABEL: tile.kernel @four_neighbours(
// CHECK:         tile_gpu.cluster = array<i32: 4, 1, 1>
// CHECK:         %[[LATE:.*]] = arith.cmpi uge, %[[FIRST:.*]], %c30
// CHECK:         %[[BEGIN:.*]] = arith.select %[[LATE]], %c15, %[[FIRST]]
// CHECK:         %[[STEP:.*]] = arith.minui %{{.*}}, %c30
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %c15 step %[[STEP]]
// CHECK:         %[[RANK:.*]] = tile_gpu.cluster_rank along 1
// CHECK:         %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[RANK]]
// CHECK:         tile.assume %{{.*}} bounded [0, 4] : index
// CHECK:         tile.assume %[[COLUMN]] bounded [0, 11] : index
tile.kernel @four_neighbours(%x: !tile.view<640x128xbf16>, %w: !tile.view<384x128xbf16>) outs(%y: !tile.view<640x384xf32>) grid [5, 12]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 4, multicastAxis = 1>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<640x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<640x384xf32>
}

// -----

// … or both: only as many clusters as run at a time get work, since the others would start when these have finished.
// CHECK-LABEL: tile.kernel @squares(
// CHECK:         tile_gpu.cluster = array<i32: 4, 1, 1>
// CHECK:         %[[LATE:.*]] = arith.cmpi uge, %[[FIRST:.*]], %c30
// CHECK:         %[[BEGIN:.*]] = arith.select %[[LATE]], %c18{{.*}}, %[[FIRST]]
// CHECK:         %[[STEP:.*]] = arith.minui %{{.*}}, %c30
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %c18{{.*}} step %[[STEP]]
// CHECK:         %[[BELOW:.*]] = tile_gpu.cluster_rank along 0
// CHECK:         arith.addi %{{.*}}, %[[BELOW]]
// CHECK:         %[[BESIDE:.*]] = tile_gpu.cluster_rank along 1
// CHECK:         arith.addi %{{.*}}, %[[BESIDE]]
// CHECK:         tile.assume %{{.*}} bounded [0, 5] : index
// CHECK:         tile.assume %{{.*}} bounded [0, 11] : index
tile.kernel @squares(%x: !tile.view<640x128xbf16>, %w: !tile.view<384x128xbf16>) outs(%y: !tile.view<640x384xf32>) grid [5, 12]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 4, multicastAxis = 2>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<640x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<640x384xf32>
}

// -----

// Entries of a batch, one after the other: 3 x 12 pairs of blocks each, and pairs share no rows with the next entry.
// CHECK-LABEL: tile.kernel @entries(
// CHECK:         scf.for %[[T:.*]] = %{{.*}} to %c252 step
// CHECK:         %[[E:.*]] = arith.divui %[[T]], %c36
// CHECK:         %[[I:.*]] = arith.remui %[[T]], %c36
// CHECK:         arith.divui %[[I]], %c48
// CHECK:         %[[PAIR:.*]] = arith.muli %{{.*}}, %c2
// CHECK:         %[[ROW:.*]] = arith.addi %[[PAIR]], %{{.*}}
// CHECK:         tile.assume %[[ROW]] bounded [0, 5] : index
// CHECK:         tile.assume %{{.*}} bounded [0, 11] : index
// CHECK:         %[[ENTRY:.*]] = tile.assume %[[E]] bounded [0, 6] : index
// CHECK:         tile.select %{{.*}}[%[[ENTRY]]]
tile.kernel @entries(%xs: !tile.view<7x320x128xbf16>, %ws: !tile.view<7x384x128xbf16>) outs(%ys: !tile.view<7x320x384xf32>) grid [5, 12, 7]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 2>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %e = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.select %xs[%e] : !tile.view<7x320x128xbf16> -> !tile.view<320x128xbf16, strides=[128, 1]>
  %w = tile.select %ws[%e] : !tile.view<7x384x128xbf16> -> !tile.view<384x128xbf16, strides=[128, 1]>
  %y = tile.select %ys[%e] : !tile.view<7x320x384xf32> -> !tile.view<320x384xf32, strides=[384, 1]>
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<320x128xbf16, strides=[128, 1]> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16, strides=[128, 1]> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<320x384xf32, strides=[384, 1]>
}

// -----

// Squares divide rows and columns by two, not the entries.
// CHECK-LABEL: tile.kernel @squares_of_entries(
// CHECK:         scf.for %[[T:.*]] = %{{.*}} to %c126 step
// CHECK:         %[[E:.*]] = arith.divui %[[T]], %c18
// CHECK:         %[[I:.*]] = arith.remui %[[T]], %c18
// CHECK:         %[[ENTRY:.*]] = tile.assume %[[E]] bounded [0, 6] : index
// CHECK:         tile.select %{{.*}}[%[[ENTRY]]]
tile.kernel @squares_of_entries(%xs: !tile.view<7x320x128xbf16>, %ws: !tile.view<7x384x128xbf16>) outs(%ys: !tile.view<7x320x384xf32>) grid [5, 12, 7]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 4, multicastAxis = 2>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %e = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.select %xs[%e] : !tile.view<7x320x128xbf16> -> !tile.view<320x128xbf16, strides=[128, 1]>
  %w = tile.select %ws[%e] : !tile.view<7x384x128xbf16> -> !tile.view<384x128xbf16, strides=[128, 1]>
  %y = tile.select %ys[%e] : !tile.view<7x320x384xf32> -> !tile.view<320x384xf32, strides=[384, 1]>
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<320x128xbf16, strides=[128, 1]> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16, strides=[128, 1]> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<320x384xf32, strides=[384, 1]>
}

// -----

// The work of tiles grows along the rows.
// expected-error @below {{has a plan with copies for 2 blocks; expected blocks that walk tiles of equal work in step}}
tile.kernel @growing(%x: !tile.view<640x128xbf16>, %w: !tile.view<384x128xbf16>) outs(%y: !tile.view<640x384xf32>) grid [5, 12]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 2>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.addi %m, %c1 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<640x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<640x384xf32>
}

// -----

// A block outside the grid would overwrite the accumulators of others.
// expected-error @below {{has a plan with copies for 2 blocks; expected clusters that divide the grid, as its blocks write their sums for others}}
tile.kernel @meets_behind_the_end(%x: !tile.view<640x128xbf16>, %w: !tile.view<384x128xbf16>) outs(%y: !tile.view<640x384xf32>) grid [5, 12]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true,
                                               multicast = 2>} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %init = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<640x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [32, 64] : !tile.view<384x128xbf16> -> tensor<32x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  %v = tile_gpu.workspace 0 : !tile.view<60x2048xf32>
  tile_gpu.await_blocks %c0 of 1 part %m of 60 with %v : !tile.view<60x2048xf32>
  tile.store %sum, %y[%m, %n] : tensor<64x32xf32>, !tile.view<640x384xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true>

// Where the rows of a group decide whether a tile has work, blocks fetch tiles dynamically.
// CHECK-LABEL: tile.kernel @groups(
// CHECK:       scf.for
// CHECK:         tile_gpu.mainloop
// CHECK:       } {tile_gpu.dynamic_schedule}
tile.kernel @groups(%x: !tile.view<2048x128xbf16>, %w: !tile.view<16x64x128xbf16>, %rows: !tile.view<16xi32>) outs(%y: !tile.view<2048x64xf32>) grid [32, 16]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %g = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = tile.load %rows[%g] [1] : !tile.view<16xi32> -> tensor<1xi32>
  %number = tensor.extract %one[%c0] : tensor<1xi32>
  %end = arith.index_cast %number : i32 to index
  %some = arith.cmpi slt, %m, %end : index
  %steps = arith.select %some, %c2, %c0 : index
  %of = tile.select %w[%g] : !tile.view<16x64x128xbf16> -> !tile.view<64x128xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<2048x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %of[%c0, %k] [64, 64] : !tile.view<64x128xbf16> -> tensor<64x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  scf.if %some {
    tile.store %sum, %y[%m, %c0] : tensor<64x64xf32>, !tile.view<2048x64xf32>
  }
}
