// Matmuls in other forms than the library's: all of them become main loops on a target with wgmma, and use mma.sync and
// cp.async on one without.
// RUN: tilegpt-opt %s --tile-gpu-normalize-dots --tile-gpu-swap-operands --tile-gpu-make-plan --tile-gpu-form-mainloop | FileCheck %s
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=HOPPER
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=AMPERE

!A = !tile.view<1024x512xbf16>
!B = !tile.view<1024x512xbf16>
!BT = !tile.view<512x1024xbf16>
!C = !tile.view<1024x1024xbf16>
!TA = tensor<128x64xbf16>
!TB = tensor<128x64xbf16>
!TBT = tensor<64x128xbf16>
!S = tensor<128x128xf32>

// The product is added after the dot.
// CHECK-LABEL: tile.kernel @added(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_added(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_added(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @added(%a: !A, %b: !B) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %w = tile.load %b[%n, %k] [128, 64] : !B -> !TB
    %p = tile.dot %x, %w, %z transpose_b : !TA, !TB, !S -> !S
    %d = arith.addf %acc, %p : !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// x·wᵀ.
// CHECK-LABEL: tile.kernel @as_the_library(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_as_the_library(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_as_the_library(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @as_the_library(%a: !A, %b: !B) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %w = tile.load %b[%n, %k] [128, 64] : !B -> !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// xᵀ·w.
// CHECK-LABEL: tile.kernel @both_across(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_both_across(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_both_across(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @both_across(%a: !tile.view<512x1024xbf16>, %b: !BT) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%k, %m] [64, 128] : !tile.view<512x1024xbf16> -> !TBT
    %w = tile.load %b[%k, %n] [64, 128] : !BT -> !TBT
    %d = tile.dot %x, %w, %acc transpose_a : !TBT, !TBT, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// The rhs is computed.
// CHECK-LABEL: tile.kernel @converted(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_converted(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_converted(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @converted(%a: !A, %b: !tile.view<1024x512xi8>) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.0625> : tensor<128x64xf32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %q = tile.load %b[%n, %k] [128, 64] : !tile.view<1024x512xi8> -> tensor<128x64xi8>
    %f = arith.sitofp %q : tensor<128x64xi8> to tensor<128x64xf32>
    %s = arith.mulf %f, %sc : tensor<128x64xf32>
    %w = tile.cast %s : tensor<128x64xf32> to !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// The rhs is loaded with an axis order.
// CHECK-LABEL: tile.kernel @ordered(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_ordered(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_ordered(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @ordered(%a: !A, %b: !BT) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %w = tile.load %b[%k, %n] [128, 64] order [1, 0] : !BT -> !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// The lhs is computed.
// CHECK-LABEL: tile.kernel @rectified(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_rectified(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_rectified(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @rectified(%a: !A, %b: !B) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %zh = arith.constant dense<0.0> : !TA
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x0 = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %x = arith.maximumf %x0, %zh : !TA
    %w = tile.load %b[%n, %k] [128, 64] : !B -> !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// x·w.
// CHECK-LABEL: tile.kernel @right_across(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_right_across(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_right_across(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @right_across(%a: !A, %b: !BT) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %w = tile.load %b[%k, %n] [64, 128] : !BT -> !TBT
    %d = tile.dot %x, %w, %acc : !TA, !TBT, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// The rhs comes from a transposed view.
// CHECK-LABEL: tile.kernel @transposed_view(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_transposed_view(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_transposed_view(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @transposed_view(%a: !A, %b0: !BT) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %b = tile.transpose %b0 [1, 0] : !BT -> !tile.view<1024x512xbf16, strides=[1, 1024]>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %w = tile.load %b[%n, %k] [128, 64] : !tile.view<1024x512xbf16, strides=[1, 1024]> -> !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// Two products share an operand.
// CHECK-LABEL: tile.kernel @two_products(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_two_products(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_two_products(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @two_products(%a: !A, %b: !B, %g: !B) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r, %q = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z, %acc2 = %z) -> (!S, !S) {
    %x = tile.load %a[%m, %k] [128, 64] : !A -> !TA
    %w = tile.load %b[%n, %k] [128, 64] : !B -> !TB
    %v = tile.load %g[%n, %k] [128, 64] : !B -> !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    %e = tile.dot %x, %v, %acc2 transpose_b : !TA, !TB, !S -> !S
    scf.yield %d, %e : !S, !S
  }
  %one = arith.constant dense<1.0> : !S
  %neg = arith.negf %q : !S
  %ex = math.exp %neg : !S
  %den = arith.addf %ex, %one : !S
  %si = arith.divf %q, %den : !S
  %sum = arith.mulf %r, %si : !S
  %o = tile.cast %sum : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// Two steps per iteration.
// CHECK-LABEL: tile.kernel @unrolled(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_unrolled(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_unrolled(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @unrolled(%a: !A, %b: !B) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (!S) {
    %k2 = arith.muli %k, %c2 : index
    %k3 = arith.addi %k2, %c1 : index
    %x = tile.load %a[%m, %k2] [128, 64] : !A -> !TA
    %w = tile.load %b[%n, %k2] [128, 64] : !B -> !TB
    %x2 = tile.load %a[%m, %k3] [128, 64] : !A -> !TA
    %w2 = tile.load %b[%n, %k3] [128, 64] : !B -> !TB
    %p = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    %d = tile.dot %x2, %w2, %p transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}

// The lhs is a window.
// CHECK-LABEL: tile.kernel @window(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     scf.for
// HOPPER-LABEL: .entry kernel_window(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_window(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @window(%a0: !tile.view<1024x1536xbf16>, %b: !B) outs(%y: !C) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %a = tile.subview %a0[0, 512] [1024, 512] : !tile.view<1024x1536xbf16> -> !tile.view<1024x512xbf16, strides=[1536, 1]>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !tile.view<1024x512xbf16, strides=[1536, 1]> -> !TA
    %w = tile.load %b[%n, %k] [128, 64] : !B -> !TB
    %d = tile.dot %x, %w, %acc transpose_b : !TA, !TB, !S -> !S
    scf.yield %d : !S
  }
  %o = tile.cast %r : !S to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !C
}
