// RUN: tilegpt-opt %s --tile-gpu-stage-rows | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:196*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 3, blocks = 1, inRegisters = true>

// Rows of a view that follows the row's number, and an update that one block of the cluster does for all.
// CHECK-LABEL: tile.kernel @total
// CHECK:         tile.block_id 0
// CHECK:         %[[V:.*]] = tile.view_at
// CHECK:         tile_gpu.load_units %[[V]]
// CHECK:         %[[T:.*]] = tile.reduce add %{{.*}} axis 0
// CHECK:         scf.if
// CHECK-NEXT:      tile.atomic_rmw add %arg1[%{{.*}}], %[[T]]
// CHECK-NOT:     tile.atomic_rmw
tile.kernel @total(%xp: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: index) grid launch attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xa = tile.assume %xp div_by 16 : !tile.ptr<f32>
  %x = tile.view_at %xa sizes [%n, 100000] : !tile.ptr<f32> -> !tile.view<?x100000xf32>
  %t = tile.load %x[%m, %c0] [1, 100000] : !tile.view<?x100000xf32> -> tensor<1x100000xf32, #row>
  %s = tile.reduce add %t axis 1 : tensor<1x100000xf32, #row> -> tensor<1xf32, #one>
  %z = arith.constant dense<0> : tensor<1xi32, #one>
  %o = tile.atomic_rmw add %y[%z], %s : !tile.ptr<f32>, tensor<1xi32, #one>, tensor<1xf32, #one>
}
