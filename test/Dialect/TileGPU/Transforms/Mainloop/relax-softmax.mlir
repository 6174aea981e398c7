// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --split-input-file | FileCheck %s

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// An iteration keeps the maximum it is given, unless a sum of exponentials leaves their range; then it does what is written.
// CHECK-LABEL: tile.kernel @online(
// CHECK:         tile_gpu.mainloop
// CHECK:         ^bb0(%{{[^:]*}}: index, {{.*}}, %[[M:[^:]*]]: tensor<{{[0-9]*}}x1xf32>, %[[L:[^:]*]]: tensor<{{[0-9]*}}x1xf32>, %[[O:[^:]*]]: tensor<{{[^)]*}}):
// CHECK:           %[[S:.*]] = tile.dot
// CHECK-NOT:       tile.reduce max
// CHECK:           %[[MS:.*]] = arith.mulf %[[M]], %{{.*}}
// CHECK:           arith.negf %[[MS]]
// CHECK:           %[[E:.*]] = math.exp2
// CHECK:           %[[LT:.*]] = tile.reduce add %[[E]]
// CHECK:           %[[P:.*]] = tile.cast %[[E]]
// CHECK:           %[[LN:.*]] = arith.addf %[[L]], %[[LT]]
// CHECK:           %[[OUT:.*]] = arith.cmpf ugt, %[[LT]], %{{.*}} : tensor<64x1xf32>
// CHECK:           %[[ANY:.*]] = tile_gpu.any %[[OUT]] {tile_gpu.holds_at_first}
// CHECK:           %[[R:.*]]:4 = scf.if %[[ANY]]
// CHECK:             tile.reduce max %[[S]]
// CHECK:             arith.maximumf %[[M]]
// CHECK:             arith.mulf %[[O]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[M]], %[[LN]], %[[O]], %[[P]]
// CHECK:           %[[ON:.*]] = tile.dot %[[R]]#3, %{{.*}}, %[[R]]#2
// CHECK:           tile_gpu.yield %[[R]]#0, %[[R]]#1, %[[ON]]
tile.kernel @online(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %half = arith.constant dense<0.5> : tensor<64x1xf32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<64x1xf32>
    %ms = arith.mulf %mn, %half : tensor<64x1xf32>
    %mm = arith.negf %ms : tensor<64x1xf32>
    %mb = tile.broadcast %mm [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %d = math.fma %s, %scale, %mb : tensor<64x32xf32>
    %e = math.exp2 %d : tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %mf = arith.mulf %md, %half : tensor<64x1xf32>
    %a = math.exp2 %mf : tensor<64x1xf32>
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
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// What is not only a quotient depends on the maximum.
// CHECK-LABEL: tile.kernel @sums(
// CHECK-NOT:     tile_gpu.any
// CHECK-LABEL: func.func @end
tile.kernel @sums(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %half = arith.constant dense<0.5> : tensor<64x1xf32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<64x1xf32>
    %ms = arith.mulf %mn, %half : tensor<64x1xf32>
    %mm = arith.negf %ms : tensor<64x1xf32>
    %mb = tile.broadcast %mm [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %d = math.fma %s, %scale, %mb : tensor<64x32xf32>
    %e = math.exp2 %d : tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %mf = arith.mulf %md, %half : tensor<64x1xf32>
    %a = math.exp2 %mf : tensor<64x1xf32>
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
  %out = arith.addf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}
func.func @end() { return }
