// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>

// Two times 8 rows of 32 columns per warp: a row is eight units of 16 bytes, so lanes 8 to 15 of 16 have none. Four
// times two rows, each with the units and up to three elements at both ends.
// CHECK-LABEL: func.func @odd(
// CHECK:         nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
tile.kernel @odd(%s: f32, %m: index, %n: index) outs(%y: !tile.view<?x999xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<4x8x32xf32, padding = 4>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [64, 32] : f32 -> tensor<64x32xf32, #acc>
    tile_gpu.row_store %t, %y[%m, %n] through %b : tensor<64x32xf32, #acc>, !tile.view<?x999xf32>,
        !tile_gpu.shared<4x8x32xf32, padding = 4>
  }
}

// Rows of whole units have no ends.
// CHECK-LABEL: func.func @aligned(
// CHECK-COUNT-8: vector<4xi32>, !llvm.ptr<1>
// CHECK-NOT:     i32, !llvm.ptr<1>
tile.kernel @aligned(%s: f32, %m: index, %n: index) outs(%y: !tile.view<?x992xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<4x8x32xf32, padding = 4>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [64, 32] : f32 -> tensor<64x32xf32, #acc>
    tile_gpu.row_store %t, %y[%m, %n] through %b aligned : tensor<64x32xf32, #acc>, !tile.view<?x992xf32>,
        !tile_gpu.shared<4x8x32xf32, padding = 4>
  }
}

// 16-bit elements: adjacent ones are rounded together, then stored separately; a row is four units, and up to seven
// elements at each end, one for each of the 16 lanes that write a row.
// CHECK-LABEL: func.func @narrow(
// CHECK:         llvm.inline_asm {{.*}}"mov.b32 {$0, $1}, $2;", "=h,=h,r"
// CHECK-COUNT-8: llvm.store %{{.*}} : i16, !llvm.ptr<3>
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK:         %[[TAIL:.*]] = arith.cmpi sgt, %[[LANE:.*]], %c7_i32
// CHECK:         arith.andi %[[LANE]], %c7_i32
// CHECK-NOT:     arith.andi {{.*}} : i1
// CHECK:         llvm.store %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<1>
tile.kernel @narrow(%s: bf16, %m: index, %n: index) outs(%y: !tile.view<?x999xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<4x8x32xbf16, padding = 8>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %s [64, 32] : bf16 -> tensor<64x32xbf16, #acc>
    tile_gpu.row_store %t, %y[%m, %n] through %b : tensor<64x32xbf16, #acc>, !tile.view<?x999xbf16>,
        !tile_gpu.shared<4x8x32xbf16, padding = 8>
  }
}
