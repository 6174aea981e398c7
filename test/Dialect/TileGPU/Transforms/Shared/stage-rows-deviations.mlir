// RUN: tilegpt-opt %s --tile-gpu-stage-rows --split-input-file | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:391*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 11, blocks = 1, inRegisters = true, throughMemory = true>
!X = !tile.view<12x200001xf32>

// A block takes the deviations from the mean of its part, whose size is another in the last block. Both sums are exchanged in
// one word; the squares get what the means of the parts deviate from that of the row. The store of the mean follows.
// CHECK-LABEL: tile.kernel @deviations
// CHECK:         %[[P:.*]] = arith.remui %{{.*}}, %c11
// CHECK:         %[[OWN:.*]] = tile.reduce add {{.*}} axis 1 keepdims
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %[[P]], %c10
// CHECK:         %[[N:.*]] = arith.select %[[LAST]], %cst{{.*}}, %cst{{.*}} : f32
// CHECK:         %[[NS:.*]] = tile.splat %[[N]] [1, 1]
// CHECK:         %[[MEAN:.*]] = arith.mulf %[[OWN]], %[[NS]]
// CHECK:         tile.broadcast %[[MEAN]]
// CHECK:         tile.reduce add {{.*}} axis 1 keepdims
// CHECK:         tile_gpu.gather_blocks {{.*}} : tensor<1x1xi64, {{.*}} -> tensor<11x1xi64
// CHECK-NOT:     tile_gpu.gather_blocks
// CHECK:         %[[SUM:.*]] = tile.reduce add {{.*}} axis 0 keepdims
// CHECK:         arith.cmpi eq, {{.*}} : tensor<11xi32
// CHECK:         %[[APART:.*]] = arith.subf {{.*}} : tensor<11x1xf32
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[APART]], %[[APART]]
// CHECK:         %[[EACH:.*]] = arith.mulf %[[SQUARE]]
// CHECK:         %[[ALL:.*]] = arith.addf {{.*}}, %[[EACH]]
// CHECK:         %[[SQUARES:.*]] = tile.reduce add %[[ALL]] axis 0 keepdims
// CHECK:         arith.mulf %{{.*}}, %cst
// CHECK:         scf.if
// CHECK:           tile.store
// CHECK:         scf.if
// CHECK:           tile.store
tile.kernel @deviations(%x: !X) outs(%y: !tile.view<12x1xf32>, %z: !tile.view<12x1xf32>) grid [132]
    attributes {tile_gpu.plan = #plan, tile_gpu.row_blocks = array<i64: 11, 1>} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %n = arith.constant dense<4.999975e-06> : tensor<1x1xf32, #sum>
  %q = arith.divui %b, %c11 : index
  %m = tile.assume %q bounded [0, 11] : index
  %t = tile.load %x[%m, %c0] [1, 200001] : !X -> tensor<1x200001xf32, #row>
  %h = tile.reduce add %t axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  %mean = arith.mulf %h, %n : tensor<1x1xf32, #sum>
  tile.store %mean, %z[%m, %c0] : tensor<1x1xf32, #sum>, !tile.view<12x1xf32>
  %hb = tile.broadcast %mean [1, 200001] : tensor<1x1xf32, #sum> -> tensor<1x200001xf32, #row>
  %d = arith.subf %t, %hb : tensor<1x200001xf32, #row>
  %d2 = arith.mulf %d, %d : tensor<1x200001xf32, #row>
  %s = tile.reduce add %d2 axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32, #sum>, !tile.view<12x1xf32>
}

// -----

#row = #tile_gpu.layout<registers = [d1:391*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 11, blocks = 1, inRegisters = true, throughMemory = true>
!X = !tile.view<12x200001xf32>

// Deviations from half the mean: the second sum needs the first.
// CHECK-LABEL: tile.kernel @half
// CHECK-COUNT-2: tile_gpu.gather_blocks {{.*}} : tensor<1x1xf32
tile.kernel @half(%x: !X) outs(%y: !tile.view<12x1xf32>) grid [132]
    attributes {tile_gpu.plan = #plan, tile_gpu.row_blocks = array<i64: 11, 1>} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %n = arith.constant dense<2.5e-06> : tensor<1x1xf32, #sum>
  %q = arith.divui %b, %c11 : index
  %m = tile.assume %q bounded [0, 11] : index
  %t = tile.load %x[%m, %c0] [1, 200001] : !X -> tensor<1x200001xf32, #row>
  %h = tile.reduce add %t axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  %mean = arith.mulf %h, %n : tensor<1x1xf32, #sum>
  %hb = tile.broadcast %mean [1, 200001] : tensor<1x1xf32, #sum> -> tensor<1x200001xf32, #row>
  %d = arith.subf %t, %hb : tensor<1x200001xf32, #row>
  %d2 = arith.mulf %d, %d : tensor<1x200001xf32, #row>
  %s = tile.reduce add %d2 axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32, #sum>, !tile.view<12x1xf32>
}

// -----

#row = #tile_gpu.layout<registers = [d1:391*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 8, blocks = 1, inRegisters = true>
!X = !tile.view<12x200001xf32>

// The exchanges of a cluster take less time than the correction.
// CHECK-LABEL: tile.kernel @cluster
// CHECK-COUNT-2: tile_gpu.gather_parts {{.*}} : tensor<1x1xf32
tile.kernel @cluster(%x: !X) outs(%y: !tile.view<12x1xf32>) grid [12] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %n = arith.constant dense<4.999975e-06> : tensor<1x1xf32, #sum>
  %t = tile.load %x[%m, %c0] [1, 200001] : !X -> tensor<1x200001xf32, #row>
  %h = tile.reduce add %t axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  %mean = arith.mulf %h, %n : tensor<1x1xf32, #sum>
  %hb = tile.broadcast %mean [1, 200001] : tensor<1x1xf32, #sum> -> tensor<1x200001xf32, #row>
  %d = arith.subf %t, %hb : tensor<1x200001xf32, #row>
  %d2 = arith.mulf %d, %d : tensor<1x200001xf32, #row>
  %s = tile.reduce add %d2 axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32, #sum>, !tile.view<12x1xf32>
}
