// RUN: tilegpt-opt %s --tile-gpu-bound-iterations --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --emit=ptx --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>

// The last row is at p + 127: 32 keys per iteration.
// CHECK-LABEL: tile.kernel @causal(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32)
// CHECK:         %[[C159:.*]] = arith.constant 159 : index
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         %[[MOST:.*]] = arith.addi %[[FIRST]], %[[C159]] : index
// CHECK:         %[[UP:.*]] = arith.maxsi %[[MOST]], %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.divui %[[UP]], %{{.*}} : index
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[LAST]]
tile.kernel @causal(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x32xi32>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// A sliding window ends on both sides. Rows without visible keys, if any, would get the mean of all values.
// CHECK-LABEL: tile.kernel @window(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32)
// CHECK-COUNT-2: arith.cmpi sle
// CHECK:         %[[SEES:.*]] = arith.andi
// CHECK:         arith.divui
// CHECK:         %[[BEGIN:.*]] = arith.maxsi
// CHECK:         %[[END:.*]] = arith.minsi %[[N]],
// CHECK:         %[[FROM:.*]] = arith.select %[[SEES]], %[[BEGIN]], %c0
// CHECK:         %[[TO:.*]] = arith.select %[[SEES]], %[[END]], %[[N]]
// CHECK:         scf.for %{{.*}} = %[[FROM]] to %[[TO]]
tile.kernel @window(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.000000e+30> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %c200 = arith.constant dense<200> : tensor<128x32xi32>
    %far = arith.subi %qpos, %c200 : tensor<128x32xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<128x32xi32>
    %old = arith.cmpi sge, %qpos, %kpos : tensor<128x32xi32>
    %seen = arith.andi %near, %old : tensor<128x32xi1>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// The same as two masks, one of them added and inverted.
// CHECK-LABEL: tile.kernel @window_in_two(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32)
// CHECK-COUNT-2: arith.cmpi sle
// CHECK:         %[[SEES:.*]] = arith.andi
// CHECK:         arith.divui
// CHECK:         %[[BEGIN:.*]] = arith.maxsi
// CHECK:         %[[END:.*]] = arith.minsi %[[N]],
// CHECK:         %[[FROM:.*]] = arith.select %[[SEES]], %[[BEGIN]], %c0
// CHECK:         %[[TO:.*]] = arith.select %[[SEES]], %[[END]], %[[N]]
// CHECK:         scf.for %{{.*}} = %[[FROM]] to %[[TO]]
tile.kernel @window_in_two(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.000000e+30> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %c200 = arith.constant dense<200> : tensor<128x32xi32>
    %away = arith.subi %qpos, %kpos : tensor<128x32xi32>
    %far = arith.cmpi sge, %away, %c200 : tensor<128x32xi32>
    %s0 = arith.select %far, %hidden, %x : tensor<128x32xi1>, tensor<128x32xf32>
    %new = arith.cmpi slt, %qpos, %kpos : tensor<128x32xi32>
    %lows = arith.select %new, %hidden, %zeros : tensor<128x32xi1>, tensor<128x32xf32>
    %s = arith.addf %s0, %lows : tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// Minus infinity, with 0 for a missing maximum: no check is needed.
// CHECK-LABEL: tile.kernel @guarded(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32)
// CHECK:         arith.divui
// CHECK:         %[[BEGIN:.*]] = arith.maxsi
// CHECK:         %[[END:.*]] = arith.minsi %[[N]],
// CHECK-NOT:     arith.select
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
tile.kernel @guarded(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %c200 = arith.constant dense<200> : tensor<128x32xi32>
    %far = arith.subi %qpos, %c200 : tensor<128x32xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<128x32xi32>
    %old = arith.cmpi sge, %qpos, %kpos : tensor<128x32xi32>
    %seen = arith.andi %near, %old : tensor<128x32xi1>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %none = arith.cmpf oeq, %mn, %low : tensor<128x1xf32>
    %mg = arith.select %none, %zero1, %mn : tensor<128x1xi1>, tensor<128x1xf32>
    %mb = tile.broadcast %mg [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mg : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// Otherwise, rows whose first keys are hidden are NaN in the original kernel, and stay so.
// CHECK-LABEL: tile.kernel @not_a_number(
// CHECK:         scf.for %{{.*}} = %c0 to
// WHY:           @not_a_number: mask missed: iterations before the first unmasked key are not skipped
tile.kernel @not_a_number(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %c200 = arith.constant dense<200> : tensor<128x32xi32>
    %far = arith.subi %qpos, %c200 : tensor<128x32xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<128x32xi32>
    %old = arith.cmpi sge, %qpos, %kpos : tensor<128x32xi32>
    %seen = arith.andi %near, %old : tensor<128x32xi1>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// A finite initial maximum serves as guard: hidden scores add nothing.
// CHECK-LABEL: tile.kernel @begun_with_a_number(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32)
// CHECK:         arith.divui
// CHECK:         %[[BEGIN:.*]] = arith.maxsi
// CHECK:         %[[END:.*]] = arith.minsi %[[N]],
// CHECK-NOT:     arith.select
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
tile.kernel @begun_with_a_number(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e30> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %c200 = arith.constant dense<200> : tensor<128x32xi32>
    %far = arith.subi %qpos, %c200 : tensor<128x32xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<128x32xi32>
    %old = arith.cmpi sge, %qpos, %kpos : tensor<128x32xi32>
    %seen = arith.andi %near, %old : tensor<128x32xi1>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// Keys before a length.
// CHECK-LABEL: tile.kernel @length(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[P:[^:]*]]: i32)
// CHECK:         %[[END:.*]] = arith.divui
// CHECK:         %[[LAST:.*]] = arith.minsi %[[N]], %[[END]] : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[LAST]]
tile.kernel @length(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %ends = tile.splat %p [128, 32] : i32 -> tensor<128x32xi32>
    %seen = arith.cmpi slt, %kpos, %ends : tensor<128x32xi32>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// Scores hidden by -10 still count.
// CHECK-LABEL: tile.kernel @small_number(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @small_number(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.000000e+01> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %c200 = arith.constant dense<200> : tensor<128x32xi32>
    %far = arith.subi %qpos, %c200 : tensor<128x32xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<128x32xi32>
    %old = arith.cmpi sge, %qpos, %kpos : tensor<128x32xi32>
    %seen = arith.andi %near, %old : tensor<128x32xi1>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// Bounds that are loaded for each row are not known before the loop.
// CHECK-LABEL: tile.kernel @loaded(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @loaded(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %ends: !tile.view<128x32xi32>) outs(%y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %zero1, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %x = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %docs = tile.load %ends[%c0, %c0] [128, 32] : !tile.view<128x32xi32> -> tensor<128x32xi32>
    %seen = arith.cmpi sle, %kpos, %docs : tensor<128x32xi32>
    %s = arith.select %seen, %x, %hidden : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %mb = tile.broadcast %mn [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = arith.subf %s, %mb : tensor<128x32xf32>
    %e = math.exp %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %a = math.exp %md : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %w = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}
