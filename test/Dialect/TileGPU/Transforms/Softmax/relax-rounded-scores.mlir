// Functions of products of 16-bit tiles are approximate if only weights of 16 bits and their sums depend on them.
// RUN: tilegpt-opt %s --tile-gpu-relax-rounded | FileCheck %s

!P = tensor<64x64xf32>
!W = tensor<64x64xbf16>
!C = tensor<64x1xf32>

// CHECK-LABEL: tile.kernel @capped(
// CHECK-SAME:    %[[CAP:[^:]*]]: f32)
// CHECK:         %[[BY:.*]] = arith.divf %{{.*}}, %[[CAP]] : f32
// CHECK:         %[[BYS:.*]] = tile.splat %{{.*}} [64, 64] : f32
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = arith.mulf %{{.*}} fastmath<contract>
// CHECK-NEXT:      %[[TH:.*]] = math.tanh %[[X]] fastmath<afn>
// CHECK:           math.exp2 %{{.*}} fastmath<afn>
tile.kernel @capped(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index, %cap: f32) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !P
  %none = arith.constant dense<0.0> : !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%li = %none, %oi = %zero) -> (!C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> !W
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x = arith.divf %d, %caps : !P
    %th = math.tanh %x : !P
    %s = arith.mulf %th, %caps : !P
    %e = math.exp %s : !P
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %w = tile.cast %e : !P to !W
    %on = tile.dot %w, %vt, %oi : !W, !W, !P -> !P
    scf.yield %ln, %on : !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%c0, %c0] : !P, !tile.view<?x64xf32>
}

// The cap is stored in f32.
// CHECK-LABEL: tile.kernel @stored(
// CHECK:         scf.for
// CHECK:           arith.divf
// CHECK:           math.tanh %{{[^ ]*}} :
tile.kernel @stored(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index, %cap: f32) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !P
  %none = arith.constant dense<0.0> : !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%li = %none, %oi = %zero) -> (!C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> !W
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x = arith.divf %d, %caps : !P
    %th = math.tanh %x : !P
    %s = arith.mulf %th, %caps : !P
    tile.store %th, %y[%j, %c0] : !P, !tile.view<?x64xf32>
    %e = math.exp %s : !P
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %w = tile.cast %e : !P to !W
    %on = tile.dot %w, %vt, %oi : !W, !W, !P -> !P
    scf.yield %ln, %on : !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%c0, %c0] : !P, !tile.view<?x64xf32>
}

// A small error of the cap may change a comparison.
// CHECK-LABEL: tile.kernel @compared(
// CHECK:         math.tanh %{{[^ ]*}} :
tile.kernel @compared(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index, %cap: f32) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !P
  %none = arith.constant dense<0.0> : !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%li = %none, %oi = %zero) -> (!C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> !W
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x = arith.divf %d, %caps : !P
    %th = math.tanh %x : !P
    %s = arith.mulf %th, %caps : !P
    %large = arith.cmpf ogt, %th, %zero : !P
    %p = arith.select %large, %d, %zero : tensor<64x64xi1>, !P
    %e = math.exp %p : !P
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %w = tile.cast %e : !P to !W
    %on = tile.dot %w, %vt, %oi : !W, !W, !P -> !P
    scf.yield %ln, %on : !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%c0, %c0] : !P, !tile.view<?x64xf32>
}

// Scores of f32 tiles are more accurate than the approximation.
// CHECK-LABEL: tile.kernel @wide(
// CHECK:         math.tanh %{{[^ ]*}} :
tile.kernel @wide(%q: !tile.view<64x64xf32>, %k: !tile.view<?x64xf32>, %v: !tile.view<?x64xbf16>, %n: index, %cap: f32) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !P
  %none = arith.constant dense<0.0> : !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%li = %none, %oi = %zero) -> (!C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xf32> -> tensor<64x64xf32>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> !W
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xf32>, tensor<64x64xf32>, !P -> !P
    %x = arith.divf %d, %caps : !P
    %th = math.tanh %x : !P
    %s = arith.mulf %th, %caps : !P
    %e = math.exp %s : !P
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %w = tile.cast %e : !P to !W
    %on = tile.dot %w, %vt, %oi : !W, !W, !P -> !P
    scf.yield %ln, %on : !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%c0, %c0] : !P, !tile.view<?x64xf32>
}

// Results without weights: a sum in f32.
// CHECK-LABEL: tile.kernel @carried(
// CHECK:         math.tanh %{{[^ ]*}} :
tile.kernel @carried(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index, %cap: f32) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !P
  %none = arith.constant dense<0.0> : !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%li = %none, %oi = %zero) -> (!C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> !W
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x = arith.divf %d, %caps : !P
    %th = math.tanh %x : !P
    %s = arith.mulf %th, %caps : !P
    %e = math.exp %s : !P
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %on = arith.addf %oi, %th : !P
    scf.yield %ln, %on : !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%c0, %c0] : !P, !tile.view<?x64xf32>
}

// Differences to a running maximum, which may be -1e30, stay exact.
// CHECK-LABEL: tile.kernel @online(
// CHECK:         scf.for
// CHECK:           arith.mulf %{{.*}} fastmath<contract>
// CHECK:           tile.reduce max
// CHECK:           arith.mulf %{{[^ ]*}}, %{{[^ ]*}} : tensor<64x1xf32>
// CHECK:           arith.subf %{{[^ ]*}}, %{{[^ ]*}} : tensor<64x64xf32>
// CHECK:           math.exp %{{.*}} fastmath<afn> : tensor<64x64xf32>
// CHECK:           arith.subf %{{[^ ]*}}, %{{[^ ]*}} : tensor<64x1xf32>
// CHECK:           math.exp %{{.*}} fastmath<afn> : tensor<64x1xf32>
// CHECK:           tile.reduce add
tile.kernel @online(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !P
  %none = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e30> : !C
  %scale = arith.constant dense<0.125> : !P
  %scales = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %none, %oi = %zero) -> (!C, !C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> !W
    %d = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x = arith.mulf %d, %scale : !P
    %mt = tile.reduce max %d axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %ms = arith.mulf %mn, %scales : !C
    %mb = tile.broadcast %ms [64, 64] : !C -> !P
    %s = arith.subf %x, %mb : !P
    %e = math.exp %s : !P
    %ma = arith.mulf %mi, %scales : !C
    %md = arith.subf %ma, %ms : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %oi, %ab : !P
    %w = tile.cast %e : !P to !W
    %on = tile.dot %w, %vt, %oa : !W, !W, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%c0, %c0] : !P, !tile.view<?x64xf32>
}
