// Weights are exponentials times factors, or zero where a mask says so: what does not depend on scores keeps the maximum.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-skip-masks --tile-gpu-relax-softmax --split-input-file | FileCheck %s

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Scales of values. The product is computed with the kept maximum, and again where the maximum is updated.
// CHECK-LABEL: tile.kernel @scaled_values(
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[E:.*]] = math.exp2 %{{.*}} fastmath<afn>
// CHECK:           %[[SUM:.*]] = tile.reduce add %[[E]]
// CHECK:           %[[W:.*]] = arith.mulf %[[E]], %{{.*}}
// CHECK:           tile.cast %[[W]]
// CHECK:           tile_gpu.any
// CHECK:           scf.if
// CHECK:             tile.reduce max
// CHECK:             %[[E1:.*]] = math.exp2 %{{.*}} fastmath<afn>
// CHECK:             %[[W1:.*]] = arith.mulf %[[E1]], %{{.*}}
// CHECK:             tile.cast %[[W1]]
tile.kernel @scaled_values(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index, %vs: !tile.view<?xf32>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %s = arith.addf %x, %zeros : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %vl = tile.load %vs[%j] [32] : !tile.view<?xf32> -> tensor<32xf32>
    %vb = tile.broadcast %vl [64, 32] : tensor<32xf32> -> !P
    %w = arith.mulf %e, %vb : !P
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Dropout, in f16: a factor below 2 keeps exponentials of up to 2¹⁵ in range. The hash is computed beside the exponentials,
// in each version of the iteration.
// CHECK-LABEL: tile.kernel @dropped(
// CHECK:         tile_gpu.mainloop
// CHECK:           math.exp2 %{{.*}} fastmath<afn>
// CHECK:           arith.select
// CHECK:           tile_gpu.any
// CHECK-NOT:       arith.trunci
// CHECK:           scf.if
// CHECK:             tile.reduce max
// CHECK:             arith.trunci
// CHECK:             math.exp2
tile.kernel @dropped(%q: !tile.view<64x64xf16>, %k: !tile.view<?x64xf16>, %v: !tile.view<?x64xf16>, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xf16> -> tensor<64x64xf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xf16> -> tensor<32x64xf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xf16> -> tensor<32x64xf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %s = arith.addf %x, %zeros : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %rows = tile.iota [64] : tensor<64xi32>
    %rc = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %rb = tile.broadcast %rc [64, 32] : tensor<64x1xi32> -> !I
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [64, 32] : i32 -> !I
    %h = arith.muli %rb, %js : !I
    %odd = arith.trunci %h : !I to tensor<64x32xi1>
    %grow = arith.constant dense<1.25> : !P
    %eg = arith.mulf %e, %grow : !P
    %w = arith.select %odd, %eg, %zeros : tensor<64x32xi1>, !P
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Near miss: loaded factors of any size may take weights out of the range of f16.
// CHECK-LABEL: tile.kernel @scaled_values_f16(
// CHECK-NOT:     math.exp2
// CHECK:         tile.store
tile.kernel @scaled_values_f16(%q: !tile.view<64x64xf16>, %k: !tile.view<?x64xf16>, %v: !tile.view<?x64xf16>, %n: index, %vs: !tile.view<?xf32>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xf16> -> tensor<64x64xf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xf16> -> tensor<32x64xf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xf16> -> tensor<32x64xf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xf16>, tensor<32x64xf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %s = arith.addf %x, %zeros : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %vl = tile.load %vs[%j] [32] : !tile.view<?xf32> -> tensor<32xf32>
    %vb = tile.broadcast %vl [64, 32] : tensor<32xf32> -> !P
    %w = arith.mulf %e, %vb : !P
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Near miss: a factor that depends on the scores.
// CHECK-LABEL: tile.kernel @gated_by_scores(
// CHECK-NOT:     math.exp2
// CHECK:         tile.store
tile.kernel @gated_by_scores(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %s = arith.addf %x, %zeros : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %w = arith.mulf %e, %x : !P
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Near miss: the sum is one of scaled exponentials.
// CHECK-LABEL: tile.kernel @scaled_sum(
// CHECK-NOT:     math.exp2
// CHECK:         tile.store
tile.kernel @scaled_sum(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index, %vs: !tile.view<?xf32>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %s = arith.addf %x, %zeros : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %vl = tile.load %vs[%j] [32] : !tile.view<?xf32> -> tensor<32xf32>
    %vb = tile.broadcast %vl [64, 32] : tensor<32xf32> -> !P
    %w = arith.mulf %e, %vb : !P
    %lt = tile.reduce add %w axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Functions that scores depend on continuously are approximate.
// CHECK-LABEL: tile.kernel @logarithm(
// CHECK:         math.log %{{.*}} fastmath<afn>
tile.kernel @logarithm(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %in = tile.iota [32] : tensor<32xi32>
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kf = arith.sitofp %kp : tensor<32xi32> to tensor<32xf32>
    %kb = tile.broadcast %kf [64, 32] : tensor<32xf32> -> !P
    %log = math.log %kb : !P
    %s = arith.subf %x, %log : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %w = arith.mulf %e, %scale : !P
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Near miss: rounding to an integer turns a small error into 1.
// CHECK-LABEL: tile.kernel @bucket(
// CHECK:         math.log %{{[^ ]*}} : tensor
// CHECK-NOT:     math.log {{.*}}fastmath
// CHECK:         tile.store
tile.kernel @bucket(%q: !tile.view<64x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !tile.view<?x64xbf16> -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %x = arith.mulf %dot, %scale : !P
    %in = tile.iota [32] : tensor<32xi32>
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kf = arith.sitofp %kp : tensor<32xi32> to tensor<32xf32>
    %kb = tile.broadcast %kf [64, 32] : tensor<32xf32> -> !P
    %log = math.log %kb : !P
    %bucket = arith.fptosi %log : !P to !I
    %bias = arith.sitofp %bucket : !I to !P
    %s = arith.subf %x, %bias : !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %w = arith.mulf %e, %scale : !P
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %w : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}
