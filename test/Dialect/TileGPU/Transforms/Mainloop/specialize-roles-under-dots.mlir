// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --tile-gpu-assign-layouts --canonicalize --cse \
// RUN:   --tile-gpu-specialize-roles --canonicalize --cse | FileCheck %s

// A single warp group must keep the tensor cores busy itself: it computes exponentials while they multiply those of the
// previous iteration.
!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// CHECK-LABEL: tile.kernel @online(
// CHECK:       } consumer {
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = tile_gpu.async_dot
// CHECK:           %[[PV:.*]] = tile_gpu.async_dot
// CHECK:           tile_gpu.finish_dot %[[S]] later 1
// CHECK:           tile_gpu.release
// CHECK-NOT:       tile_gpu.finish_dot
// CHECK:           math.exp2
// CHECK:           scf.if
// CHECK:           tile_gpu.finish_dot %[[PV]]
// CHECK-NEXT:      tile_gpu.release
// CHECK:           scf.if
// CHECK-NEXT:        tile.broadcast
// CHECK-NEXT:        arith.mulf
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
