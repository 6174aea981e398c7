// RUN: tilegpt-opt %s --tile-gpu-scale-after-loop | FileCheck %s

// All iterations share the scales of converted weights: they multiply the sum.
// CHECK-LABEL: tile.kernel @weights(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           %[[B:.*]] = tile.load %{{.*}} -> tensor<32x64xi8>
// CHECK:           %[[W:.*]] = arith.sitofp %[[B]] : tensor<32x64xi8> to tensor<32x64xf16>
// CHECK:           tile.dot %{{.*}}, %[[W]], %{{.*}} transpose_b
// CHECK:         %[[L:.*]] = tile.load %{{.*}} [32] :
// CHECK:         %[[E:.*]] = tile.expand_dims %[[L]], 1
// CHECK:         %[[P:.*]] = tile.permute %[[E]] [1, 0] : tensor<32x1xf32> -> tensor<1x32xf32>
// CHECK:         %[[S:.*]] = tile.broadcast %[[P]] [64, 32]
// CHECK:         %[[Y:.*]] = arith.mulf %[[SUM]], %[[S]] : tensor<64x32xf32>
// CHECK:         tile.store %[[Y]]
tile.kernel @weights(%x: !tile.view<64x?xf16>, %w: !tile.view<?x?xi8>, %s: !tile.view<?xf32>, %n: index) outs(%y: !tile.view<64x?xf32>) grid [4] {
  %j = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x32xf32>) {
    %xt = tile.load %x[%c0, %k] [64, 64] : !tile.view<64x?xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%j, %k] [32, 64] : !tile.view<?x?xi8> -> tensor<32x64xi8>
    %f = arith.sitofp %b : tensor<32x64xi8> to tensor<32x64xf32>
    %sl = tile.load %s[%j] [32] : !tile.view<?xf32> -> tensor<32xf32>
    %s1 = tile.expand_dims %sl, 1 : tensor<32xf32> -> tensor<32x1xf32>
    %sb = tile.broadcast %s1 [32, 64] : tensor<32x1xf32> -> tensor<32x64xf32>
    %p = arith.mulf %f, %sb : tensor<32x64xf32>
    %wt = arith.truncf %p : tensor<32x64xf32> to tensor<32x64xf16>
    %d = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  tile.store %r, %y[%c0, %j] : tensor<64x32xf32>, !tile.view<64x?xf32>
}

// Rows of the left operand, in its type; scales of 16 bits; a product [K, N].
// CHECK-LABEL: tile.kernel @both_sides(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64xf16>, tensor<64x32xf16>
// CHECK:         %[[RB:.*]] = tile.broadcast %{{.*}} [64, 32] : tensor<1x32xf32>
// CHECK:         %[[R:.*]] = arith.mulf %[[SUM]], %[[RB]]
// CHECK:         %[[LF:.*]] = tile.cast %{{.*}} : tensor<64x1xf16> to tensor<64x1xf32>
// CHECK:         %[[LB:.*]] = tile.broadcast %[[LF]] [64, 32]
// CHECK:         arith.mulf %[[R]], %[[LB]]
tile.kernel @both_sides(%x: !tile.view<64x?xf16>, %w: !tile.view<?x32xf16>, %s: !tile.view<64x1xf16>, %t: !tile.view<1x32xf32>, %n: index) outs(%y: !tile.view<64x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %sl = tile.load %s[%c0, %c0] [64, 1] : !tile.view<64x1xf16> -> tensor<64x1xf16>
  %sb = tile.broadcast %sl [64, 64] : tensor<64x1xf16> -> tensor<64x64xf16>
  %tl = tile.load %t[%c0, %c0] [1, 32] : !tile.view<1x32xf32> -> tensor<1x32xf32>
  %tb = tile.broadcast %tl [64, 32] : tensor<1x32xf32> -> tensor<64x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x32xf32>) {
    %x0 = tile.load %x[%c0, %k] [64, 64] : !tile.view<64x?xf16> -> tensor<64x64xf16>
    %xt = arith.mulf %sb, %x0 : tensor<64x64xf16>
    %w0 = tile.load %w[%k, %c0] [64, 32] : !tile.view<?x32xf16> -> tensor<64x32xf16>
    %wf = tile.cast %w0 : tensor<64x32xf16> to tensor<64x32xf32>
    %p = arith.mulf %wf, %tb : tensor<64x32xf32>
    %wt = tile.cast %p : tensor<64x32xf32> to tensor<64x32xf16>
    %d = tile.dot %xt, %wt, %acc : tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// Scales of an iteration; along the depth; of a tile that 16 bits would round;
// a sum that does not start at zero.
// CHECK-LABEL: tile.kernel @own_scales(
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT:     arith.mulf
tile.kernel @own_scales(%x: !tile.view<64x?xf16>, %s: !tile.view<64x?xf32>, %t: !tile.view<1x64xf32>, %v: !tile.view<64x?xf32>, %w: !tile.view<32x?xf16>, %n: index, %start: f32) outs(%y: !tile.view<64x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %first = tile.splat %start [64, 32] : f32 -> tensor<64x32xf32>
  %own = tile.load %s[%c0, %c0] [64, 1] : !tile.view<64x?xf32> -> tensor<64x1xf32>
  %ownb = tile.broadcast %own [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %tl = tile.load %t[%c0, %c0] [1, 64] : !tile.view<1x64xf32> -> tensor<1x64xf32>
  %tb = tile.broadcast %tl [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %r:4 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z, %b = %z, %c = %z, %e = %first) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
    %x0 = tile.load %x[%c0, %k] [64, 64] : !tile.view<64x?xf16> -> tensor<64x64xf16>
    %xf = tile.cast %x0 : tensor<64x64xf16> to tensor<64x64xf32>
    %w0 = tile.load %w[%c0, %k] [32, 64] : !tile.view<32x?xf16> -> tensor<32x64xf16>
    %sl = tile.load %s[%c0, %k] [64, 1] : !tile.view<64x?xf32> -> tensor<64x1xf32>
    %sb = tile.broadcast %sl [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %wide = tile.load %v[%c0, %k] [64, 64] : !tile.view<64x?xf32> -> tensor<64x64xf32>
    %p0 = arith.mulf %xf, %sb : tensor<64x64xf32>
    %p1 = arith.mulf %xf, %tb : tensor<64x64xf32>
    %p2 = arith.mulf %wide, %ownb : tensor<64x64xf32>
    %p3 = arith.mulf %xf, %ownb : tensor<64x64xf32>
    %q0 = tile.cast %p0 : tensor<64x64xf32> to tensor<64x64xf16>
    %q1 = tile.cast %p1 : tensor<64x64xf32> to tensor<64x64xf16>
    %q2 = tile.cast %p2 : tensor<64x64xf32> to tensor<64x64xf16>
    %q3 = tile.cast %p3 : tensor<64x64xf32> to tensor<64x64xf16>
    %d0 = tile.dot %q0, %w0, %a transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %d1 = tile.dot %q1, %w0, %b transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %d2 = tile.dot %q2, %w0, %c transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %d3 = tile.dot %q3, %w0, %e transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %d0, %d1, %d2, %d3 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
  %s0 = arith.addf %r#0, %r#1 : tensor<64x32xf32>
  %s1 = arith.addf %r#2, %r#3 : tensor<64x32xf32>
  %s2 = arith.addf %s0, %s1 : tensor<64x32xf32>
  tile.store %s2, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// The loop stores what it scales.
// CHECK-LABEL: tile.kernel @stores(
// CHECK:         scf.for
// CHECK:           arith.mulf
// CHECK:         }
// CHECK-NOT:     arith.mulf
tile.kernel @stores(%x: !tile.view<64x?xf16>, %s: !tile.view<64x1xf16>, %w: !tile.view<32x?xf16>, %n: index) outs(%u: !tile.view<64x?xf16>, %y: !tile.view<64x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %sl = tile.load %s[%c0, %c0] [64, 1] : !tile.view<64x1xf16> -> tensor<64x1xf16>
  %sb = tile.broadcast %sl [64, 64] : tensor<64x1xf16> -> tensor<64x64xf16>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64x32xf32>) {
    %x0 = tile.load %x[%c0, %k] [64, 64] : !tile.view<64x?xf16> -> tensor<64x64xf16>
    %xt = arith.mulf %x0, %sb : tensor<64x64xf16>
    tile.store %xt, %u[%c0, %k] : tensor<64x64xf16>, !tile.view<64x?xf16>
    %w0 = tile.load %w[%c0, %k] [32, 64] : !tile.view<32x?xf16> -> tensor<32x64xf16>
    %d = tile.dot %xt, %w0, %acc transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}
