// A dot with a computed initial accumulator is issued after the previous iteration's deferred dot, which overlaps the
// computation.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-skip-masks --tile-gpu-relax-softmax --tile-gpu-assign-layouts \
// RUN:   --canonicalize --cse --tile-gpu-specialize-roles --canonicalize --cse | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// CHECK-LABEL: tile.kernel @slopes(
// CHECK:       } consumer {
// The first iteration has no dot to overlap.
// CHECK:         tile_gpu.take_group_turn
// CHECK:         arith.sitofp
// CHECK:         tile_gpu.async_dot %{{.*}} onto
// CHECK:         tile_gpu.pass_group_turn
// CHECK:         scf.for
// CHECK:           tile_gpu.take_group_turn
// CHECK-NEXT:      %[[WEIGHTED:.*]] = tile_gpu.async_dot %{{.*}} along_n onto
// CHECK:           %[[FAR:.*]] = arith.sitofp
// CHECK:           %[[T:.*]] = arith.mulf %[[FAR]]
// CHECK:           %[[SCORES:.*]] = tile_gpu.async_dot %{{.*}} onto %[[T]]
// CHECK-NEXT:      tile_gpu.pass_group_turn
// CHECK-NEXT:      tile_gpu.finish_dot %[[WEIGHTED]]{{.*}}later 1
// CHECK-NEXT:      tile_gpu.release
// CHECK:           tile_gpu.finish_dot %[[SCORES]]
// CHECK-NEXT:      tile_gpu.release
// CHECK:           math.exp2
tile.kernel @slopes(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %slope: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %scale = arith.constant dense<0.5> : !S
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
    %x0 = arith.mulf %d, %scale : !S
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [128, 32] : tensor<32xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %far = arith.subi %kpos, %qpos : !I
    %farf = arith.sitofp %far : !I to !S
    %slopes = tile.splat %slope [128, 32] : f32 -> !S
    %lean = arith.mulf %farf, %slopes : !S
    %x = arith.addf %x0, %lean : !S
    %s = arith.select %causal, %x, %hidden : tensor<128x32xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 32] : !C -> !S
    %xs = arith.subf %s, %mb : !S
    %e = math.exp %xs : !S
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
