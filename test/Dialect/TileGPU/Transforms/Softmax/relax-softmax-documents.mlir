// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Document ids may hide the first iterations, a causal mask hides the last: that one computes the maximum. The stand-in
// for minus infinity is out of range in the first iteration.
// CHECK-LABEL: tile.kernel @documents(
// CHECK:         arith.ori %{{.*}}, %{{.*}} {tile_gpu.holds_at_first}
// CHECK:         tile_gpu.descending
tile.kernel @documents(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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

// Near miss: a causal mask alone. When the maximum is computed, exponents are one fma; rows that have seen nothing
// subtract zero.
// CHECK-LABEL: tile.kernel @causal(
// CHECK:           %[[NEW:.*]] = arith.maximumf
// CHECK:           %[[UNSEEN:.*]] = arith.cmpf oeq, %[[NEW]], %{{.*}} : tensor<128x1xf32>
// CHECK:           %[[FROM:.*]] = arith.select %[[UNSEEN]], %{{.*}}, %[[NEW]]
// CHECK:           arith.mulf %[[FROM]]
// CHECK-NOT:       arith.subf %{{.*}} : tensor<128x32xf32>
// CHECK:           math.fma %{{.*}} : tensor<128x32xf32>
// CHECK-NOT:     tile_gpu.descending
tile.kernel @causal(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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

// Near miss: an initial maximum in range may do for the first scores. Rows with that maximum may have seen keys, so it
// is subtracted.
// CHECK-LABEL: tile.kernel @begun(
// CHECK-NOT:     tile_gpu.holds_at_first
// CHECK:           %[[NEW:.*]] = arith.maximumf
// CHECK-NOT:       arith.select
// CHECK:           arith.mulf %[[NEW]]
// CHECK-NOT:       arith.subf %{{.*}} : tensor<128x32xf32>
// CHECK:           math.fma %{{.*}} : tensor<128x32xf32>
tile.kernel @begun(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1000.0> : !C
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
