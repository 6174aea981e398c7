// RUN: tilegpt-opt %s --tile-gpu-scale-scores | FileCheck %s

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
