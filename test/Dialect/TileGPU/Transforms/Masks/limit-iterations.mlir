// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-limit-iterations --split-input-file | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// The last row of group g is at p + 64·(g + 1) - 1: it sees that many keys plus one, 32 per iteration.
// CHECK-LABEL: tile.kernel @causal(
// CHECK-SAME:    %[[P:[^:]*]]: i32)
// CHECK:         %[[G:.*]] = tile_gpu.group
// CHECK:         %[[NEXT:.*]] = arith.addi %[[G]], %c1{{.*}} : index
// CHECK:         %[[ROWS:.*]] = arith.muli %[[NEXT]], %c64{{.*}} : index
// CHECK:         %[[LAST:.*]] = arith.subi %[[ROWS]], %c1{{.*}} : index
// CHECK:         %[[UP:.*]] = arith.addi %[[LAST]], %c32{{.*}} : index
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[P]] : i32 to index
// CHECK:         %[[KEYS:.*]] = arith.addi %[[UP]], %[[FIRST]] : index
// CHECK:         %[[NONE:.*]] = arith.maxsi %[[KEYS]], %c0{{.*}} : index
// CHECK:         %[[ITERATIONS:.*]] = arith.divui %[[NONE]], %c32{{.*}} : index
// CHECK:         tile_gpu.mainloop
// CHECK:           consume
// CHECK-NEXT:      ^bb0
// CHECK-NEXT:      tile_gpu.limit_iterations %[[ITERATIONS]]
tile.kernel @causal(%q: !Q, %k: !K, %v: !K, %n: index, %pos: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %none = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %scale = arith.constant dense<0.5> : tensor<128x32xf32>
  %half = arith.constant dense<0.5> : tensor<128x1xf32>
  %lows = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %c32 = arith.constant 32 : index
  %ps = tile.splat %pos [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x32xi32>
    %qk = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %s = arith.select %seen, %qk, %lows : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %ms = arith.mulf %mn, %half : tensor<128x1xf32>
    %mm = arith.negf %ms : tensor<128x1xf32>
    %mb = tile.broadcast %mm [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = math.fma %s, %scale, %mb : tensor<128x32xf32>
    %e = math.exp2 %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %mf = arith.mulf %md, %half : tensor<128x1xf32>
    %a = math.exp2 %mf : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %p = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// -----

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Hidden scores count: they are not minus infinity.
// CHECK-LABEL: tile.kernel @visible(
// CHECK-NOT:     tile_gpu.limit_iterations
tile.kernel @visible(%q: !Q, %k: !K, %v: !K, %n: index, %pos: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %none = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %scale = arith.constant dense<0.5> : tensor<128x32xf32>
  %half = arith.constant dense<0.5> : tensor<128x1xf32>
  %lows = arith.constant dense<-1.0> : tensor<128x32xf32>
  %c32 = arith.constant 32 : index
  %ps = tile.splat %pos [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x32xi32>
    %qk = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %s = arith.select %seen, %qk, %lows : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %ms = arith.mulf %mn, %half : tensor<128x1xf32>
    %mm = arith.negf %ms : tensor<128x1xf32>
    %mb = tile.broadcast %mm [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = math.fma %s, %scale, %mb : tensor<128x32xf32>
    %e = math.exp2 %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %mf = arith.mulf %md, %half : tensor<128x1xf32>
    %a = math.exp2 %mf : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %p = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

// -----

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// One group has all rows.
// CHECK-LABEL: tile.kernel @alone(
// CHECK-NOT:     tile_gpu.limit_iterations
tile.kernel @alone(%q: !Q, %k: !K, %v: !K, %n: index, %pos: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %none = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %scale = arith.constant dense<0.5> : tensor<128x32xf32>
  %half = arith.constant dense<0.5> : tensor<128x1xf32>
  %lows = arith.constant dense<0xFF800000> : tensor<128x32xf32>
  %c32 = arith.constant 32 : index
  %ps = tile.splat %pos [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 32] : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> tensor<128x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x32xi32>
    %qk = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
    %s = arith.select %seen, %qk, %lows : tensor<128x32xi1>, tensor<128x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<128x1xf32>
    %ms = arith.mulf %mn, %half : tensor<128x1xf32>
    %mm = arith.negf %ms : tensor<128x1xf32>
    %mb = tile.broadcast %mm [128, 32] : tensor<128x1xf32> -> tensor<128x32xf32>
    %d = math.fma %s, %scale, %mb : tensor<128x32xf32>
    %e = math.exp2 %d : tensor<128x32xf32>
    %md = arith.subf %m, %mn : tensor<128x1xf32>
    %mf = arith.mulf %md, %half : tensor<128x1xf32>
    %a = math.exp2 %mf : tensor<128x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<128x32xf32> -> tensor<128x1xf32>
    %la = arith.mulf %l, %a : tensor<128x1xf32>
    %ln = arith.addf %la, %lt : tensor<128x1xf32>
    %ab = tile.broadcast %a [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %oa = arith.mulf %o, %ab : tensor<128x64xf32>
    %p = tile.cast %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<128x32xbf16>, tensor<32x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %mn, %ln, %on : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %lb = tile.broadcast %r#1 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %out = arith.divf %r#2, %lb : tensor<128x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<128x64xf32>, !Y
}

