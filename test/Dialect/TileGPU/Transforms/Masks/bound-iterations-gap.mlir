// RUN: tilegpt-opt %s --tile-gpu-bound-iterations | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>

// The first keys and a window: the second loop resumes where a row of the block may see a key again.
// CHECK-LABEL: tile.kernel @global(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32, %[[FIRST:[^:]*]]: i32, %[[WINDOW:[^:]*]]: i32)
// CHECK:         arith.index_cast %[[FIRST]] : i32 to index
// CHECK:         %[[OFFIRST:.*]] = arith.divui
// CHECK:         %[[BEGIN:.*]] = arith.minsi %{{.*}}, %[[OFFIRST]] : index
// CHECK:         arith.index_cast %[[WINDOW]] : i32 to index
// CHECK:         %[[AGAIN:.*]] = arith.divui
// CHECK:         %[[FROM:.*]] = arith.maxsi %[[BEGIN]], %c0
// CHECK:         %[[STOP:.*]] = arith.minsi %[[TO:.*]], %[[FROM]] : index
// CHECK:         %[[LATER:.*]] = arith.maxsi %[[STOP]], %[[AGAIN]] : index
// CHECK:         %[[RESUME:.*]] = arith.minsi %[[TO]], %[[LATER]] : index
// CHECK:         %[[R:.*]]:3 = scf.for %{{.*}} = %c0{{.*}} to %[[STOP]] step %c1 {{.*}}iter_args
// CHECK:         scf.for %{{.*}} = %[[RESUME]] to %[[TO]] step %c1 {{.*}}iter_args(%{{[a-z0-9]+}} = %[[R]]#0, %{{[a-z0-9]+}} = %[[R]]#1, %{{[a-z0-9]+}} = %[[R]]#2)
tile.kernel @global(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %first: i32, %window: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
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
  %firsts = tile.splat %first [128, 32] : i32 -> !I
  %windows = tile.splat %window [128, 32] : i32 -> !I
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
    %far = arith.subi %qpos, %kpos : !I
    %near = arith.cmpi slt, %far, %windows : !I
    %begin = arith.cmpi slt, %kpos, %firsts : !I
    %any = arith.ori %near, %begin : tensor<128x32xi1>
    %seen = arith.andi %causal, %any : tensor<128x32xi1>
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

// Rows that see no key in the first loop would not become NaN: it resumes later only if all see one.
// CHECK-LABEL: tile.kernel @from_infinity(
// CHECK:         %[[AGAIN:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BEGIN:.*]] : index
// CHECK:         arith.maxsi %[[BEGIN]], %c0
// CHECK:         arith.maxsi %{{.*}}, %[[AGAIN]] : index
// CHECK:         scf.for
// CHECK:         scf.for
tile.kernel @from_infinity(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %first: i32, %window: i32) outs(%y: !Y) grid [1] {
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
  %firsts = tile.splat %first [128, 32] : i32 -> !I
  %windows = tile.splat %window [128, 32] : i32 -> !I
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
    %far = arith.subi %qpos, %kpos : !I
    %near = arith.cmpi slt, %far, %windows : !I
    %begin = arith.cmpi slt, %kpos, %firsts : !I
    %any = arith.ori %near, %begin : tensor<128x32xi1>
    %seen = arith.andi %causal, %any : tensor<128x32xi1>
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

// The first rows see all keys: which rows a block has is unknown.
// CHECK-LABEL: tile.kernel @rows(
// CHECK:         scf.for
// CHECK-NOT:     scf.for
tile.kernel @rows(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %first: i32, %window: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
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
  %firsts = tile.splat %first [128, 32] : i32 -> !I
  %windows = tile.splat %window [128, 32] : i32 -> !I
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
    %far = arith.subi %qpos, %kpos : !I
    %near = arith.cmpi slt, %far, %windows : !I
    %begin = arith.cmpi slt, %qpos, %firsts : !I
    %seen = arith.ori %near, %begin : tensor<128x32xi1>
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
