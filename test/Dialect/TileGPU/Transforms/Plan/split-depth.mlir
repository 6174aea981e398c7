// RUN: tilegpt-opt %s --tile-gpu-split-depth --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-split-depth="target=sm_80" --split-input-file | FileCheck %s --check-prefix=OLD
// RUN: tilegpt-opt %s --tile-gpu-split-depth --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-split-depth --tile-gpu-make-plan --split-input-file | FileCheck %s --check-prefix=PLAN
// Splitting requires wgmma.
// OLD-NOT:     tile_gpu.await_blocks

// Four blocks and 1024 steps: 32 blocks for each, adjacent along the rows. The first two of a group reduce, and run the
// bias and the store for half of the columns each.
// CHECK-LABEL: tile.kernel @deep
// CHECK:         grid [32, 4]
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[R:.*]] = arith.remui %[[B]], %[[C32]]
// CHECK:         %[[PART:.*]] = tile.assume %[[R]] bounded [0, 31]
// CHECK:         %[[D:.*]] = arith.divui %[[B]], %[[C32]]
// CHECK:         %[[M:.*]] = tile.assume %[[D]] bounded [0, 0]
// CHECK:         %[[G:.*]] = tile.assume %{{.*}} bounded [0, 3]
// CHECK:         %[[BEGIN:.*]] = arith.muli %[[PART]], %[[C32]]
// CHECK:         %[[SUM:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[C32]]
// CHECK:           %[[K:.*]] = arith.addi %[[BEGIN]], %[[I]]
// CHECK:           tile.load %{{.*}}[%[[M]], %[[K]]] [64, 64]
// CHECK:           tile.load %{{.*}}[%[[N:.*]], %[[K]]] [16, 64]
// CHECK:         %[[W:.*]] = tile_gpu.workspace 0 : !tile.view<128x1024xf32>
// CHECK:         %[[FIRST:.*]] = arith.muli %[[G]], %[[C32]]
// CHECK:         %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[PART]]
// CHECK:         tile_gpu.put_part %[[SUM]], %[[W]][%[[PLACE]]]
// CHECK:         tile_gpu.await_blocks %[[G]] of 4 part %[[PART]] of 32 with %[[W]]
// CHECK:         %[[HAS:.*]] = arith.cmpi ult, %[[PART]], %[[C2]]
// CHECK:         scf.if %[[HAS]] {
// CHECK:           %[[ALL:.*]] = tile_gpu.sum_share %[[PART]] of %[[W]][%[[FIRST]]] parts 32 : {{.*}} -> tensor<64x8xf32>
// CHECK:           %[[TWICE:.*]] = arith.muli %[[N]], %[[C2]]
// CHECK:           %[[AT:.*]] = arith.addi %[[TWICE]], %[[PART]]
// CHECK:           %[[O:.*]] = tile.assume %[[AT]] bounded [0, 7]
// CHECK:           %[[BIAS:.*]] = tile.load %{{.*}}[%[[O]]] [8]
// CHECK:           %[[B:.*]] = tile.broadcast %[[BIAS]] [64, 8]
// CHECK:           %[[Y:.*]] = arith.addf %[[ALL]], %[[B]]
// CHECK:           tile.store %[[Y]], %{{.*}}[%[[M]], %[[O]]]
// WHY: @deep: grid: 32 blocks split the depth of each tile
// Blocks walk whole groups, one after the other.
// PLAN: raster = 32>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @deep
tile.kernel @deep(%x: !tile.view<64x65536xbf16>, %w: !tile.view<64x65536xbf16>, %b: !tile.view<64xf32>)
    outs(%y: !tile.view<64x64xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [16, 64] : !tile.view<64x65536xbf16> -> tensor<16x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  %bt = tile.load %b[%n] [16] : !tile.view<64xf32> -> tensor<16xf32>
  %bias = tile.broadcast %bt [64, 16] : tensor<16xf32> -> tensor<64x16xf32>
  %r = arith.addf %s, %bias : tensor<64x16xf32>
  tile.store %r, %y[%m, %n] : tensor<64x16xf32>, !tile.view<64x64xf32>
}

// -----

// A record requests the number; the rest of its requests are up to the plan.
// CHECK-LABEL: tile.kernel @wanted
// CHECK:         grid [8, 4] attributes {tile.wanted_plan = {overlap = 0 : i64}}
// CHECK:         tile_gpu.await_blocks %{{.*}} of 4 part %{{.*}} of 8
tile.kernel @wanted(%x: !tile.view<64x65536xbf16>, %w: !tile.view<64x65536xbf16>, %b: !tile.view<64xf32>)
    outs(%y: !tile.view<64x64xf32>) grid [1, 4] attributes {tile.wanted_plan = {overlap = 0, shares = 8}} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [16, 64] : !tile.view<64x65536xbf16> -> tensor<16x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  %bt = tile.load %b[%n] [16] : !tile.view<64xf32> -> tensor<16xf32>
  %bias = tile.broadcast %bt [64, 16] : tensor<16xf32> -> tensor<64x16xf32>
  %r = arith.addf %s, %bias : tensor<64x16xf32>
  tile.store %r, %y[%m, %n] : tensor<64x16xf32>, !tile.view<64x64xf32>
}

// -----

// A record that does not mention it requests none.
// CHECK-LABEL: tile.kernel @wanted_whole
// CHECK:         grid [1, 4] attributes {tile.wanted_plan = {overlap = 0 : i64}}
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @wanted_whole(%x: !tile.view<64x65536xbf16>, %w: !tile.view<64x65536xbf16>, %b: !tile.view<64xf32>)
    outs(%y: !tile.view<64x64xf32>) grid [1, 4] attributes {tile.wanted_plan = {overlap = 0}} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [16, 64] : !tile.view<64x65536xbf16> -> tensor<16x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  %bt = tile.load %b[%n] [16] : !tile.view<64xf32> -> tensor<16xf32>
  %bias = tile.broadcast %bt [64, 16] : tensor<16xf32> -> tensor<64x16xf32>
  %r = arith.addf %s, %bias : tensor<64x16xf32>
  tile.store %r, %y[%m, %n] : tensor<64x16xf32>, !tile.view<64x64xf32>
}

// -----

// More than run at a time are impossible; --tile-gpu-make-plan reports it.
// CHECK-LABEL: tile.kernel @wanted_too_many
// CHECK:         grid [1, 4] attributes {tile.wanted_plan = {shares = 100 : i64}}
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @wanted_too_many(%x: !tile.view<64x65536xbf16>, %w: !tile.view<64x65536xbf16>, %b: !tile.view<64xf32>)
    outs(%y: !tile.view<64x64xf32>) grid [1, 4] attributes {tile.wanted_plan = {shares = 100}} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [16, 64] : !tile.view<64x65536xbf16> -> tensor<16x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  %bt = tile.load %b[%n] [16] : !tile.view<64xf32> -> tensor<16xf32>
  %bias = tile.broadcast %bt [64, 16] : tensor<16xf32> -> tensor<64x16xf32>
  %r = arith.addf %s, %bias : tensor<64x16xf32>
  tile.store %r, %y[%m, %n] : tensor<64x16xf32>, !tile.view<64x64xf32>
}

// -----

// Both operands have another contiguous axis, and the tile is wider than high: blocks with other parts are adjacent
// along the columns, and those with the same part below each other share w.
// CHECK-LABEL: tile.kernel @wide
// CHECK:         grid [1, 32]
// CHECK:         tile_gpu.await_blocks
// PLAN: raster = 1>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @wide
tile.kernel @wide(%x: !tile.view<16384x64xbf16>, %w: !tile.view<16384x128xbf16>) outs(%y: !tile.view<64x128xf32>) grid [1, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = scf.for %k = %c0 to %c256 step %c1 iter_args(%acc = %z) -> (tensor<64x128xf32>) {
    %a = tile.load %x[%k, %m] [64, 64] : !tile.view<16384x64xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%k, %n] [64, 128] : !tile.view<16384x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %a, %c, %acc transpose_a : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x128xf32>, !tile.view<64x128xf32>
}

// -----

// Warp groups cannot divide 72 rows: they compute the transposed result, and blocks divide its columns, the rows of the
// kernel's tile, between them. They are adjacent along the larger side of the tile.
// CHECK-LABEL: tile.kernel @transposed
// CHECK:         grid [41, 2]
// CHECK:           tile.dot %{{.*}} transpose_b : tensor<64x64xbf16>, tensor<72x64xbf16>, tensor<64x72xf32>
// CHECK:         %[[HAS:.*]] = arith.cmpi ult, %[[PART:.*]], %c9
// CHECK:         scf.if %[[HAS]] {
// CHECK:           %[[ALL:.*]] = tile_gpu.sum_share %[[PART]] of {{.*}} -> tensor<64x8xf32>
// CHECK:           arith.muli %{{.*}}, %c9
// CHECK:           %[[O:.*]] = tile.assume %{{.*}} bounded [0, 8]
// CHECK:           tile.permute %[[ALL]] [1, 0] : tensor<64x8xf32> -> tensor<8x64xf32>
// CHECK:           tile.load %{{.*}} [64]
// CHECK:           tile.store %{{.*}}, %{{.*}}[%[[O]], %{{.*}}] : tensor<8x64xbf16>
// WHY: @transposed: grid: 41 blocks split the depth of each tile
// PLAN: raster = 41>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @transposed
tile.kernel @transposed(%x: !tile.view<72x65536xbf16>, %w: !tile.view<128x65536xbf16>, %b: !tile.view<128xf32>)
    outs(%y: !tile.view<72x128xbf16>) grid [1, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<72x64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<72x64xf32>) {
    %a = tile.load %x[%m, %k] [72, 64] : !tile.view<72x65536xbf16> -> tensor<72x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<128x65536xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<72x64xbf16>, tensor<64x64xbf16>, tensor<72x64xf32> -> tensor<72x64xf32>
    scf.yield %d : tensor<72x64xf32>
  }
  %bt = tile.load %b[%n] [64] : !tile.view<128xf32> -> tensor<64xf32>
  %bias = tile.broadcast %bt [72, 64] : tensor<64xf32> -> tensor<72x64xf32>
  %r = arith.addf %s, %bias : tensor<72x64xf32>
  %t = tile.cast %r : tensor<72x64xf32> to tensor<72x64xbf16>
  tile.store %t, %y[%m, %n] : tensor<72x64xbf16>, !tile.view<72x128xbf16>
}

// -----

// Threads round a tf32 operand that is contiguous across K, as the left operand: of the transposed product, if it is the
// right one.
// CHECK-LABEL: tile.kernel @rounded(
// CHECK:         grid [1, 128]
// CHECK:           tile.dot %{{.*}} transpose_a transpose_b precision(tf32) : tensor<32x64xf32>, tensor<32x32xf32>, tensor<64x32xf32>
// CHECK:         tile_gpu.sum_share {{.*}} parts 32 : {{.*}} -> tensor<64x8xf32>
// PLAN: producer = true, persistent = true, raster = 1>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @rounded(
tile.kernel @rounded(%x: !tile.view<32x16384xf32>, %w: !tile.view<16384x256xf32>) outs(%y: !tile.view<32x256xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c512 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %a = tile.load %x[%m, %k] [32, 32] : !tile.view<32x16384xf32> -> tensor<32x32xf32>
    %c = tile.load %w[%k, %n] [32, 64] : !tile.view<16384x256xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %c, %acc precision(tf32) : tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !tile.view<32x256xf32>
}

// -----

// CHECK-LABEL: tile.kernel @rounded_both
// CHECK:         grid [32, 4]
// CHECK:           tile.dot %{{.*}} transpose_a precision(tf32)
// CHECK:         tile_gpu.sum_share {{.*}} parts 32 : {{.*}} -> tensor<64x8xf32>
// PLAN: producer = true, persistent = true, raster = 32>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @rounded_both
tile.kernel @rounded_both(%x: !tile.view<16384x64xf32>, %w: !tile.view<16384x256xf32>) outs(%y: !tile.view<64x256xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c512 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%k, %m] [32, 64] : !tile.view<16384x64xf32> -> tensor<32x64xf32>
    %c = tile.load %w[%k, %n] [32, 64] : !tile.view<16384x256xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %c, %acc transpose_a precision(tf32) : tensor<32x64xf32>, tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x256xf32>
}

// -----

// Warp groups cannot divide 48 columns of the rounded operand: no producer.
// CHECK-LABEL: tile.kernel @rounded_narrow
// CHECK:         tile.dot %{{.*}} precision(tf32) : tensor<32x32xf32>, tensor<32x48xf32>, tensor<32x48xf32>
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @rounded_narrow(%x: !tile.view<32x16384xf32>, %w: !tile.view<16384x192xf32>) outs(%y: !tile.view<32x192xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %z = arith.constant dense<0.0> : tensor<32x48xf32>
  %s = scf.for %k = %c0 to %c512 step %c1 iter_args(%acc = %z) -> (tensor<32x48xf32>) {
    %a = tile.load %x[%m, %k] [32, 32] : !tile.view<32x16384xf32> -> tensor<32x32xf32>
    %c = tile.load %w[%k, %n] [32, 48] : !tile.view<16384x192xf32> -> tensor<32x48xf32>
    %d = tile.dot %a, %c, %acc precision(tf32) : tensor<32x32xf32>, tensor<32x48xf32>, tensor<32x48xf32> -> tensor<32x48xf32>
    scf.yield %d : tensor<32x48xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x48xf32>, !tile.view<32x192xf32>
}

// -----

// Tensor cores multiply no exact f32.
// CHECK-LABEL: tile.kernel @exact
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @exact(%x: !tile.view<32x16384xf32>, %w: !tile.view<16384x256xf32>) outs(%y: !tile.view<32x256xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c512 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %a = tile.load %x[%m, %k] [32, 32] : !tile.view<32x16384xf32> -> tensor<32x32xf32>
    %c = tile.load %w[%k, %n] [32, 64] : !tile.view<16384x256xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %c, %acc : tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !tile.view<32x256xf32>
}

// -----

// No producer can copy rows that start between two units of 16 bytes; wgmma multiplies what threads have copied.
// CHECK-LABEL: tile.kernel @unaligned(
// CHECK:         grid [33, 4]
// CHECK:         tile_gpu.sum_share {{.*}} parts 33 : {{.*}} -> tensor<64x8xf32>
// WHY: @unaligned: grid: 33 blocks split the depth of each tile
// PLAN: #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 5, persistent = true, raster = 33>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @unaligned(
// PLAN: tile.dot {{.*}} {tile_gpu.wgmma}
tile.kernel @unaligned(%x: !tile.view<64x16385xbf16>, %w: !tile.view<256x16385xbf16>) outs(%y: !tile.view<64x256xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c257 = arith.constant 257 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c257 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x16385xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<256x16385xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x256xf32>
}

// -----

// Other instructions have other accumulators, whose columns are no ranges of registers.
// CHECK-LABEL: tile.kernel @unaligned_few_rows
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @unaligned_few_rows(%x: !tile.view<32x16385xbf16>, %w: !tile.view<256x16385xbf16>) outs(%y: !tile.view<32x256xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c257 = arith.constant 257 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c257 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %a = tile.load %x[%m, %k] [32, 64] : !tile.view<32x16385xbf16> -> tensor<32x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<256x16385xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !tile.view<32x256xf32>
}

// -----

// Each entry of a batch has its own groups of blocks.
// CHECK-LABEL: tile.kernel @batch
// CHECK:         grid [27, 1, 3]
// CHECK:         tile_gpu.put_part %{{.*}}, %{{.*}} : tensor<64x64xf32>, !tile.view<81x4096xf32>
// CHECK:         tile_gpu.await_blocks %{{.*}} of 3 part %{{.*}} of 27
// CHECK:         tile.store %{{.*}} : tensor<64x8xf32>
// PLAN: raster = 27>
// PLAN-NEXT: module
// PLAN-NEXT: tile.kernel @batch
tile.kernel @batch(%xs: !tile.view<3x64x65536xbf16>, %ws: !tile.view<3x64x65536xbf16>) outs(%ys: !tile.view<3x64x64xf32>) grid [1, 1, 3] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %e = tile.block_id 2
  %x = tile.select %xs[%e] : !tile.view<3x64x65536xbf16> -> !tile.view<64x65536xbf16, strides=[65536, 1]>
  %w = tile.select %ws[%e] : !tile.view<3x64x65536xbf16> -> !tile.view<64x65536xbf16, strides=[65536, 1]>
  %y = tile.select %ys[%e] : !tile.view<3x64x64xf32> -> !tile.view<64x64xf32, strides=[64, 1]>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16, strides=[65536, 1]> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<64x65536xbf16, strides=[65536, 1]> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x64xf32, strides=[64, 1]>
}

// -----

// A depth of 8 steps is not worth the reduction.
// WHY-NOT: @shallow
// CHECK-LABEL: tile.kernel @shallow
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @shallow(%x: !tile.view<64x512xbf16>, %w: !tile.view<64x512xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x512xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<64x512xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// Each block would add the initial accumulator.
// WHY: @begun: grid missed: 1 block for 132 multiprocessors do not split the depth: the sum does not start from zero at the first step
// CHECK-LABEL: tile.kernel @begun
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @begun(%x: !tile.view<64x65536xbf16>, %w: !tile.view<64x65536xbf16>, %i: !tile.view<64x64xf32>)
    outs(%y: !tile.view<64x64xf32>) grid [1, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = tile.load %i[%m, %n] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// Data past the end of a window is not zero.
// WHY: @window: grid missed: 1 block for 132 multiprocessors do not split the depth: an operand is not a tile of an argument, zero past its end, or computed from one in the loop
// CHECK-LABEL: tile.kernel @window
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @window(%x0: !tile.view<128x65536xbf16>, %w: !tile.view<64x65536xbf16>, %e: index) outs(%y: !tile.view<64x64xf32>) grid [1, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %x = tile.subview %x0[%e, %c0] [64, 65536] : !tile.view<128x65536xbf16> -> !tile.view<64x65536xbf16>
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// Other computations with the step's index need the steps in order.
// WHY: @numbered: grid missed: 1 block for 132 multiprocessors do not split the depth: the operands are not indexed by two axes of the grid and the step alone
// CHECK-LABEL: tile.kernel @numbered
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @numbered(%x: !tile.view<64x65536xbf16>, %w: !tile.view<64x65536xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %h = arith.divui %k, %c1024 : index
    %c = tile.load %w[%h, %k] [64, 64] : !tile.view<64x65536xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// A computed operand need not be zero past the end of the data, so all blocks run the same steps of it: 25 of 1000, where
// blocks of loaded operands would run 31 or 32.
// WHY: @computed: grid: 25 blocks split the depth of each tile
// CHECK-LABEL: tile.kernel @computed
// CHECK:         grid [25, 4]
// CHECK:         scf.for %{{.*}} = %c0 to %c40
// CHECK:         tile_gpu.await_blocks
tile.kernel @computed(%x: !tile.view<64x64000xbf16>, %w: !tile.view<64x64000xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %least = arith.constant dense<1.0> : tensor<64x64xbf16>
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %s = scf.for %k = %c0 to %c1000 step %c1 iter_args(%acc = %z) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x64000xbf16> -> tensor<64x64xbf16>
    %r = arith.maximumf %a, %least : tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [16, 64] : !tile.view<64x64000xbf16> -> tensor<16x64xbf16>
    %d = tile.dot %r, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x16xf32>, !tile.view<64x64xf32>
}

// -----

// 1009 steps, a prime, cannot be divided evenly.
// CHECK-LABEL: tile.kernel @computed_unevenly
// CHECK-NOT:     tile_gpu.await_blocks
tile.kernel @computed_unevenly(%x: !tile.view<64x64576xbf16>, %w: !tile.view<64x64576xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1009 = arith.constant 1009 : index
  %least = arith.constant dense<1.0> : tensor<64x64xbf16>
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %s = scf.for %k = %c0 to %c1009 step %c1 iter_args(%acc = %z) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<64x64576xbf16> -> tensor<64x64xbf16>
    %r = arith.maximumf %a, %least : tensor<64x64xbf16>
    %c = tile.load %w[%n, %k] [16, 64] : !tile.view<64x64576xbf16> -> tensor<16x64xbf16>
    %d = tile.dot %r, %c, %acc transpose_b : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x16xf32>, !tile.view<64x64xf32>
}
