// RUN: tilegpt-opt %s --tile-gpu-defer-division | FileCheck %s

!Y = !tile.view<64x64xf32>
!C = tensor<64x1xf32>
!O = tensor<64x64xf32>

// Division after the dot.
// CHECK-LABEL: tile.kernel @behind(
// CHECK:         %[[S:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[U:.*]] = %{{.*}})
// CHECK:           %[[A:.*]] = tile.load %{{.*}} -> tensor<64x1xf32>
// CHECK-NOT:       arith.divf
// CHECK:           %[[AB:.*]] = tile.broadcast %[[A]] [64, 64]
// CHECK:           %[[UA:.*]] = arith.mulf %[[U]], %[[AB]] : tensor<64x64xf32>
// CHECK:           %[[UN:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[UA]]
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %[[UN]]
// CHECK:         %[[L:.*]] = tile.broadcast %[[S]]#0 [64, 64]
// CHECK:         %[[O:.*]] = arith.divf %[[S]]#2, %[[L]]
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c0{{.*}}, %{{.*}} : index
// CHECK:         %[[R:.*]] = arith.select %[[RUNS]], %[[O]], %{{.*}} : tensor<64x64xf32>
// CHECK:         arith.addf %[[R]], %[[R]]
tile.kernel @behind(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %h = %none, %o = %zero) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %lab = tile.broadcast %la [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %od = tile.dot %ec, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %lnb = tile.broadcast %ln [64, 64] : !C -> !O
    %on = arith.divf %od, %lnb : !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}

// Division of weights before the dot, by a reciprocal.
// CHECK-LABEL: tile.kernel @weights(
// CHECK:         %[[S:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[U:.*]] = %{{.*}})
// CHECK:           %[[A:.*]] = tile.load %{{.*}} -> tensor<64x1xf32>
// CHECK-NOT:       arith.divf
// CHECK:           %[[AB:.*]] = tile.broadcast %[[A]] [64, 64]
// CHECK:           %[[UA:.*]] = arith.mulf %[[U]], %[[AB]] : tensor<64x64xf32>
// CHECK:           %[[UN:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[UA]]
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %[[UN]]
// CHECK:         %[[L:.*]] = tile.broadcast %[[S]]#0 [64, 64]
// CHECK:         %[[O:.*]] = arith.divf %[[S]]#2, %[[L]]
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c0{{.*}}, %{{.*}} : index
// CHECK:         %[[R:.*]] = arith.select %[[RUNS]], %[[O]], %{{.*}} : tensor<64x64xf32>
// CHECK:         arith.addf %[[R]], %[[R]]
tile.kernel @weights(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %h = %none, %o = %zero) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %inv = arith.divf %one, %ln : !C
    %share = arith.mulf %la, %inv : !C
    %lab = tile.broadcast %share [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %ib = tile.broadcast %inv [64, 32] : !C -> tensor<64x32xf32>
    %es = arith.mulf %e, %ib : tensor<64x32xf32>
    %ec = tile.cast %es : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}

// Division of both terms, in a loop that runs at least once.
// CHECK-LABEL: tile.kernel @terms(
// CHECK:         %[[S:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[U:.*]] = %{{.*}})
// CHECK:           %[[A:.*]] = tile.load %{{.*}} -> tensor<64x1xf32>
// CHECK-NOT:       arith.divf
// CHECK:           %[[AB:.*]] = tile.broadcast %[[A]] [64, 64]
// CHECK:           %[[UA:.*]] = arith.mulf %[[U]], %[[AB]] : tensor<64x64xf32>
// CHECK:           %[[UN:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[UA]]
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %[[UN]]
// CHECK:         %[[L:.*]] = tile.broadcast %[[S]]#0 [64, 64]
// CHECK:         %[[O:.*]] = arith.divf %[[S]]#2, %[[L]]
// CHECK-NOT:     arith.select
// CHECK:         arith.addf %[[O]], %[[O]]
tile.kernel @terms(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %c4 step %c1 iter_args(%l = %none, %h = %none, %o = %zero) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %lab = tile.broadcast %la [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %lnb = tile.broadcast %ln [64, 64] : !C -> !O
    %ob = arith.divf %oa, %lnb : !O
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %od = tile.dot %ec, %vt, %zero : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %oc = arith.divf %od, %lnb : !O
    %on = arith.addf %ob, %oc : !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}

// A nonzero initial value.
// CHECK-LABEL: tile.kernel @begins_elsewhere(
// CHECK:         scf.for
// CHECK:           arith.divf
// CHECK:           scf.yield
tile.kernel @begins_elsewhere(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %h = %none, %o = %halves) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %lab = tile.broadcast %la [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %od = tile.dot %ec, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %lnb = tile.broadcast %ln [64, 64] : !C -> !O
    %on = arith.divf %od, %lnb : !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}

// Divided by another sum than it is multiplied with.
// CHECK-LABEL: tile.kernel @other_sum(
// CHECK:         scf.for
// CHECK:           arith.divf
// CHECK:           scf.yield
tile.kernel @other_sum(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %h = %none, %o = %zero) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %lab = tile.broadcast %h [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %od = tile.dot %ec, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %lnb = tile.broadcast %ln [64, 64] : !C -> !O
    %on = arith.divf %od, %lnb : !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}

// Only the added term is divided.
// CHECK-LABEL: tile.kernel @divided_once(
// CHECK:         scf.for
// CHECK:           arith.divf
// CHECK:           scf.yield
tile.kernel @divided_once(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %h = %none, %o = %zero) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %lab = tile.broadcast %la [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %lnb = tile.broadcast %ln [64, 64] : !C -> !O
    %ob = arith.mulf %oa, %lnb : !O
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %od = tile.dot %ec, %vt, %zero : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %oc = arith.divf %od, %lnb : !O
    %on = arith.addf %ob, %oc : !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}

// The previous iteration's quotient has another use.
// CHECK-LABEL: tile.kernel @read_in_loop(
// CHECK:         scf.for
// CHECK:           arith.divf
// CHECK:           scf.yield
tile.kernel @read_in_loop(%p: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>, %f: !tile.view<?x?xf32>, %n: index) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !O
  %halves = arith.constant dense<0.5> : !O
  %one = arith.constant dense<1.0> : !C
  %none = arith.constant dense<0.0> : !C
  %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %h = %none, %o = %zero) -> (!C, !C, !O) {
    %pt = tile.load %p[%c0, %j] [64, 32] : !tile.view<?x?xbf16> -> tensor<64x32xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x?xbf16> -> tensor<32x64xbf16>
    %a = tile.load %f[%j, %c0] [64, 1] : !tile.view<?x?xf32> -> !C
    %pf = tile.cast %pt : tensor<64x32xbf16> to tensor<64x32xf32>
    %e = math.exp %pf : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %t : !C
    %hn = arith.addf %h, %t : !C
    %lab = tile.broadcast %la [64, 64] : !C -> !O
    %oa = arith.mulf %o, %lab : !O
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %od = tile.dot %ec, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %lnb = tile.broadcast %ln [64, 64] : !C -> !O
    %oq = arith.divf %od, %lnb : !O
    %on = arith.addf %oq, %o : !O
    scf.yield %ln, %hn, %on : !C, !C, !O
  }
  %r = arith.addf %s#2, %s#2 : !O
  tile.store %r, %y[%c0, %c0] : !O, !Y
}
