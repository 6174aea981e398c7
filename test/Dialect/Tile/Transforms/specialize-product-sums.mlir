// RUN: tilegpt-opt %s --tile-specialize --split-input-file | FileCheck %s

!V = !tile.view<?x?xbf16>
!F = !tile.view<?x?xf32>

// Sums of products of two spread matrices are dots, which add to what a loop carries.
// CHECK-LABEL: tile.kernel @rows(
// CHECK:       scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}})
// CHECK-DAG:     %[[X:.*]] = tile.load %arg0
// CHECK-DAG:     %[[W:.*]] = tile.load %arg1
// CHECK-NOT:     tile.broadcast
// CHECK:         %[[D:.*]] = tile.dot %[[X]], %[[W]], %[[S]] transpose_b : tensor<4x32xbf16>, tensor<16x32xbf16>, tensor<4x16xf32>
// CHECK-NEXT:    scf.yield %[[D]]
tile.kernel @rows(%x: !V, %w: !V) outs(%y: !F) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [32] : !V
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x16xf32>) {
    %xt = tile.load %x[%c0, %k] [4, 32] : !V -> tensor<4x32xbf16>
    %wt = tile.load %w[%c0, %k] [16, 32] : !V -> tensor<16x32xbf16>
    %xf = tile.cast %xt : tensor<4x32xbf16> to tensor<4x32xf32>
    %xe = tile.expand_dims %xf, 1 : tensor<4x32xf32> -> tensor<4x1x32xf32>
    %xb = tile.broadcast %xe [4, 16, 32] : tensor<4x1x32xf32> -> tensor<4x16x32xf32>
    %wb = tile.broadcast %wt [4, 16, 32] : tensor<16x32xbf16> -> tensor<4x16x32xbf16>
    %wf = tile.cast %wb : tensor<4x16x32xbf16> to tensor<4x16x32xf32>
    %p = arith.mulf %wf, %xb : tensor<4x16x32xf32>
    %r = tile.reduce add %p axis 2 : tensor<4x16x32xf32> -> tensor<4x16xf32>
    %more = arith.addf %s, %r : tensor<4x16xf32>
    scf.yield %more : tensor<4x16xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x16xf32>, !F
}

// -----

!V = !tile.view<?x?xf16>
!F = !tile.view<?x?xf32>

// The first axis is summed: both matrices lie transposed.
// CHECK-LABEL: tile.kernel @depth_first(
// CHECK:       %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<8x16xf32>
// CHECK:       %[[D:.*]] = tile.dot %[[A:.*]], %[[B:.*]], %[[ZERO]] transpose_a : tensor<32x8xf16>, tensor<32x16xf16>, tensor<8x16xf32>
// CHECK:       arith.negf %[[D]]
tile.kernel @depth_first(%a: !V, %b: !V) outs(%y: !F) grid [1] {
  %c0 = arith.constant 0 : index
  %at = tile.load %a[%c0, %c0] [32, 8] : !V -> tensor<32x8xf16>
  %bt = tile.load %b[%c0, %c0] [32, 16] : !V -> tensor<32x16xf16>
  %af = arith.extf %at : tensor<32x8xf16> to tensor<32x8xf32>
  %bf = arith.extf %bt : tensor<32x16xf16> to tensor<32x16xf32>
  %ae = tile.expand_dims %af, 2 : tensor<32x8xf32> -> tensor<32x8x1xf32>
  %be = tile.expand_dims %bf, 1 : tensor<32x16xf32> -> tensor<32x1x16xf32>
  %ab = tile.broadcast %ae [32, 8, 16] : tensor<32x8x1xf32> -> tensor<32x8x16xf32>
  %bb = tile.broadcast %be [32, 8, 16] : tensor<32x1x16xf32> -> tensor<32x8x16xf32>
  %p = arith.mulf %ab, %bb : tensor<32x8x16xf32>
  %r = tile.reduce add %p axis 0 : tensor<32x8x16xf32> -> tensor<8x16xf32>
  %n = arith.negf %r : tensor<8x16xf32>
  tile.store %n, %y[%c0, %c0] : tensor<8x16xf32>, !F
}

// -----

!V = !tile.view<?x?xbf16>
!W = !tile.view<?x?xf32>

// Not products of f32, maxima, products that are rounded, of one row, or summed along an axis that only one matrix has.
// CHECK-LABEL: tile.kernel @others(
// CHECK-NOT:   tile.dot
// CHECK-COUNT-5: tile.reduce
// CHECK-NOT:   tile.dot
tile.kernel @others(%x: !V, %w: !V, %v: !W) outs(%y: !W) grid [1] {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] [4, 32] : !V -> tensor<4x32xbf16>
  %w0 = tile.load %w[%c0, %c0] [16, 32] : !V -> tensor<16x32xbf16>
  %v0 = tile.load %v[%c0, %c0] [16, 32] : !W -> tensor<16x32xf32>
  %xe = tile.expand_dims %x0, 1 : tensor<4x32xbf16> -> tensor<4x1x32xbf16>
  %xb = tile.broadcast %xe [4, 16, 32] : tensor<4x1x32xbf16> -> tensor<4x16x32xbf16>
  %wb = tile.broadcast %w0 [4, 16, 32] : tensor<16x32xbf16> -> tensor<4x16x32xbf16>
  %vb = tile.broadcast %v0 [4, 16, 32] : tensor<16x32xf32> -> tensor<4x16x32xf32>
  %xf = tile.cast %xb : tensor<4x16x32xbf16> to tensor<4x16x32xf32>
  %wf = tile.cast %wb : tensor<4x16x32xbf16> to tensor<4x16x32xf32>
  %of_f32 = arith.mulf %xf, %vb : tensor<4x16x32xf32>
  %product = arith.mulf %xf, %wf : tensor<4x16x32xf32>
  %narrow = arith.mulf %xb, %wb : tensor<4x16x32xbf16>
  %rounded = tile.cast %narrow : tensor<4x16x32xbf16> to tensor<4x16x32xf32>
  %r0 = tile.reduce add %of_f32 axis 2 : tensor<4x16x32xf32> -> tensor<4x16xf32>
  %r1 = tile.reduce max %product axis 2 : tensor<4x16x32xf32> -> tensor<4x16xf32>
  %r2 = tile.reduce add %rounded axis 2 : tensor<4x16x32xf32> -> tensor<4x16xf32>
  %r3 = tile.reduce add %product axis 0 : tensor<4x16x32xf32> -> tensor<16x32xf32>
  %x1 = tile.load %x[%c0, %c0] [1, 32] : !V -> tensor<1x32xbf16>
  %xb1 = tile.expand_dims %x1, 1 : tensor<1x32xbf16> -> tensor<1x1x32xbf16>
  %xr = tile.broadcast %xb1 [1, 16, 32] : tensor<1x1x32xbf16> -> tensor<1x16x32xbf16>
  %wr = tile.broadcast %w0 [1, 16, 32] : tensor<16x32xbf16> -> tensor<1x16x32xbf16>
  %xrf = tile.cast %xr : tensor<1x16x32xbf16> to tensor<1x16x32xf32>
  %wrf = tile.cast %wr : tensor<1x16x32xbf16> to tensor<1x16x32xf32>
  %one = arith.mulf %xrf, %wrf : tensor<1x16x32xf32>
  %r4 = tile.reduce add %one axis 2 : tensor<1x16x32xf32> -> tensor<1x16xf32>
  %s0 = arith.addf %r0, %r1 : tensor<4x16xf32>
  %s1 = arith.addf %s0, %r2 : tensor<4x16xf32>
  tile.store %s1, %y[%c0, %c0] : tensor<4x16xf32>, !W
  tile.store %r3, %y[%c0, %c0] : tensor<16x32xf32>, !W
  tile.store %r4, %y[%c0, %c0] : tensor<1x16xf32>, !W
}
