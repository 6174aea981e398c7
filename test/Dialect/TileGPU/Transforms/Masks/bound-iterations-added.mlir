// Masks that are added to scores.
// RUN: tilegpt-opt %s --tile-gpu-bound-iterations --split-input-file | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x32xf32>
!B = tensor<128x32xi1>
!I = tensor<128x32xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>

// Zero where a row sees the key, and a number that hides the score elsewhere. Rows that see no key keep all iterations.
// CHECK-LABEL: tile.kernel @added(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: i32)
// CHECK-DAG:     %[[LOWS:.*]] = arith.constant dense<-1.000000e+09>
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.select %{{.*}}, %[[LAST]], %[[N]] : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[END]]
// CHECK:           %[[X:.*]] = tile.dot
// CHECK:           %[[SUM:.*]] = arith.addf %[[X]], %[[LOWS]]
// CHECK:           arith.select %{{.*}}, %[[X]], %[[SUM]]
tile.kernel @added(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %lows = arith.constant dense<-1.0e+09> : !P
  %none0 = arith.constant dense<0.0> : !P
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
    %t1 = arith.select %seen, %none0, %lows : !B, !P
    %s1 = arith.addf %x1, %t1 : !P
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
    scf.yield %mn1, %ln1, %on1 : !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
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

// The mask first, and turned round.
// CHECK-LABEL: tile.kernel @turned(
// CHECK:         arith.minsi
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tile.dot
// CHECK:           %[[SUM:.*]] = arith.addf %[[X]], %{{.*}}
// CHECK:           arith.select %{{.*}}, %[[SUM]], %[[X]]
tile.kernel @turned(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %lows = arith.constant dense<-1.0e+09> : !P
  %none0 = arith.constant dense<0.0> : !P
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
    %seen = arith.cmpi sgt, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %t1 = arith.select %seen, %lows, %none0 : !B, !P
    %s1 = arith.addf %t1, %x1 : !P
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
    scf.yield %mn1, %ln1, %on1 : !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
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

// A bias that hides nothing stays a term.
// CHECK-LABEL: tile.kernel @bias(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: i32)
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
// CHECK:           %[[X:.*]] = tile.dot
// CHECK:           %[[T:.*]] = arith.select
// CHECK:           arith.addf %[[X]], %[[T]]
tile.kernel @bias(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %lows = arith.constant dense<-2.0> : !P
  %none0 = arith.constant dense<0.0> : !P
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
    %t1 = arith.select %seen, %none0, %lows : !B, !P
    %s1 = arith.addf %x1, %t1 : !P
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
    scf.yield %mn1, %ln1, %on1 : !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
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

// Kept scores are changed, too.
// CHECK-LABEL: tile.kernel @offset(
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tile.dot
// CHECK:           %[[T:.*]] = arith.select
// CHECK:           arith.addf %[[X]], %[[T]]
tile.kernel @offset(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %lows = arith.constant dense<-1.0e+09> : !P
  %none0 = arith.constant dense<1.0> : !P
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
    %t1 = arith.select %seen, %none0, %lows : !B, !P
    %s1 = arith.addf %x1, %t1 : !P
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
    scf.yield %mn1, %ln1, %on1 : !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  tile.store %y1, %y[%c0, %c0] : !O, !Y
}
