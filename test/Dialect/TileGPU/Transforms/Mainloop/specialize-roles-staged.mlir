// Operands that an iteration computes and that wgmma reads from shared memory: all warp groups write them, and each
// multiplies what all have written.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --emit=report 2>&1 | FileCheck %s --check-prefix=REPORT

!V = !tile.view<?x64xbf16>
!T = tensor<64x64xbf16>
!S = tensor<128x64xf32>
!F = tensor<64x64xf32>

// Separate buffers: one warp group may still multiply the keys when another writes the values. One barrier before the
// first write of an iteration, for groups that still multiply the previous iteration's operands.
// CHECK-LABEL: tile.kernel @rotated_keys(
// CHECK:         %[[K:.*]] = tile_gpu.alloc {offset = [[#AT:]] : i64} : !tile_gpu.shared<64x64xbf16, swizzle = 128>
// CHECK-NEXT:    %[[W:.*]] = tile_gpu.alloc {offset = [[#AT + 8192]] : i64} : !tile_gpu.shared<64x64xbf16, swizzle = 128>
// CHECK:       } consumer {
// CHECK:         tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %{{.*}}, %[[K]]
// CHECK-NEXT:    tile_gpu.publish to_all
// CHECK-NEXT:    %[[QK:.*]] = tile_gpu.async_dot %{{.*}}, %[[K]]
// CHECK-NEXT:    tile_gpu.finish_dot %[[QK]]
// CHECK-NOT:     tile_gpu.barrier
// CHECK:         tile_gpu.write %{{.*}}, %[[W]]
// CHECK-NEXT:    tile_gpu.publish to_all
// CHECK-NEXT:    %[[PV:.*]] = tile_gpu.async_dot %{{.*}}, %[[W]] along_n
// CHECK-NEXT:    tile_gpu.finish_dot %[[PV]]
// CHECK:         scf.yield
tile.kernel @rotated_keys(%q: !V, %k: !V, %c: !tile.view<?x64xf32>, %v: !V) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %half = arith.constant dense<0.5> : !F
  %qt = tile.load %q[%m, %c0] [128, 64] : !V -> tensor<128x64xbf16>
  %steps = tile.num_tiles %k, 0 by [64] : !V
  %r = scf.for %j = %c0 to %steps step %c1 iter_args(%o = %z) -> (!S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> !T
    %ct = tile.load %c[%j, %c0] [64, 64] : !tile.view<?x64xf32> -> !F
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> !T
    %kf = tile.cast %kt : !T to !F
    %kr = arith.mulf %kf, %ct : !F
    %kb = tile.cast %kr : !F to !T
    %s = tile.dot %qt, %kb, %z transpose_b : tensor<128x64xbf16>, !T, !S -> !S
    %p = math.exp2 %s : !S
    %pb = tile.cast %p : !S to tensor<128x64xbf16>
    %vf = tile.cast %vt : !T to !F
    %vh = arith.mulf %vf, %half : !F
    %vb = tile.cast %vh : !F to !T
    %n = tile.dot %pb, %vb, %o : tensor<128x64xbf16>, !T, !S -> !S
    scf.yield %n : !S
  }
  tile.store %r, %y[%m, %c0] : !S, !tile.view<?x64xf32>
}

// Two halves of the keys are written together, and multiplied one by one. Groups that write for each other run in
// lockstep: they compute while their dots of the previous iteration run.
// CHECK-LABEL: tile.kernel @halves(
// CHECK:       } consumer {
// CHECK:         scf.for
// CHECK:           %[[PV:.*]] = tile_gpu.async_dot %{{.*}} along_n onto
// CHECK:           tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.write %{{.*}}, %[[A:.*]] : tensor<64x32xbf16
// CHECK-NEXT:      tile_gpu.write %{{.*}}, %[[B:.*]] : tensor<64x32xbf16
// CHECK-NEXT:      tile_gpu.publish to_all
// CHECK-NEXT:      %[[FIRST:.*]] = tile_gpu.async_dot %{{.*}}, %[[A]]
// CHECK-NEXT:      %[[SUM:.*]] = tile_gpu.finish_dot %[[FIRST]]
// CHECK-NEXT:      %[[BOTH:.*]] = tile_gpu.async_dot %{{.*}}, %[[B]] onto %[[SUM]]
// CHECK-NEXT:      tile_gpu.finish_dot %[[BOTH]]
// CHECK:           math.exp2
// CHECK:           tile_gpu.finish_dot %[[PV]]
// CHECK:           scf.yield
tile.kernel @halves(%q: !V, %k: !tile.view<?x32xbf16>, %c: !tile.view<?x32xf32>, %v: !V) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %half = arith.constant dense<0.5> : !S
  %qt = tile.load %q[%m, %c0] [128, 64] : !V -> tensor<128x64xbf16>
  %steps = tile.num_tiles %v, 0 by [64] : !V
  %r = scf.for %j = %c0 to %steps step %c1 iter_args(%o = %z) -> (!S) {
    %kt = tile.load %k[%j, %c0] [64, 32] : !tile.view<?x32xbf16> -> tensor<64x32xbf16>
    %ct = tile.load %c[%j, %c0] [64, 32] : !tile.view<?x32xf32> -> tensor<64x32xf32>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> !T
    %kf = tile.cast %kt : tensor<64x32xbf16> to tensor<64x32xf32>
    %ka = arith.mulf %kf, %ct : tensor<64x32xf32>
    %kb = arith.subf %kf, %ct : tensor<64x32xf32>
    %kr = tile.cat %ka, %kb axis 1 : tensor<64x32xf32>, tensor<64x32xf32> -> !F
    %kc = tile.cast %kr : !F to !T
    %s = tile.dot %qt, %kc, %z transpose_b : tensor<128x64xbf16>, !T, !S -> !S
    %p = math.exp2 %s : !S
    %pb = tile.cast %p : !S to tensor<128x64xbf16>
    %oh = arith.mulf %o, %half : !S
    %n = tile.dot %pb, %vt, %oh : tensor<128x64xbf16>, !T, !S -> !S
    scf.yield %n : !S
  }
  tile.store %r, %y[%m, %c0] : !S, !tile.view<?x64xf32>
}

// A producer would not wait for the block's own stores.
// CHECK-LABEL: tile.kernel @reads_what_it_stores(
// CHECK-NOT:     tile_gpu.roles
// REPORT: main-loop missed: a tile is loaded from an out, which the kernel may store to
tile.kernel @reads_what_it_stores(%x: !V, %w: !tile.view<64x256xbf16>) outs(%h: !V, %y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : !F
  scf.for %j = %c0 to %c4 step %c1 {
    %t = tile.load %x[%j, %c0] [64, 64] : !V -> !T
    %f = arith.addf %t, %t : !T
    tile.store %f, %h[%j, %c0] : !T, !V
  }
  %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%a = %z) -> (!F) {
    %ht = tile.load %h[%j, %c0] [64, 64] : !V -> !T
    %wt = tile.load %w[%c0, %j] [64, 64] : !tile.view<64x256xbf16> -> !T
    %d = tile.dot %wt, %ht, %a : !T, !T, !F -> !F
    scf.yield %d : !F
  }
  tile.store %r, %y[%c0, %c0] : !F, !tile.view<64x64xf32>
}
