// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#l = #tile_gpu.layout<registers = [d1:8*1, d1:3*256], lanes = [d1:32*8], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
!Y = !tile.view<4x761xbf16>

// A row of 761 columns that starts in column 0 to 7 of 768. Of the 24 registers of a thread the first seven and the
// last seven may be outside the row.
// CHECK-LABEL: func.func @outside
// CHECK-COUNT-14: arith.select
// CHECK-NOT:     arith.select
// CHECK:         llvm.store
tile.kernel @outside(%s: index, %x: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1x768xf32>
  %t = tile.splat %x [1, 768] : f32 -> tensor<1x768xf32, #l>
  %c = arith.constant 0.0 : f32
  %f = tile_gpu.fill_outside %t, %c from %s columns 761 : tensor<1x768xf32, #l>
  tile_gpu.write %f, %b : tensor<1x768xf32, #l>, !tile_gpu.shared<1x768xf32>
}

// -----

#l = #tile_gpu.layout<registers = [d1:8*1, d1:3*256], lanes = [d1:32*8], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
!Y = !tile.view<4x761xbf16>

// The first and the last unit as a whole or element by element, the one in between as a whole.
// CHECK-LABEL: func.func @store
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : vector<8xbf16>
// CHECK:         } else {
// CHECK-COUNT-8:   llvm.store {{.*}} : bf16
// CHECK:         llvm.store {{.*}} : vector<8xbf16>
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : vector<8xbf16>
// CHECK-COUNT-8:   llvm.store {{.*}} : bf16
// CHECK-NOT:     llvm.store
tile.kernel @store(%m: index, %s: index, %x: bf16) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %x [1, 768] : bf16 -> tensor<1x768xbf16, #l>
  tile_gpu.store_covering %t from %s, %y[%m] inside : tensor<1x768xbf16, #l>, !Y
}

// -----

#l = #tile_gpu.layout<registers = [d1:8*1, d1:2*256], lanes = [d1:32*8], warps = []>
#ones = #tile_gpu.layout<registers = [d1:2*32], lanes = [d1:32*1], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
!R = !tile.view<?xbf16>

// Elements of a run: at its ends units as a whole or element by element, inside as a whole, except for lanes without
// columns of the tile; single elements if lanes hold no adjacent ones.
// CHECK-LABEL: func.func @store_units
// CHECK-COUNT-2: llvm.store {{.*}} : vector<8xbf16>
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : vector<8xbf16>
// CHECK:         } else {
// CHECK-COUNT-8:   llvm.store {{.*}} : bf16
// CHECK:         llvm.store {{.*}} : vector<8xbf16>
// CHECK:         llvm.inline_asm {{.*}}"@$0 st.global.v4.b32
// CHECK-COUNT-2: llvm.inline_asm {{.*}}"@$0 st.global.b16
// CHECK-NOT:     llvm.store
tile.kernel @store_units(%p: index, %f: index, %x: bf16) outs(%y: !tile.view<4x761xbf16>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %r = tile_gpu.run %y[%m] length 761 : !tile.view<4x761xbf16> -> !R
  %a = tile.splat %x [1, 512] : bf16 -> tensor<1x512xbf16, #l>
  tile_gpu.store_units %a at %p of %r from %f inside : tensor<1x512xbf16, #l>, !R
  %u = tile.splat %x [1, 256] : bf16 -> tensor<1x256xbf16, #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:32*8], warps = []>>
  tile_gpu.store_units %u at %p of %r from %f : tensor<1x256xbf16, #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:32*8], warps = []>>, !R
  %b = tile.splat %x [1, 504] : bf16 -> tensor<1x504xbf16, #l>
  tile_gpu.store_units %b at %p of %r from %f inside : tensor<1x504xbf16, #l>, !R
  %c = tile.splat %x [1, 64] : bf16 -> tensor<1x64xbf16, #ones>
  tile_gpu.store_units %c at %p of %r from %f : tensor<1x64xbf16, #ones>, !R
}

// -----

#l = #tile_gpu.layout<registers = [d1:16*1], lanes = [d1:32*16], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
!Y = !tile.view<4x497xf8E4M3FN>
!R = !tile.view<?xf8E4M3FN>

// Eight-bit floats are bytes in memory, which LLVM stores.
// CHECK-LABEL: func.func @store_f8
// CHECK:         llvm.store {{.*}} : vector<16xi8>
// CHECK-COUNT-16: llvm.store {{.*}} : i8
// CHECK:         llvm.store {{.*}} : vector<16xi8>
// CHECK-NOT:     f8E4M3FN{{.*}} !llvm.ptr
tile.kernel @store_f8(%m: index, %s: index, %x: f8E4M3FN) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %x [1, 512] : f8E4M3FN -> tensor<1x512xf8E4M3FN, #l>
  tile_gpu.store_covering %t from %s, %y[%m] inside : tensor<1x512xf8E4M3FN, #l>, !Y
  %r = tile_gpu.run %y[%m] length 497 : !Y -> !R
  tile_gpu.store_units %t at %m of %r from %s inside : tensor<1x512xf8E4M3FN, #l>, !R
}
