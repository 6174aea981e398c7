// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// A thread holds four adjacent elements of a row: three additions, then five steps across the 32 lanes of the row, each
// applied only if there is such a preceding lane, and one shuffle for the value before the four. The total is unused.
#row = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d0:4*1]>

// CHECK-LABEL: func.func @within_a_warp(
// CHECK:         %[[A:.*]] = arith.addf %[[X:.*]], %[[X]] : f32
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %[[X]] : f32
// CHECK:         %[[C:.*]] = arith.addf %[[B]], %[[X]] : f32
// CHECK:         %[[S:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[C]], %{{.*}}
// CHECK:         %[[J:.*]] = arith.addf %[[S]], %[[C]] : f32
// CHECK:         arith.select %{{.*}}, %[[J]], %[[C]] : f32
// CHECK-COUNT-5: nvvm.shfl.sync idx
// CHECK-NOT:     nvvm.shfl.sync
// CHECK-NOT:     nvvm.barrier
tile.kernel @within_a_warp(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [4, 128] : f32 -> tensor<4x128xf32, #row>
  %r = tile.scan add %t axis 1 : tensor<4x128xf32, #row>
  %c = arith.cmpf olt, %r, %r : tensor<4x128xf32, #row>
  tile.assert %c, "used" : tensor<4x128xi1, #row>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Four consecutive warps, twice: registers, lanes and warps are scanned in the order of their strides. One lane of each
// warp writes its total; all read the totals before theirs, and that of the whole first round.
#l = #tile_gpu.layout<registers = [d0:2*128], lanes = [d0:32*1], warps = [d0:4*32]>

// CHECK-LABEL: func.func @across_warps(
// CHECK-COUNT-14: nvvm.shfl.sync idx
// CHECK-NOT:     nvvm.barrier0
// CHECK:         scf.if
// CHECK-COUNT-2:   llvm.store %{{.*}} !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK-COUNT-7: llvm.load %{{.*}} !llvm.ptr<3>
tile.kernel @across_warps(%s: i32) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %t = tile.splat %s [256] : i32 -> tensor<256xi32, #l>
  %r = tile.scan max %t axis 0 : tensor<256xi32, #l>
  %c = arith.cmpi sle, %t, %r : tensor<256xi32, #l>
  tile.assert %c, "used" : tensor<256xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// From the end, the padding of the row comes first and must be neutral.
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d0:4*1]>

// CHECK-LABEL: func.func @reverse(
// CHECK:         arith.cmpi slt, %{{.*}}, %c101 : index
// CHECK:         arith.select %{{.*}}, %{{.*}}, %c0_i32 : i32
// CHECK:         nvvm.shfl.sync idx
tile.kernel @reverse(%s: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [4, 101] : i32 -> tensor<4x101xi32, #l>
  %r = tile.scan add %t axis 1 exclusive reverse : tensor<4x101xi32, #l>
  %c = arith.cmpi sle, %t, %r : tensor<4x101xi32, #l>
  tile.assert %c, "used" : tensor<4x101xi1, #l>
}
