// RUN: tilegpt-opt %s --tile-gpu-pack-blocks --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-pack-blocks --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-pack-blocks --tile-gpu-make-plan --split-input-file | FileCheck %s --check-prefix=PLAN

// Each block computes its own sizes, so its rows cannot be merged; eight blocks become the warps of one.
// CHECK-LABEL: tile.kernel @pool
// CHECK-NEXT: grid [49, 32, 8] attributes {tile_gpu.packed_blocks = 8 : i64} {
// CHECK-DAG: %[[BLOCK:.*]] = tile.block_id 1
// CHECK-DAG: %[[TEAM:.*]] = tile_gpu.team
// CHECK-DAG: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c8
// CHECK: %[[ID:.*]] = arith.addi %[[FIRST]], %[[TEAM]]
// CHECK: %[[OWN:.*]] = tile.assume %[[ID]] bounded [0, 255]
// CHECK: tile.select %{{.*}}[%{{.*}}, %[[OWN]]]
// WHY: remark: @pool: grid: 8 small blocks, adjacent along axis 1, are packed into one, a warp each
// PLAN: tile.kernel @pool
// PLAN: #tile_gpu.plan<target = "sm_90a", warps = 1, teams = 8>
tile.kernel @pool(%x: !tile.view<8x256x56x60xf32>) outs(%y: !tile.view<8x256x49xf32>)
    grid [49, 256, 8] {
  %0 = tile.block_id 0
  %1 = tile.block_id 1
  %2 = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %row = arith.divui %0, %c7 : index
  %v = tile.select %x[%2, %1] : !tile.view<8x256x56x60xf32> -> !tile.view<56x60xf32>
  %t = tile.load %v[%row, %c0] [8, 16] : !tile.view<56x60xf32> -> tensor<8x16xf32>
  %r = tile.reduce add %t axis 0 : tensor<8x16xf32> -> tensor<16xf32>
  %s = tile.reduce add %r axis 0 keepdims : tensor<16xf32> -> tensor<1xf32>
  %o = tile.select %y[%2, %1] : !tile.view<8x256x49xf32> -> !tile.view<49xf32>
  tile.store %s, %o[%0] : tensor<1xf32>, !tile.view<49xf32>
}

// -----

// The last block of an axis of odd size has warps with nothing to do. The number of blocks is that of the kernel's text.
// CHECK-LABEL: tile.kernel @odd
// CHECK-NEXT: grid [1251] attributes {tile_gpu.packed_blocks = 8 : i64} {
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %{{.*}}, %c10001 : index
// CHECK: scf.if %[[EXISTS]] {
// CHECK: arith.subi %c10000, %{{.*}} : index
// CHECK: tile.store
tile.kernel @odd(%x: !tile.view<10001x64xf32>) outs(%y: !tile.view<10001x64xf32>) grid [10001] {
  %0 = tile.block_id 0
  %n = tile.num_blocks 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = arith.subi %n, %0 : index
  %i = arith.subi %b, %c1 : index
  %t = tile.load %x[%i, %c0] [1, 64] : !tile.view<10001x64xf32> -> tensor<1x64xf32>
  tile.store %t, %y[%0, %c0] : tensor<1x64xf32>, !tile.view<10001x64xf32>
}

// -----

// With fewer blocks, fewer are packed.
// CHECK-LABEL: tile.kernel @fewer
// CHECK-NEXT: grid [1250] attributes {tile_gpu.packed_blocks = 4 : i64} {
tile.kernel @fewer(%x: !tile.view<5000x64xf32>) outs(%y: !tile.view<5000x64xf32>) grid [5000] {
  %0 = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%0, %c0] [1, 64] : !tile.view<5000x64xf32> -> tensor<1x64xf32>
  tile.store %t, %y[%0, %c0] : tensor<1x64xf32>, !tile.view<5000x64xf32>
}

// -----

// CHECK-LABEL: tile.kernel @few
// CHECK-NEXT: grid [1000] {
tile.kernel @few(%x: !tile.view<1000x64xf32>) outs(%y: !tile.view<1000x64xf32>) grid [1000] {
  %0 = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%0, %c0] [1, 64] : !tile.view<1000x64xf32> -> tensor<1x64xf32>
  tile.store %t, %y[%0, %c0] : tensor<1x64xf32>, !tile.view<1000x64xf32>
}

// -----

// More than two warps have work.
// CHECK-LABEL: tile.kernel @large
// CHECK-NEXT: grid [20000] {
tile.kernel @large(%x: !tile.view<20000x1024xf32>) outs(%y: !tile.view<20000x1024xf32>) grid [20000] {
  %0 = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%0, %c0] [1, 1024] : !tile.view<20000x1024xf32> -> tensor<1x1024xf32>
  tile.store %t, %y[%0, %c0] : tensor<1x1024xf32>, !tile.view<20000x1024xf32>
}

// -----

// The number of blocks is unknown.
// CHECK-LABEL: tile.kernel @open
// CHECK-NEXT: grid [dim(%{{.*}}, 0)] {
tile.kernel @open(%x: !tile.view<?x64xf32>) outs(%y: !tile.view<?x64xf32>) grid [dim(%y, 0)] {
  %0 = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%0, %c0] [1, 64] : !tile.view<?x64xf32> -> tensor<1x64xf32>
  tile.store %t, %y[%0, %c0] : tensor<1x64xf32>, !tile.view<?x64xf32>
}

// -----

// CHECK-LABEL: tile.kernel @scratch
// CHECK-NEXT: grid [20000] {
// WHY: remark: @scratch: grid missed: small blocks are not packed: the op needs a block of its own
tile.kernel @scratch(%x: !tile.view<20000x64xf32>) outs(%y: !tile.view<20000x64xf32>) grid [20000] {
  %0 = tile.block_id 0
  %c0 = arith.constant 0 : index
  %p = tile.scratch 64 : !tile.ptr<f32>
  %i = tile.iota [64] : tensor<64xi32>
  %t = tile.load %x[%0, %c0] [1, 64] : !tile.view<20000x64xf32> -> tensor<1x64xf32>
  %u = tile.reshape %t [64] : tensor<1x64xf32> -> tensor<64xf32>
  tile.store_at %u, %p[%i] : tensor<64xf32>, !tile.ptr<f32>, tensor<64xi32>
  %v = tile.load_at %p[%i] : !tile.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %w = tile.reshape %v [1, 64] : tensor<64xf32> -> tensor<1x64xf32>
  tile.store %w, %y[%0, %c0] : tensor<1x64xf32>, !tile.view<20000x64xf32>
}

// -----

// A wanted plan says how many warps a block has.
// CHECK-LABEL: tile.kernel @wanted
// CHECK-NEXT: grid [20000]
// CHECK-NOT: packed_blocks
tile.kernel @wanted(%x: !tile.view<20000x64xf32>) outs(%y: !tile.view<20000x64xf32>) grid [20000]
    attributes {tile.wanted_plan = {overlap = 0 : i64}} {
  %0 = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%0, %c0] [1, 64] : !tile.view<20000x64xf32> -> tensor<1x64xf32>
  tile.store %t, %y[%0, %c0] : tensor<1x64xf32>, !tile.view<20000x64xf32>
}
