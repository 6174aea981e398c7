// An iteration starts to load what only its number determines before it waits for tiles, also if it selects the view itself.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>

// CHECK-LABEL: tile.kernel @key_terms(
// CHECK:       consumer {
// CHECK:         scf.for {{.*}} -> {{.*}}tensor<128x64xf32
// CHECK-NOT:       tile_gpu.await
// CHECK:           %[[ROW:.*]] = tile.select
// CHECK-NOT:       tile_gpu.await
// CHECK:           tile.load %[[ROW]]
// CHECK:           tile_gpu.await
// CHECK:           tile_gpu.async_dot
tile.kernel @key_terms(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %bias: !tile.view<4x?xf32>) outs(%y: !Y) grid [1, 4] {
  %h = tile.block_id 1
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
    %row = tile.select %bias[%h] : !tile.view<4x?xf32> -> !tile.view<?xf32>
    %bt = tile.load %row[%j] [32] : !tile.view<?xf32> -> tensor<32xf32>
    %bs = tile.broadcast %bt [128, 32] : tensor<32xf32> -> !S
    %x = arith.addf %x0, %bs : !S
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
