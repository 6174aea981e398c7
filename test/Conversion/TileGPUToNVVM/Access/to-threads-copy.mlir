// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<?x768xbf16>
!S = !tile_gpu.shared<16x16xbf16, swizzle = 32>

// 32 units of 16 bytes for 32 threads; a row past the view is zero.
// CHECK-LABEL: func.func @copies_units
// CHECK:         %[[SLOT:.*]] = llvm.getelementptr %{{.*}} -> !llvm.ptr<3>, i8
// CHECK:         %[[BYTES:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT:     nvvm.cp.async.shared
// CHECK:         nvvm.cp.async.commit.group
// CHECK:         nvvm.cp.async.wait.group 2
tile.kernel @copies_units(%x: !X, %i: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %r = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<3x16x16xbf16, swizzle = 32>
  %s = tile_gpu.slice %r[%i] : !tile_gpu.shared<3x16x16xbf16, swizzle = 32> -> !S
  tile_gpu.copy %x[%i, %i] to %s inside [false, true] : !X, !S
  tile_gpu.commit_copies
  tile_gpu.wait_copies 2
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<4x10x768xf32>
!S = !tile_gpu.shared<2x5x12xf32, padding = 8>

// 30 units: the last two threads copy nothing. All of them are in bounds.
// CHECK-LABEL: func.func @leaves_threads_out
// CHECK:         arith.cmpi slt, %{{.*}}, %c30
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
tile.kernel @leaves_threads_out(%x: !X, %i: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  tile_gpu.copy %x[%i, %i, %i] to %s inside [true, true, true] : !X, !S
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<4x505xbf16>
!S = !tile_gpu.shared<1x512xbf16>

// An unaligned row: 64 units in two rounds. The first starts `%f` columns before the row and is fully in bounds; of the
// second, the row's part is copied: whole units, words, or half a word. No copy is partial.
// CHECK-LABEL: func.func @covers
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:           } else {
// CHECK:             scf.if {{.*}} -> (bf16)
// CHECK:               llvm.load {{.*}} -> bf16
// CHECK-COUNT-3:     nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca
// CHECK-NOT:     nvvm.cp.async.shared
tile.kernel @covers(%x: !X, %m: index, %f: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  tile_gpu.copy %x[%m, %c0] to %s covering %f inside [true, true] : !X, !S
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<?x770xbf16>
!S = !tile_gpu.shared<4x16xbf16, swizzle = 32>

// Rows aligned to odd multiples of 4 bytes: 32 units of two elements.
// CHECK-LABEL: func.func @copies_words
// CHECK:         %[[BYTES:.*]] = arith.select %{{.*}}, %c4_i32, %c0_i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %[[BYTES]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT:     nvvm.cp.async.shared
tile.kernel @copies_words(%x: !X, %i: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  tile_gpu.copy %x[%i, %i] to %s inside [false, true] unit 4 : !X, !S
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<?x?xbf16, strides=[768, 1]>
!S = !tile_gpu.shared<16x16xbf16, swizzle = 32>

// Rows may end inside a unit, of which only what is left of the row is read; nothing of rows past the view.
// CHECK-LABEL: func.func @clips_units
// CHECK:         %[[IN:.*]] = arith.cmpi slt
// CHECK:         %[[LEFT:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK:         %[[UNIT:.*]] = arith.minsi %[[LEFT]], %c8
// CHECK:         %[[BYTES:.*]] = arith.muli %[[UNIT]], %c2
// CHECK:         %[[COUNT:.*]] = arith.index_cast %[[BYTES]] : index to i32
// CHECK:         %[[READ:.*]] = arith.select %[[IN]], %[[COUNT]], %c0_i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[READ]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT:     nvvm.cp.async.shared
tile.kernel @clips_units(%x: !X, %i: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  tile_gpu.copy %x[%i, %i] to %s inside [false, false] clipped : !X, !S
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d0:2*32], lanes = [d0:32*1], warps = []>
!S = !tile_gpu.shared<16x32xbf16, swizzle = 64>

// Units at offsets: a thread copies two, eight rows apart. A masked unit is zero.
// CHECK-LABEL: func.func @at_offsets
// CHECK:         %[[FIRST:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[FIRST]]
// CHECK:         %[[SECOND:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[SECOND]]
// CHECK-NOT:     nvvm.cp.async.shared
tile.kernel @at_offsets(%p: !tile.ptr<bf16>, %n: i32) grid launch attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  %o = tile.iota [64] : tensor<64xi32, #l>
  %ns = tile.splat %n [64] : i32 -> tensor<64xi32, #l>
  %at = arith.muli %o, %ns : tensor<64xi32, #l>
  %m = arith.cmpi slt, %o, %ns : tensor<64xi32, #l>
  tile_gpu.copy_at %p[%at] mask(%m : tensor<64xi1, #l>) to %s unit 16 : !tile.ptr<bf16>, tensor<64xi32, #l>, !S
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [], lanes = [d0:16*1, rep:2], warps = []>
!S = !tile_gpu.shared<4x16xbf16>

// Fewer units than threads: one thread copies each.
// CHECK-LABEL: func.func @few_units
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
tile.kernel @few_units(%p: !tile.ptr<bf16>) grid launch attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  %o = tile.iota [16] : tensor<16xi32, #l>
  tile_gpu.copy_at %p[%o] to %s unit 8 : !tile.ptr<bf16>, tensor<16xi32, #l>, !S
}
