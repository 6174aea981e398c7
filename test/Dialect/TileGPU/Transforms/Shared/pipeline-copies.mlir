// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-pipeline-copies))' --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>
!X = !tile.view<?x768xbf16>
!W = !tile.view<8x768xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// Two iterations ahead: two groups before the loop, one per iteration, and one may be in flight when an iteration
// starts.
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
!X = !tile.view<?x769xbf16>
!W = !tile.view<8x768xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// Rows of 769 elements are not aligned to 4 bytes: x is not copied asynchronously and keeps its barriers; w is.
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

// A block of sm_86 has room for three stages of 32 KB.
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

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2>
#k = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
!K = !tile.view<?x64xf32>

// A tile that threads compute with has its own ring, even if the kernel writes other parts of the view.
// CHECK-LABEL: tile.kernel @read_by_threads
// CHECK-NEXT:    grid
// CHECK-NEXT:    %[[RING:.*]] = tile_gpu.alloc : !tile_gpu.shared<2x8x64xf32>
// CHECK:         %[[OLD:.*]] = tile.subview %arg1
// CHECK:         scf.if
// CHECK:           tile_gpu.copy %[[OLD]]
// CHECK:         tile_gpu.commit_copies
// CHECK:         scf.for
// CHECK:           tile_gpu.wait_copies 0
// CHECK-NEXT:      tile_gpu.barrier
// CHECK:           tile_gpu.copy %[[OLD]]
// CHECK:           tile_gpu.commit_copies
// CHECK:           %[[SLOT:.*]] = tile_gpu.slice %[[RING]]
// CHECK:           tile_gpu.read %[[SLOT]]
// CHECK-NOT:       tile.load
tile.kernel @read_by_threads(%x: !K) outs(%k: !K, %y: !K) grid [dim(%x, 0)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<8x64xf32, #k>
  %old = tile.subview %k[0, 0] [%p, 64] : !K -> !K
  %new = tile.subview %k[%p, 0] [1, 64] : !K -> !tile.view<1x64xf32>
  tile.store %zero, %new[%c0, %c0] : tensor<8x64xf32, #k>, !tile.view<1x64xf32>
  %n = tile.num_tiles %old, 0 by [8] : !K
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x64xf32, #k>) {
    %t = tile.load %old[%j, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
    %r = arith.addf %acc, %t : tensor<8x64xf32, #k>
    scf.yield %r : tensor<8x64xf32, #k>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x64xf32, #k>, !K
}

// A window that ends where the written one starts: its size is the difference of the two offsets.
// CHECK-LABEL: tile.kernel @ends_where_written
// CHECK:         %[[OLD:.*]] = tile.subview %arg2
// CHECK:         tile_gpu.copy %[[OLD]]
// CHECK-NOT:     tile.load
tile.kernel @ends_where_written(%x: !K, %w: index) outs(%k: !K, %y: !K) grid [dim(%x, 0)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<8x64xf32, #k>
  %size = arith.subi %p, %w : index
  %old = tile.subview %k[%w, 0] [%size, 64] : !K -> !K
  %new = tile.subview %k[%p, 0] [1, 64] : !K -> !tile.view<1x64xf32>
  tile.store %zero, %new[%c0, %c0] : tensor<8x64xf32, #k>, !tile.view<1x64xf32>
  %n = tile.num_tiles %old, 0 by [8] : !K
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x64xf32, #k>) {
    %t = tile.load %old[%j, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
    %r = arith.addf %acc, %t : tensor<8x64xf32, #k>
    scf.yield %r : tensor<8x64xf32, #k>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x64xf32, #k>, !K
}

// A window of that size with another start.
// CHECK-LABEL: tile.kernel @ends_elsewhere
// CHECK-NOT:     tile_gpu.copy
tile.kernel @ends_elsewhere(%x: !K, %w: index) outs(%k: !K, %y: !K) grid [dim(%x, 0)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<8x64xf32, #k>
  %size = arith.subi %p, %w : index
  %old = tile.subview %k[%size, 0] [%size, 64] : !K -> !K
  %new = tile.subview %k[%p, 0] [1, 64] : !K -> !tile.view<1x64xf32>
  tile.store %zero, %new[%c0, %c0] : tensor<8x64xf32, #k>, !tile.view<1x64xf32>
  %n = tile.num_tiles %old, 0 by [8] : !K
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x64xf32, #k>) {
    %t = tile.load %old[%j, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
    %r = arith.addf %acc, %t : tensor<8x64xf32, #k>
    scf.yield %r : tensor<8x64xf32, #k>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x64xf32, #k>, !K
}

// Data that the kernel may have written is loaded where it is used.
// CHECK-LABEL: tile.kernel @may_have_written
// CHECK-NOT:     tile_gpu.copy
tile.kernel @may_have_written(%x: !K) outs(%k: !K, %y: !K) grid [dim(%x, 0)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x64xf32, #k>
  tile.store %zero, %k[%c0, %c0] : tensor<8x64xf32, #k>, !K
  %n = tile.num_tiles %k, 0 by [8] : !K
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x64xf32, #k>) {
    %t = tile.load %k[%j, %c0] [8, 64] : !K -> tensor<8x64xf32, #k>
    %r = arith.addf %acc, %t : tensor<8x64xf32, #k>
    scf.yield %r : tensor<8x64xf32, #k>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x64xf32, #k>, !K
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2>
#k = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
!K = !tile.view<?x64xi1>

// Tiles of i1 take a byte an element.
// CHECK-LABEL: tile.kernel @truths_read_by_threads
// CHECK:         scf.for
// CHECK:           tile_gpu.copy %arg0{{.*}} !tile_gpu.shared<8x64xi1>
// CHECK:           tile_gpu.read
// CHECK-NOT:       tile.load
tile.kernel @truths_read_by_threads(%x: !K) outs(%y: !K) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<false> : tensor<8x64xi1, #k>
  %n = tile.num_tiles %x, 0 by [8] : !K
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %none) -> (tensor<8x64xi1, #k>) {
    %t = tile.load %x[%j, %c0] [8, 64] : !K -> tensor<8x64xi1, #k>
    %r = arith.xori %acc, %t : tensor<8x64xi1, #k>
    scf.yield %r : tensor<8x64xi1, #k>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x64xi1, #k>, !K
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>

// Rows of whole units of 8 or 4 bytes: copies of that size, which end with the row.
// CHECK-LABEL: tile.kernel @words_of_eight
// CHECK:         tile_gpu.copy {{.*}} inside [false, false] unit 8
// CHECK:         tile_gpu.copy {{.*}} inside [true, false] unit 8
tile.kernel @words_of_eight(%x: !tile.view<?x764xbf16>, %w: !tile.view<8x764xbf16>, %s: f32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !tile_gpu.shared<16x16xbf16, swizzle = 32>
  %sb = tile_gpu.alloc : !tile_gpu.shared<8x16xbf16, swizzle = 32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %m = tile.block_id 0
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %xt = tile.load %x[%m, %k] [16, 16] : !tile.view<?x764xbf16> -> tensor<16x16xbf16, #a>
    %wt = tile.load %w[%c0, %k] [8, 16] : !tile.view<8x764xbf16> -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %xt, %sa : tensor<16x16xbf16, #a>, !tile_gpu.shared<16x16xbf16, swizzle = 32>
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !tile_gpu.shared<8x16xbf16, swizzle = 32>
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !tile_gpu.shared<16x16xbf16, swizzle = 32>, !tile_gpu.shared<8x16xbf16, swizzle = 32>, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// CHECK-LABEL: tile.kernel @words_of_four
// CHECK:         tile_gpu.copy {{.*}} unit 4
// CHECK:         tile_gpu.copy {{.*}} unit 4
tile.kernel @words_of_four(%x: !tile.view<?x766xbf16>, %w: !tile.view<8x766xbf16>, %s: f32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !tile_gpu.shared<16x16xbf16, swizzle = 32>
  %sb = tile_gpu.alloc : !tile_gpu.shared<8x16xbf16, swizzle = 32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %m = tile.block_id 0
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %xt = tile.load %x[%m, %k] [16, 16] : !tile.view<?x766xbf16> -> tensor<16x16xbf16, #a>
    %wt = tile.load %w[%c0, %k] [8, 16] : !tile.view<8x766xbf16> -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %xt, %sa : tensor<16x16xbf16, #a>, !tile_gpu.shared<16x16xbf16, swizzle = 32>
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !tile_gpu.shared<8x16xbf16, swizzle = 32>
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !tile_gpu.shared<16x16xbf16, swizzle = 32>, !tile_gpu.shared<8x16xbf16, swizzle = 32>, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>
!X = !tile.view<?x?xbf16, strides=[768, 1]>
!W = !tile.view<8x?xbf16, strides=[764, 1]>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// Rows of any length that begin at multiples of 16 and 8 bytes: their last unit is cut.
// CHECK-LABEL: tile.kernel @clips_rows
// CHECK:         tile_gpu.copy {{.*}} inside [false, false] clipped
// CHECK-NEXT:    tile_gpu.slice
// CHECK-NEXT:    tile_gpu.copy {{.*}} inside [true, false] unit 8 clipped
tile.kernel @clips_rows(%x: !X, %w: !W, %s: f32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tile.block_id 0
  %k1 = tile.num_tiles %x, 1 by [16] : !X
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %c0 to %k1 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
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
!X = !tile.view<?x768xbf16>
!W = !tile.view<8x768xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// A loop over a part of K that begins where an integer says, which may be negative: tiles before the start are zero, as are
// those behind the end.
// CHECK-LABEL: tile.kernel @begins_anywhere
// CHECK:         scf.for %[[K:[^ ]*]] =
// CHECK:           %[[AHEAD:.*]] = arith.addi %[[K]], %c2
// CHECK:           scf.if
// CHECK:             %[[END:.*]] = tile.num_tiles %{{.*}}, 1 by [16]
// CHECK:             %[[PLACE:.*]] = arith.minui %[[AHEAD]], %[[END]]
// CHECK:             tile_gpu.copy %{{.*}}[%{{.*}}, %[[PLACE]]] {{.*}} inside [false, false]
// CHECK:             tile_gpu.copy
tile.kernel @begins_anywhere(%x: !X, %w: !W, %s: f32, %from: i32) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %m = tile.block_id 0
  %first = arith.index_cast %from : i32 to index
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %first to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
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
