// RUN: tilegpt-opt %s --tile-gpu-scale-after-dot | FileCheck %s

!Y = !tile.view<64x1xf32>

// A constant scales the query.
// CHECK-LABEL: tile.kernel @number(
// CHECK:         %[[Q:.*]] = tile.load %{{.*}} -> tensor<64x64xbf16>
// CHECK:         %[[C:.*]] = arith.constant 1.250000e-01 : f32
// CHECK:         %[[CS:.*]] = tile.splat %[[C]] [64, 32] : f32
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = tile.dot %[[Q]],
// CHECK:           %[[S:.*]] = arith.mulf %[[D]], %[[CS]] : tensor<64x32xf32>
// CHECK:           math.exp %[[S]]
tile.kernel @number(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %cs = arith.constant dense<0.125> : tensor<64x64xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %qf = tile.cast %q0 : tensor<64x64xbf16> to tensor<64x64xf32>
  %qs = arith.mulf %qf, %cs : tensor<64x64xf32>
  %qt = tile.cast %qs : tensor<64x64xf32> to tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %d = tile.dot %qt, %k0, %zs transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %e = math.exp %d : tensor<64x32xf32>
    %w = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

// An input divides it, in f16.
// CHECK-LABEL: tile.kernel @divisor(
// CHECK-SAME:    %[[BY:[^:]*]]: f32)
// CHECK:         %[[Q:.*]] = tile.load %{{.*}} -> tensor<64x64xf16>
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[C:.*]] = arith.divf %[[ONE]], %[[BY]] : f32
// CHECK:         tile.splat %[[C]] [64, 32] : f32
// CHECK:         scf.for
// CHECK:           tile.dot %[[Q]],
tile.kernel @divisor(%q: !tile.view<64x64xf16>, %k: !tile.view<?x64xf16>, %n: index, %by: f32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %cs = tile.splat %by [64, 64] : f32 -> tensor<64x64xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xf16> -> tensor<64x64xf16>
  %qf = tile.cast %q0 : tensor<64x64xf16> to tensor<64x64xf32>
  %qs = arith.divf %qf, %cs : tensor<64x64xf32>
  %qt = tile.cast %qs : tensor<64x64xf32> to tensor<64x64xf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xf16> -> tensor<32x64xf16>
    %d = tile.dot %qt, %k0, %zs transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %e = math.exp %d : tensor<64x32xf32>
    %w = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

// The query is scaled before the loop, in its own type, and keys in the loop; the scores are capped.
// CHECK-LABEL: tile.kernel @both(
// CHECK-SAME:    %[[BY:[^:]*]]: f32)
// CHECK:         %[[Q:.*]] = tile.load %{{.*}} -> tensor<64x64xbf16>
// CHECK:         %[[C:.*]] = arith.constant 1.250000e-01 : f32
// CHECK:         %[[CC:.*]] = arith.mulf %[[C]], %[[BY]] : f32
// CHECK:         %[[CS:.*]] = tile.splat %[[CC]] [64, 32] : f32
// CHECK:         scf.for
// CHECK:           %[[K:.*]] = tile.load %{{.*}} -> tensor<32x64xbf16>
// CHECK:           %[[D:.*]] = tile.dot %[[Q]], %[[K]],
// CHECK:           %[[S:.*]] = arith.mulf %[[D]], %[[CS]] : tensor<64x32xf32>
// CHECK:           math.tanh %[[S]]
tile.kernel @both(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %n: index, %by: f32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %ks = tile.splat %by [32, 64] : f32 -> tensor<32x64xf32>
  %cs = arith.constant dense<0.125> : tensor<64x64xbf16>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %qt = arith.mulf %q0, %cs : tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %kf = tile.cast %k0 : tensor<32x64xbf16> to tensor<32x64xf32>
    %kb = arith.mulf %ks, %kf : tensor<32x64xf32>
    %kt = tile.cast %kb : tensor<32x64xf32> to tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %th = math.tanh %d : tensor<64x32xf32>
    %e = math.exp2 %th : tensor<64x32xf32>
    %w = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

// The query is f32: it is rounded to bf16 in any case, after scaling.
// CHECK-LABEL: tile.kernel @rounded_once(
// CHECK:         arith.mulf
// CHECK:         scf.for
// CHECK-NOT:       arith.mulf
tile.kernel @rounded_once(%q: !tile.view<64x64xf32>, %k: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %cs = arith.constant dense<0.125> : tensor<64x64xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %qs = arith.mulf %q0, %cs : tensor<64x64xf32>
  %qt = tile.cast %qs : tensor<64x64xf32> to tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %d = tile.dot %qt, %k0, %zs transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %e = math.exp %d : tensor<64x32xf32>
    %w = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

// The dot has an accumulator that is not scaled.
// CHECK-LABEL: tile.kernel @onto_something(
// CHECK:         arith.mulf
// CHECK:         scf.for
// CHECK-NOT:       arith.mulf
tile.kernel @onto_something(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %ones = arith.constant dense<1.0> : tensor<64x32xf32>
  %cs = arith.constant dense<0.125> : tensor<64x64xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %qf = tile.cast %q0 : tensor<64x64xbf16> to tensor<64x64xf32>
  %qs = arith.mulf %qf, %cs : tensor<64x64xf32>
  %qt = tile.cast %qs : tensor<64x64xf32> to tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %d = tile.dot %qt, %k0, %ones transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %e = math.exp %d : tensor<64x32xf32>
    %w = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

// Products are accumulated: their factor would cost a product per element.
// CHECK-LABEL: tile.kernel @no_exponent(
// CHECK:         arith.mulf
// CHECK:         scf.for
// CHECK-NOT:       arith.mulf
tile.kernel @no_exponent(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %cs = arith.constant dense<0.125> : tensor<64x64xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %qf = tile.cast %q0 : tensor<64x64xbf16> to tensor<64x64xf32>
  %qs = arith.mulf %qf, %cs : tensor<64x64xf32>
  %qt = tile.cast %qs : tensor<64x64xf32> to tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %d = tile.dot %qt, %k0, %zs transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %w = tile.reduce add %d axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

// Rows have factors of their own.
// CHECK-LABEL: tile.kernel @by_rows(
// CHECK:         arith.mulf
// CHECK:         scf.for
// CHECK-NOT:       arith.mulf
tile.kernel @by_rows(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %n: index, %f: !tile.view<64x1xf32>) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %fs = tile.load %f[%c0, %c0] [64, 1] : !tile.view<64x1xf32> -> tensor<64x1xf32>
  %cs = tile.broadcast %fs [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %qf = tile.cast %q0 : tensor<64x64xbf16> to tensor<64x64xf32>
  %qs = arith.mulf %qf, %cs : tensor<64x64xf32>
  %qt = tile.cast %qs : tensor<64x64xf32> to tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %z1) -> (tensor<64x1xf32>) {
    %k0 = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %d = tile.dot %qt, %k0, %zs transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %e = math.exp %d : tensor<64x32xf32>
    %w = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %next = arith.addf %l, %w : tensor<64x1xf32>
    scf.yield %next : tensor<64x1xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x1xf32>, !Y
}

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
