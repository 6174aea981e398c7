// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d0:4*1]>
#m = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:4*32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Each thread adds the elements of its column: rows r begin r · 3 mod 4 columns later.
// CHECK-LABEL: func.func @sums(
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         %[[A:.*]] = llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK:         llvm.getelementptr %{{.*}}[131]
// CHECK:         %[[B:.*]] = llvm.load
// CHECK:         %[[AB:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK:         llvm.getelementptr %{{.*}}[258]
// CHECK:         arith.addf %[[AB]], %{{.*}} : f32
// CHECK:         llvm.getelementptr %{{.*}}[385]
// CHECK:         arith.addf
// CHECK-NOT:     arith.addf
tile.kernel @sums(%x: f32) outs(%y: !tile.view<124xf32>) grid [1]
    attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64, tile_gpu.scratch_bytes = 2048 : i64, tile_gpu.shared_bytes = 2048 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %x [4, 128] : f32 -> tensor<4x128xf32, #l>
  %s = tile_gpu.sum_shifted %t by 3 modulo 4 : tensor<4x128xf32, #l> -> tensor<124xf32, #m>
  tile.store %s, %y[%c0] : tensor<124xf32, #m>, !tile.view<124xf32>
}
