// Iterations are skipped if they leave all that the loop computes as it is.
// RUN: tilegpt-opt %s --tile-gpu-bound-iterations --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-bound-iterations --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x32xf32>
!B = tensor<128x32xi1>
!I = tensor<128x32xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>

// Two softmaxes under one mask.
// CHECK-LABEL: tile.kernel @two_softmaxes(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: i32)
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %{{.*}} : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[LAST]]
tile.kernel @two_softmaxes(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !P
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %rt = tile.load %r[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %z:6 = scf.for %j = %c0 to %n step %c1 iter_args(%m1 = %low, %l1 = %none, %o1 = %zero, %m2 = %low, %l2 = %none, %o2 = %zero) -> (!C, !C, !O, !C, !C, !O) {
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %s1 = arith.select %seen, %x1, %hidden : !B, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [128, 32] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [128, 64] : !C -> !O
    %oa1 = arith.mulf %o1, %ab1 : !O
    %w1 = tile.cast %e1 : !P to tensor<128x32xbf16>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %k2 = tile.load %h[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x2 = tile.dot %rt, %k2, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %s2 = arith.select %seen, %x2, %hidden : !B, !P
    %mt2 = tile.reduce max %s2 axis 1 keepdims : !P -> !C
    %mn2 = arith.maximumf %m2, %mt2 : !C
    %mb2 = tile.broadcast %mn2 [128, 32] : !C -> !P
    %sd2 = arith.subf %s2, %mb2 : !P
    %e2 = math.exp %sd2 : !P
    %md2 = arith.subf %m2, %mn2 : !C
    %a2 = math.exp %md2 : !C
    %lt2 = tile.reduce add %e2 axis 1 keepdims : !P -> !C
    %la2 = arith.mulf %l2, %a2 : !C
    %ln2 = arith.addf %la2, %lt2 : !C
    %ab2 = tile.broadcast %a2 [128, 64] : !C -> !O
    %oa2 = arith.mulf %o2, %ab2 : !O
    %w2 = tile.cast %e2 : !P to tensor<128x32xbf16>
    %on2 = tile.dot %w2, %vt, %oa2 : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn1, %ln1, %on1, %mn2, %ln2, %on2 : !C, !C, !O, !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  %b2 = tile.broadcast %z#4 [128, 64] : !C -> !O
  %y2 = arith.divf %z#5, %b2 : !O
  %yd = arith.subf %y1, %y2 : !O
  tile.store %yd, %y[%c0, %c0] : !O, !Y
}

// -----

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x32xf32>
!B = tensor<128x32xi1>
!I = tensor<128x32xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>

// Two masks: the second hides one more key of each row.
// CHECK-LABEL: tile.kernel @two_masks(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: i32)
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @two_masks(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !P
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %rt = tile.load %r[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %z:6 = scf.for %j = %c0 to %n step %c1 iter_args(%m1 = %low, %l1 = %none, %o1 = %zero, %m2 = %low, %l2 = %none, %o2 = %zero) -> (!C, !C, !O, !C, !C, !O) {
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %before = arith.cmpi slt, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %s1 = arith.select %seen, %x1, %hidden : !B, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [128, 32] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [128, 64] : !C -> !O
    %oa1 = arith.mulf %o1, %ab1 : !O
    %w1 = tile.cast %e1 : !P to tensor<128x32xbf16>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %k2 = tile.load %h[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x2 = tile.dot %rt, %k2, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %s2 = arith.select %before, %x2, %hidden : !B, !P
    %mt2 = tile.reduce max %s2 axis 1 keepdims : !P -> !C
    %mn2 = arith.maximumf %m2, %mt2 : !C
    %mb2 = tile.broadcast %mn2 [128, 32] : !C -> !P
    %sd2 = arith.subf %s2, %mb2 : !P
    %e2 = math.exp %sd2 : !P
    %md2 = arith.subf %m2, %mn2 : !C
    %a2 = math.exp %md2 : !C
    %lt2 = tile.reduce add %e2 axis 1 keepdims : !P -> !C
    %la2 = arith.mulf %l2, %a2 : !C
    %ln2 = arith.addf %la2, %lt2 : !C
    %ab2 = tile.broadcast %a2 [128, 64] : !C -> !O
    %oa2 = arith.mulf %o2, %ab2 : !O
    %w2 = tile.cast %e2 : !P to tensor<128x32xbf16>
    %on2 = tile.dot %w2, %vt, %oa2 : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn1, %ln1, %on1, %mn2, %ln2, %on2 : !C, !C, !O, !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  %b2 = tile.broadcast %z#4 [128, 64] : !C -> !O
  %y2 = arith.divf %z#5, %b2 : !O
  %yd = arith.subf %y1, %y2 : !O
  tile.store %yd, %y[%c0, %c0] : !O, !Y
}

// -----

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x32xf32>
!B = tensor<128x32xi1>
!I = tensor<128x32xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>

// The sum of all scores, hidden ones included.
// CHECK-LABEL: tile.kernel @sum(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: i32)
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
// WHY: @sum: mask missed: fully masked iterations are not skipped: the loop carries values other than maximum, sum and output, or has side effects
tile.kernel @sum(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !P
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %z:4 = scf.for %j = %c0 to %n step %c1 iter_args(%m1 = %low, %l1 = %none, %o1 = %zero, %t = %none) -> (!C, !C, !O, !C) {
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %s1 = arith.select %seen, %x1, %hidden : !B, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [128, 32] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [128, 64] : !C -> !O
    %oa1 = arith.mulf %o1, %ab1 : !O
    %w1 = tile.cast %e1 : !P to tensor<128x32xbf16>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    %xt = tile.reduce add %x1 axis 1 keepdims : !P -> !C
    %tn = arith.addf %t, %xt : !C
    scf.yield %mn1, %ln1, %on1, %tn : !C, !C, !O, !C
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  %tb = tile.broadcast %z#3 [128, 64] : !C -> !O
  tile.store %tb, %y[%c0, %c0] : !O, !Y
  tile.store %y1, %y[%c0, %c0] : !O, !Y
}

// -----

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x32xf32>
!B = tensor<128x32xi1>
!I = tensor<128x32xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>

// The scores are stored.
// CHECK-LABEL: tile.kernel @store(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: i32)
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
// WHY: @store: mask missed: fully masked iterations are not skipped
tile.kernel @store(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !P
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %z:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m1 = %low, %l1 = %none, %o1 = %zero) -> (!C, !C, !O) {
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %s1 = arith.select %seen, %x1, %hidden : !B, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [128, 32] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [128, 64] : !C -> !O
    %oa1 = arith.mulf %o1, %ab1 : !O
    %w1 = tile.cast %e1 : !P to tensor<128x32xbf16>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    tile.store %x1, %y[%c0, %j] : !P, !Y
    scf.yield %mn1, %ln1, %on1 : !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  tile.store %y1, %y[%c0, %c0] : !O, !Y
}
