// RUN: tilegpt-opt %s --tile-gpu-bound-iterations | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>

// A prefix that all rows see, or keys up to the row's position: the later end.
// CHECK-LABEL: tile.kernel @prefix(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32, %[[PREFIX:[^:]*]]: i32)
// CHECK:         arith.index_cast %[[P]] : i32 to index
// CHECK:         %[[CAUSAL:.*]] = arith.divui
// CHECK:         arith.index_cast %[[PREFIX]] : i32 to index
// CHECK:         %[[ALL:.*]] = arith.divui
// CHECK:         %[[END:.*]] = arith.maxsi %[[CAUSAL]], %[[ALL]] : index
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[LAST]]
tile.kernel @prefix(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %prefix: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %prefixes = tile.splat %prefix [128, 32] : i32 -> !I
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %all = arith.cmpi slt, %kpos, %prefixes : !I
    %seen = arith.ori %causal, %all : tensor<128x32xi1>
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 32] : !C -> !S
    %x = arith.subf %s, %mb : !S
    %e = math.exp %x : !S
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !O
    %oa = arith.mulf %o, %ab : !O
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// With a finite number: one of the two alternatives has to show every row a key.
// CHECK-LABEL: tile.kernel @prefix_by_number(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32, %[[PREFIX:[^:]*]]: i32)
// CHECK:         %[[SEES:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK-COUNT-2: arith.divui
// CHECK:         %[[END:.*]] = arith.maxsi
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         %[[TO:.*]] = arith.select %[[SEES]], %[[LAST]], %[[N]]
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[TO]]
tile.kernel @prefix_by_number(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %prefix: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<-1.0e+30> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %prefixes = tile.splat %prefix [128, 32] : i32 -> !I
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %all = arith.cmpi slt, %kpos, %prefixes : !I
    %seen = arith.ori %causal, %all : tensor<128x32xi1>
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 32] : !C -> !S
    %x = arith.subf %s, %mb : !S
    %e = math.exp %x : !S
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !O
    %oa = arith.mulf %o, %ab : !O
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Comparisons of document ids are not affine: the other condition bounds the loop.
// CHECK-LABEL: tile.kernel @documents(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         arith.addi %[[FIRST]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.divui
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[LAST]]
tile.kernel @documents(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %dq = tile.load %docs[%c0] [128] : !tile.view<?xi32> -> tensor<128xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %dqs = tile.broadcast %dqc [128, 32] : tensor<128x1xi32> -> !I
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %dk = tile.load %docs[%j] [32] : !tile.view<?xi32> -> tensor<32xi32>
    %dks = tile.broadcast %dk [128, 32] : tensor<32xi32> -> !I
    %same = arith.cmpi eq, %dks, %dqs : !I
    %seen = arith.andi %causal, %same : tensor<128x32xi1>
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 32] : !C -> !S
    %x = arith.subf %s, %mb : !S
    %e = math.exp %x : !S
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !O
    %oa = arith.mulf %o, %ab : !O
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: with a finite number, rows might see no key of their document.
// CHECK-LABEL: tile.kernel @documents_by_number(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
tile.kernel @documents_by_number(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<-1.0e+30> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %dq = tile.load %docs[%c0] [128] : !tile.view<?xi32> -> tensor<128xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %dqs = tile.broadcast %dqc [128, 32] : tensor<128x1xi32> -> !I
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %dk = tile.load %docs[%j] [32] : !tile.view<?xi32> -> tensor<32xi32>
    %dks = tile.broadcast %dk [128, 32] : tensor<32xi32> -> !I
    %same = arith.cmpi eq, %dks, %dqs : !I
    %seen = arith.andi %causal, %same : tensor<128x32xi1>
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 32] : !C -> !S
    %x = arith.subf %s, %mb : !S
    %e = math.exp %x : !S
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !O
    %oa = arith.mulf %o, %ab : !O
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: either of the two.
// CHECK-LABEL: tile.kernel @documents_or_causal(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
tile.kernel @documents_or_causal(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %dq = tile.load %docs[%c0] [128] : !tile.view<?xi32> -> tensor<128xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %dqs = tile.broadcast %dqc [128, 32] : tensor<128x1xi32> -> !I
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %dk = tile.load %docs[%j] [32] : !tile.view<?xi32> -> tensor<32xi32>
    %dks = tile.broadcast %dk [128, 32] : tensor<32xi32> -> !I
    %same = arith.cmpi eq, %dks, %dqs : !I
    %seen = arith.ori %causal, %same : tensor<128x32xi1>
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 32] : !C -> !S
    %x = arith.subf %s, %mb : !S
    %e = math.exp %x : !S
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !O
    %oa = arith.mulf %o, %ab : !O
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %mn, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Exponentials of hidden scores are zero.
// CHECK-LABEL: tile.kernel @no_maximum(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         arith.addi %[[FIRST]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.divui
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[LAST]]
tile.kernel @no_maximum(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// A positive factor preserves minus infinity.
// CHECK-LABEL: tile.kernel @scaled_no_maximum(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         arith.addi %[[FIRST]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.divui
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[LAST]]
tile.kernel @scaled_no_maximum(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s0 = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %scale = arith.constant dense<0.125> : !S
    %s = arith.mulf %s0, %scale : !S
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// So are 1 / (1 + exp(-s)).
// CHECK-LABEL: tile.kernel @sigmoid(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         arith.addi %[[FIRST]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.divui
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[LAST]]
tile.kernel @sigmoid(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %one = arith.constant dense<1.0> : !S
    %minus = arith.negf %s : !S
    %power = math.exp %minus : !S
    %more = arith.addf %power, %one : !S
    %e = arith.divf %one, %more : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Products with hidden zeros.
// CHECK-LABEL: tile.kernel @gate(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         arith.addi %[[FIRST]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.divui
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[LAST]]
tile.kernel @gate(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %g = arith.uitofp %seen : tensor<128x32xi1> to !S
    %e = arith.mulf %d, %g : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: a negative factor gives plus infinity.
// CHECK-LABEL: tile.kernel @negative_factor(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
tile.kernel @negative_factor(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s0 = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %scale = arith.constant dense<-0.125> : !S
    %s = arith.mulf %s0, %scale : !S
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: hidden scores add one each.
// CHECK-LABEL: tile.kernel @counts(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
tile.kernel @counts(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0.0> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: iterations store results.
// CHECK-LABEL: tile.kernel @stores(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
tile.kernel @stores(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y, %z: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    tile.store %on, %z[%j, %c0] : !O, !tile.view<?x64xf32>
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: the sum decays in every iteration.
// CHECK-LABEL: tile.kernel @decays(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
tile.kernel @decays(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !S
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, !O) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, !S -> !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<128x32xi1>, !S
    %half = arith.constant dense<0.5> : !O
    %e = math.exp %s : !S
    %oh = arith.mulf %o, %half : !O
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oh : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}
