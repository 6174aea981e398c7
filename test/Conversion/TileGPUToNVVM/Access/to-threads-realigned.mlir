// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#l = #tile_gpu.layout<registers = [d1:8*1, d0:2*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Rows that begin anywhere: each vector is cut out of two aligned ones. Rows 16 apart are equally far behind an aligned
// address, so all vectors of a thread shift alike, where they are used. Where aligned vectors may reach out of the view,
// elements are loaded one by one.
// CHECK-LABEL: func.func @shifts(
// CHECK:         %[[BEHIND:.*]] = arith.andi %{{.*}}, %c15_i32 : i32
// CHECK:         %[[BACK:.*]] = arith.subi %c0_i32, %[[BEHIND]] : i32
// CHECK:         llvm.getelementptr %{{.*}}[%[[BACK]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
// CHECK:         arith.cmpi sge, %{{.*}}, %c7 : index
// CHECK:         arith.cmpi sge, %{{.*}}, %c15 : index
// CHECK:         %[[SAFE:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK-COUNT-4: llvm.inline_asm {{.*}} ld.global.v4.b32 {{.*}} %[[SAFE]]
// CHECK:         nvvm.barrier0
// CHECK:         scf.if %[[SAFE]] -> (i32, i32, i32, i32, i32, i32, i32, i32) {
// CHECK-COUNT-8:   llvm.intr.fshr(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32) -> i32
// CHECK:         } else {
// CHECK:           scf.for %{{.*}} = %c0 to %c8 step %c1
// CHECK-COUNT-2:     llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK-NOT:         llvm.load
// CHECK:             scf.yield
tile.kernel @shifts(%x: !tile.view<64x1045xbf16>, %k: index) grid [2] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %kk = tile.assume %k bounded [0, 15] : index
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32x64xbf16, swizzle = 128>
  %t = tile.load %x[%m, %kk] [32, 64] {tile_gpu.realigned} : !tile.view<64x1045xbf16> -> tensor<32x64xbf16, #l>
  tile_gpu.barrier
  tile_gpu.write %t, %b : tensor<32x64xbf16, #l>, !tile_gpu.shared<32x64xbf16, swizzle = 128>
}

// -----

#l = #tile_gpu.layout<registers = [d1:8*1, d0:2*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Rows behind the end of the view are not read, and what follows the end of a row becomes zeros, in the last tile of a row
// only.
// CHECK-LABEL: func.func @cuts(
// CHECK-COUNT-4: llvm.inline_asm {{.*}} ld.global.v4.b32
// CHECK:         scf.if
// CHECK:           arith.cmpi slt, %{{.*}}, %c64 : index
// CHECK:           scf.if
// CHECK:             llvm.inline_asm {{.*}} "bmsk.clamp.b32 $0, 0, $1;"
// CHECK-COUNT-5:     arith.andi %{{.*}}, %{{.*}} : i32
// CHECK:         } else {
// CHECK:           scf.for
// CHECK-COUNT-2:     llvm.inline_asm {{.*}} ld.global.b16
// CHECK-NOT:         ld.global
tile.kernel @cuts(%x: !tile.view<?x?xbf16, strides=[?, 1]>, %k: index) grid [ceildiv(dim(%x, 0), 32)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %kk = tile.assume %k bounded [0, 1000] : index
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32x64xbf16, swizzle = 128>
  %t = tile.load %x[%m, %kk] [32, 64] {tile_gpu.realigned} : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<32x64xbf16, #l>
  tile_gpu.write %t, %b : tensor<32x64xbf16, #l>, !tile_gpu.shared<32x64xbf16, swizzle = 128>
}
