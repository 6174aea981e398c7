// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --tile-gpu-assign-layouts --canonicalize --cse \
// RUN:   --tile-gpu-specialize-roles --canonicalize --cse | FileCheck %s

// Iterations from the last to the first: in iteration i, producer and consumer use tile n - 1 - i.
!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// CHECK-LABEL: tile.kernel @near(
// CHECK:       producer {
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N:.*]] step %c1
// CHECK:           %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK:           %[[J:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK:           %[[ROW:.*]] = arith.muli %[[J]], %c32
// CHECK:           tile_gpu.tma_load %{{.*}}[%[[ROW]], %c0]
// CHECK:       } consumer {
// CHECK:         scf.if
// CHECK:           %[[FIRST:.*]] = arith.subi %[[N]], %c1
// CHECK:           arith.muli %[[FIRST]], %c32
// CHECK:           scf.for %[[I:.*]] = %c1 to %[[N]] step %c1
// CHECK:             %[[J:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK:             arith.muli %[[J]], %c32
tile.kernel @near(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %half = arith.constant dense<0.5> : tensor<64x1xf32>
  %c32 = arith.constant 32 : index
  %ws = arith.constant dense<16> : tensor<64x32xi32>
  %hidden = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  %ik = tile.iota [32] : tensor<32xi32>
  %iq = tile.iota [64] : tensor<64xi32>
  %qc = tile.expand_dims %iq, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %ik : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x32xi32>
    %far = arith.subi %qpos, %ws : tensor<64x32xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<64x32xi32>
    %both = arith.andi %seen, %near : tensor<64x32xi1>
    %s = arith.select %both, %dot, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
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
