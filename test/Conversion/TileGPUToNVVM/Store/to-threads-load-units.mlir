// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#l = #tile_gpu.layout<registers = [d1:8*1, d1:2*256], lanes = [d1:32*8], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1, blocks = 1, inRegisters = true>

// Units that every row has are loaded at once, the others if the row has a part of them: one by one in the block at the
// end of the view, which may be in the middle of a unit. They are unpacked behind the branch.
// CHECK-LABEL: func.func @ends_anywhere
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK:         scf.if %{{.*}} -> (vector<8xbf16>) {
// CHECK-COUNT-8:   llvm.inline_asm {{.*}}ld.global.b16
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK:           llvm.inline_asm {{.*}}ld.global.v4.b32
// CHECK:           scf.yield
// CHECK-NOT:     ld.global
tile.kernel @ends_anywhere(%x: !tile.view<4x505xbf16>, %m: index, %f: index)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1x512xbf16>
  %t = tile_gpu.load_units %x[%m] at %c0 from %f known [0, 505] : !tile.view<4x505xbf16> -> tensor<1x512xbf16, #l>
  tile_gpu.write %t, %b : tensor<1x512xbf16, #l>, !tile_gpu.shared<1x512xbf16>
}

// -----

#l = #tile_gpu.layout<registers = [d1:4*1, d1:2*128], lanes = [d1:32*4], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1, blocks = 1, inRegisters = true>

// If rows are whole units, there are no partial ones.
// CHECK-LABEL: func.func @whole_units
// CHECK-NOT:     scf.if
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         llvm.inline_asm {{.*}}ld.global.v4.b32
// CHECK-NOT:     ld.global
tile.kernel @whole_units(%x: !tile.view<?x240xf32>, %m: index)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1x256xf32>
  %t = tile_gpu.load_units %x[%m] at %c0 from %c0 known [0, 240] : !tile.view<?x240xf32> -> tensor<1x256xf32, #l>
  tile_gpu.write %t, %b : tensor<1x256xf32, #l>, !tile_gpu.shared<1x256xf32>
}

// -----

#l = #tile_gpu.layout<registers = [d1:8*1, d1:2*256], lanes = [d1:32*8], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1, blocks = 1, inRegisters = true>

// The end of a row whose length the block knows; the first seven registers may precede it, the last eight may follow
// it.
// CHECK-LABEL: func.func @outside
// CHECK-COUNT-16: arith.select
// CHECK-NOT:     arith.select
// The units in between are stored unconditionally.
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:         scf.if
// CHECK:         } else {
// CHECK-NOT:     } else {
tile.kernel @outside(%s: index, %n: index, %x: bf16, %p: index) outs(%y: !tile.view<4x500xbf16>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %t = tile.splat %x [1, 512] : bf16 -> tensor<1x512xbf16, #l>
  %c = arith.constant 0.0 : bf16
  %f = tile_gpu.fill_outside %t, %c from %s length %n columns 504 : tensor<1x512xbf16, #l>
  %r = tile_gpu.run %y[%m] length 500 : !tile.view<4x500xbf16> -> !tile.view<?xbf16>
  tile_gpu.store_units %f at %p of %r from %s known [7, 504] : tensor<1x512xbf16, #l>, !tile.view<?xbf16>
}
