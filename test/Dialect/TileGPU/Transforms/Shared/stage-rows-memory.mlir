// RUN: tilegpt-opt %s --tile-gpu-stage-rows | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:391*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 11, blocks = 1, inRegisters = true, throughMemory = true>
!X = !tile.view<12x200001xf32>

// Eleven blocks share a row through memory: they form no cluster, and each finds its part and its row in the grid. Lanes
// hold the numbers of all of them.
// CHECK:       #[[A:.*]] = #tile_gpu.layout<registers = [], lanes = [d0:16*1, rep:2], warps = [rep:16]>
// CHECK-LABEL: tile.kernel @memory
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[P:.*]] = arith.remui %[[B]], %c11
// CHECK:         %[[G:.*]] = arith.divui %[[B]], %c11
// CHECK:         %[[W:.*]] = tile_gpu.workspace 0 : !tile.view<2x12x32xi64>
// CHECK:         %[[M:.*]] = tile_gpu.begin_exchange of %[[G]] part %[[P]] in %[[W]]
// CHECK:         %[[AT:.*]] = arith.muli %[[P]], %c18184
// CHECK:         %[[X:.*]] = tile_gpu.load_units %arg0[%[[ROW:.*]]] at %[[AT]] from %{{.*}} known [0, 18161]
// CHECK:         %[[OWN:.*]] = tile.reduce max
// CHECK:         %[[S:.*]] = tile_gpu.alloc : !tile_gpu.shared<11xi64>
// CHECK:         %[[ALL:.*]] = tile_gpu.gather_blocks %[[OWN]] of %[[G]] part %[[P]] mark %[[M]] exchange 0 in %[[W]] through %[[S]] : {{.*}} -> tensor<11x1xf32, #[[A]]>
// CHECK:         tile.reduce max %[[ALL]] axis 0 keepdims
// CHECK:         tile.reduce add
// CHECK:         %[[SUM:.*]] = tile_gpu.gather_blocks {{.*}} mark %[[M]] exchange 1 in %[[W]]
// CHECK:         %[[T:.*]] = tile.reduce add %[[SUM]] axis 0 keepdims
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[P]], %c0
// CHECK:         scf.if %[[FIRST]] {
// CHECK-NEXT:      tile.store %[[T]]
tile.kernel @memory(%x: !X) outs(%y: !tile.view<12x1xf32>) grid [132]
    attributes {tile_gpu.plan = #plan, tile_gpu.row_blocks = array<i64: 11, 1>} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %q = arith.divui %b, %c11 : index
  %m = tile.assume %q bounded [0, 11] : index
  %t = tile.load %x[%m, %c0] [1, 200001] : !X -> tensor<1x200001xf32, #row>
  %h = tile.reduce max %t axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  %hb = tile.broadcast %h [1, 200001] : tensor<1x1xf32, #sum> -> tensor<1x200001xf32, #row>
  %d = arith.subf %t, %hb : tensor<1x200001xf32, #row>
  %s = tile.reduce add %d axis 1 keepdims : tensor<1x200001xf32, #row> -> tensor<1x1xf32, #sum>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32, #sum>, !tile.view<12x1xf32>
}
