// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// A thread holds four neighbours of a row: three additions, then five steps among the 32 lanes of the row, each kept only
// where there is a lane so far before, and one shuffle for what lies before the four. The sum of the row is nobody's.
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

// Four warps one behind the other, twice: registers, lanes and warps are gone through in the order of their strides. One
// lane of each warp writes what its part comes to; all read what lies before theirs, and the whole of the first.
#l = #tile_gpu.layout<registers = [d0:2*128], lanes = [d0:32*1], warps = [d0:4*32]>

// CHECK-LABEL: func.func @across_warps(
// CHECK-COUNT-14: nvvm.shfl.sync idx
// CHECK:         nvvm.barrier0
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

// From the end, what pads the row comes first and must change nothing.
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
