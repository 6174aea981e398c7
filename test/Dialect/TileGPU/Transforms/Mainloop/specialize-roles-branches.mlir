// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-skip-masks --tile-gpu-assign-layouts --canonicalize --cse \
// RUN:   --tile-gpu-specialize-roles --canonicalize --cse | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Dots whose results are not read yet finish before an iteration branches.
// CHECK-LABEL: tile.kernel @no_maximum(
// CHECK:       } consumer {
// CHECK:         scf.for
// CHECK:           %[[PV:.*]] = tile_gpu.async_dot %{{.*}} along_n onto
// CHECK:           tile_gpu.finish_dot %[[PV]]
// CHECK:           scf.if %{{.*}} -> (tensor<128x32xf32
// CHECK:           math.exp
// CHECK:           scf.yield
tile.kernel @no_maximum(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}

// Near miss: without a branch they overlap it.
// CHECK-LABEL: tile.kernel @no_mask(
// CHECK:       } consumer {
// CHECK:         scf.for
// CHECK:           %[[PV:.*]] = tile_gpu.async_dot %{{.*}} along_n onto
// CHECK:           math.exp
// CHECK:           tile_gpu.finish_dot %[[PV]]
tile.kernel @no_mask(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %s = arith.mulf %d, %d : !S
    %e = math.exp %s : !S
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %ln = arith.addf %l, %lt : !C
    %w = tile.cast %e : !S to tensor<128x32xbf16>
    %on = tile.dot %w, %vt, %o : tensor<128x32xbf16>, tensor<32x64xbf16>, !O -> !O
    scf.yield %m, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %r#1 [128, 64] : !C -> !O
  %out = arith.divf %r#2, %lb : !O
  tile.store %out, %y[%c0, %c0] : !O, !Y
}
