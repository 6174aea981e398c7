// Maxima of scores that are scaled by a factor known only at launch.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --split-input-file | FileCheck %s

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// m' = max(m, c·max S), e = 2^(c·S - m'): m is kept, as the exponents use it. A second loop continues, whose small
// powers the kernel flushes.
// CHECK-LABEL: tile.kernel @scaled_maximum(
// CHECK:         tile_gpu.mainloop
// CHECK:         ^bb0(%{{[^:]*}}: index, {{.*}}, %[[M:[^:]*]]: tensor<64x1xf32>, %{{[^:]*}}: tensor<64x1xf32>, %{{[^:]*}}: tensor<{{[^)]*}}):
// CHECK:           %[[S:.*]] = tile.dot
// CHECK-NOT:       tile.reduce max
// CHECK:           %[[MS:.*]] = arith.mulf %[[M]], %{{.*}} : tensor<64x1xf32>
// CHECK:           arith.negf %[[MS]]
// CHECK:           %[[C:.*]] = tile.splat %{{[0-9]*}} [64, 32]
// CHECK:           math.fma %[[S]], %[[C]], %{{.*}} fastmath<contract>
// CHECK:           %[[ANY:.*]] = tile_gpu.any %{{.*}} {tile_gpu.holds_at_first}
// CHECK:           scf.if %[[ANY]]
// CHECK:             %[[MAX:.*]] = tile.reduce max %[[S]]
// CHECK:             %[[UNITS:.*]] = arith.mulf %[[MAX]], %{{.*}}
// CHECK:             arith.maxnumf %[[M]], %[[UNITS]]
// CHECK:         tile_gpu.mainloop
// CHECK:           tile_gpu.any
// CHECK:         tile.rounded div
tile.kernel @scaled_maximum(%q: !Q, %k: !K, %v: !K, %n: index, %factor: f32, %n2: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %log2e = arith.constant 1.44269502 : f32
  %c = arith.mulf %factor, %log2e : f32
  %scale = tile.splat %c [64, 32] : f32 -> tensor<64x32xf32>
  %column = tile.splat %c [64, 1] : f32 -> tensor<64x1xf32>
  %least = arith.constant dense<1.17549435E-38> : tensor<64x32xf32>
  %signs = arith.constant dense<-2147483648> : tensor<64x32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mc = arith.mulf %mt, %column : tensor<64x1xf32>
    %mn = arith.maxnumf %m, %mc : tensor<64x1xf32>
    %mb = tile.broadcast %mn [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %mm = arith.negf %mb : tensor<64x32xf32>
    %d = math.fma %s, %scale, %mm : tensor<64x32xf32>
    %e = math.exp2 %d : tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %a = math.exp2 %md : tensor<64x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %la = arith.mulf %l, %a : tensor<64x1xf32>
    %ln = arith.addf %la, %lt : tensor<64x1xf32>
    %ab = tile.broadcast %a [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %t:3 = scf.for %j = %n to %n2 step %c1 iter_args(%m = %r#0, %l = %r#1, %o = %r#2)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mc = arith.mulf %mt, %column : tensor<64x1xf32>
    %mn = arith.maxnumf %m, %mc : tensor<64x1xf32>
    %mb = tile.broadcast %mn [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %mm = arith.negf %mb : tensor<64x32xf32>
    %d = math.fma %s, %scale, %mm : tensor<64x32xf32>
    %e0 = math.exp2 %d : tensor<64x32xf32>
    %size = math.absf %e0 : tensor<64x32xf32>
    %small = arith.cmpf olt, %size, %least : tensor<64x32xf32>
    %bits = arith.bitcast %e0 : tensor<64x32xf32> to tensor<64x32xi32>
    %sign = arith.andi %bits, %signs : tensor<64x32xi32>
    %zeroed = arith.bitcast %sign : tensor<64x32xi32> to tensor<64x32xf32>
    %e = arith.select %small, %zeroed, %e0 : tensor<64x32xi1>, tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %a = math.exp2 %md : tensor<64x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %la = arith.mulf %l, %a : tensor<64x1xf32>
    %ln = arith.addf %la, %lt : tensor<64x1xf32>
    %ab = tile.broadcast %a [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %lb = tile.broadcast %t#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = tile.rounded div %t#2, %lb mode(even) ftz : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// The maximum is one of scores times another factor.
// CHECK-LABEL: tile.kernel @other_factor(
// CHECK-NOT:     tile_gpu.any
// CHECK:         tile.rounded div
tile.kernel @other_factor(%q: !Q, %k: !K, %v: !K, %n: index, %factor: f32, %n2: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %log2e = arith.constant 1.44269502 : f32
  %c = arith.mulf %factor, %log2e : f32
  %scale = tile.splat %c [64, 32] : f32 -> tensor<64x32xf32>
  %column = tile.splat %factor [64, 1] : f32 -> tensor<64x1xf32>
  %least = arith.constant dense<1.17549435E-38> : tensor<64x32xf32>
  %signs = arith.constant dense<-2147483648> : tensor<64x32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mc = arith.mulf %mt, %column : tensor<64x1xf32>
    %mn = arith.maxnumf %m, %mc : tensor<64x1xf32>
    %mb = tile.broadcast %mn [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %mm = arith.negf %mb : tensor<64x32xf32>
    %d = math.fma %s, %scale, %mm : tensor<64x32xf32>
    %e = math.exp2 %d : tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %a = math.exp2 %md : tensor<64x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %la = arith.mulf %l, %a : tensor<64x1xf32>
    %ln = arith.addf %la, %lt : tensor<64x1xf32>
    %ab = tile.broadcast %a [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = tile.rounded div %r#2, %lb mode(even) ftz : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}
