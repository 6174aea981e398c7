// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-pipeline-copies))' --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>
!X = !tile.view<?x768xbf16>
!W = !tile.view<8x768xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// Two trips ahead: two groups before the loop, one each trip, and one may be on its way when a trip begins.
// CHECK-LABEL: tile.kernel @copies_ahead
// CHECK-DAG:     %[[RA:.*]] = tile_gpu.alloc : !tile_gpu.shared<3x16x16xbf16, swizzle = 32>
// CHECK-DAG:     %[[RB:.*]] = tile_gpu.alloc : !tile_gpu.shared<3x8x16xbf16, swizzle = 32>
// CHECK:         tile_gpu.barrier
// CHECK:         scf.if
// CHECK:           tile_gpu.copy {{.*}} inside [false, true]
// CHECK:           tile_gpu.copy {{.*}} inside [true, true]
// CHECK:         tile_gpu.commit_copies
// CHECK:         scf.if
// CHECK:         tile_gpu.commit_copies
// CHECK:         scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = {{.*}}, %[[READ:.*]] = %c0{{.*}}, %[[FILL:.*]] = %c2{{.*}})
// CHECK-NEXT:      tile_gpu.wait_copies 1
// CHECK-NEXT:      tile_gpu.barrier
// CHECK:           %[[AHEAD:.*]] = arith.addi %[[K]], %c2
// CHECK:           arith.cmpi slt, %[[AHEAD]], %c48
// CHECK:           scf.if
// CHECK:             %[[FA:.*]] = tile_gpu.slice %[[RA]][%[[FILL]]]
// CHECK:             tile_gpu.copy %{{.*}}[%{{.*}}, %[[AHEAD]]] to %[[FA]]
// CHECK:           tile_gpu.commit_copies
// CHECK:           %[[SA:.*]] = tile_gpu.slice %[[RA]][%[[READ]]]
// CHECK:           %[[SB:.*]] = tile_gpu.slice %[[RB]][%[[READ]]]
// CHECK-NEXT:      tile_gpu.dot %[[SA]], %[[SB]], %[[ACC]]
// CHECK-NOT:       tile.load
// CHECK-NOT:       tile_gpu.barrier
// CHECK:           scf.yield
tile.kernel @copies_ahead(%x: !X, %w: !W, %s: f32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %m = tile.block_id 0
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %xt = tile.load %x[%m, %k] [16, 16] : !X -> tensor<16x16xbf16, #a>
    %wt = tile.load %w[%c0, %k] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %xt, %sa : tensor<16x16xbf16, #a>, !A
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>
!X = !tile.view<?x770xbf16>
!W = !tile.view<8x768xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// Rows of 770 elements are not aligned to 16 bytes: x keeps its way, and its barriers; w is copied ahead.
// CHECK-LABEL: tile.kernel @leaves_what_is_not_aligned
// CHECK:         scf.for
// CHECK:           tile_gpu.wait_copies 1
// CHECK-NEXT:      tile_gpu.barrier
// CHECK:           %[[X:.*]] = tile.load
// CHECK:           tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.write %[[X]]
// CHECK-NEXT:      tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.dot
tile.kernel @leaves_what_is_not_aligned(%x: !X, %w: !W, %s: f32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %m = tile.block_id 0
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %xt = tile.load %x[%m, %k] [16, 16] : !X -> tensor<16x16xbf16, #a>
    %wt = tile.load %w[%c0, %k] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %xt, %sa : tensor<16x16xbf16, #a>, !A
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_86", warps = 4, stages = 6>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8, d0:4*16], lanes = [d1:4*2, d0:8*1], warps = [d0:2*64, d1:2*64]>
#a = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
!X = !tile.view<128x768xbf16>
!A = !tile_gpu.shared<128x64xbf16, swizzle = 128>

// Three stages of 32 KB are what a block of sm_86 has room for.
// CHECK-LABEL: tile.kernel @takes_as_many_stages_as_fit
// CHECK-COUNT-2: tile_gpu.alloc : !tile_gpu.shared<3x128x64xbf16, swizzle = 128>
tile.kernel @takes_as_many_stages_as_fit(%x: !X, %s: f32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !A
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %z = tile.splat %s [128, 128] : f32 -> tensor<128x128xf32, #acc>
  %r = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %z) -> tensor<128x128xf32, #acc> {
    %xt = tile.load %x[%c0, %k] [128, 64] : !X -> tensor<128x64xbf16, #a>
    %wt = tile.load %x[%c0, %k] [128, 64] : !X -> tensor<128x64xbf16, #a>
    tile_gpu.barrier
    tile_gpu.write %xt, %sa : tensor<128x64xbf16, #a>, !A
    tile_gpu.write %wt, %sb : tensor<128x64xbf16, #a>, !A
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !A, tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
}

// -----

#row = #tile_gpu.layout<registers = [d1:25*32], lanes = [d1:32*1], warps = []>
#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
!X = !tile.view<?x799xbf16>
!S = !tile_gpu.shared<1x808xbf16>

// A row that is read, not multiplied, and has a column in its buffer: the units around it are copied.
// CHECK-LABEL: tile.kernel @odd_rows
// CHECK:         %[[R:.*]] = tile_gpu.alloc : !tile_gpu.shared<3x1x808xbf16>
// CHECK:         tile_gpu.copy {{.*}} covering
// CHECK:         scf.for
// CHECK:           tile_gpu.copy {{.*}} covering
// CHECK:           %[[S:.*]] = tile_gpu.slice %[[R]]
// CHECK:           tile_gpu.read %[[S]] column
// CHECK-NOT:       tile.load
// CHECK:           tile.store
tile.kernel @odd_rows(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc : !S
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %n = tile.num_blocks 0
  %w = tile_gpu.worker
  %step = tile_gpu.num_workers
  scf.for %m = %w to %n step %step {
    %k0 = arith.muli %m, %c7 : index
    %k = arith.remui %k0, %c8 : index
    %t = tile.load %x[%m, %c0] [1, 799] : !X -> tensor<1x799xbf16, #row>
    tile_gpu.barrier
    tile_gpu.write %t, %s column %k : tensor<1x799xbf16, #row>, !S
    tile_gpu.barrier
    %r = tile_gpu.read %s column %k : !S -> tensor<1x799xbf16, #row>
    tile.store %r, %y[%m, %c0] : tensor<1x799xbf16, #row>, !X
  }
}
