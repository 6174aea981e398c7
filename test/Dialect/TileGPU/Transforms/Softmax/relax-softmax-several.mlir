// Several softmaxes in one loop keep their maxima independently, unless something else depends on one.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x64xf32>
!B = tensor<128x64xi1>
!I = tensor<128x64xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// CHECK-LABEL: tile.kernel @two_softmaxes(
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[S1:.*]] = arith.select
// CHECK-NOT:       tile.reduce max
// CHECK:           tile_gpu.any
// CHECK:           %[[R1:.*]]:4 = scf.if
// CHECK:             tile.reduce max %[[S1]]
// CHECK:           tile.dot %[[R1]]#2, %{{.*}}, %[[R1]]#3
// CHECK:           %[[S2:.*]] = arith.select
// CHECK-NOT:       tile.reduce max
// CHECK:           tile_gpu.any
// CHECK:           %[[R2:.*]]:4 = scf.if
// CHECK:             tile.reduce max %[[S2]]
// CHECK:           tile.dot %[[R2]]#2, %{{.*}}, %[[R2]]#3
// CHECK:           tile_gpu.yield %[[R1]]#0, %[[R1]]#1, %{{[^,]*}}, %[[R2]]#0, %[[R2]]#1,
tile.kernel @two_softmaxes(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !P
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> !I
  %in = tile.iota [64] : tensor<64xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %rt = tile.load %r[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %z:6 = scf.for %j = %c0 to %n step %c1 iter_args(%m1 = %low, %l1 = %none, %o1 = %zero, %m2 = %low, %l2 = %none, %o2 = %zero) -> (!C, !C, !O, !C, !C, !O) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %s1 = arith.select %seen, %x1, %hidden : !B, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [128, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [128, 64] : !C -> !O
    %oa1 = arith.mulf %o1, %ab1 : !O
    %w1 = tile.cast %e1 : !P to tensor<128x64xbf16>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<128x64xbf16>, tensor<64x64xbf16>, !O -> !O
    %k2 = tile.load %h[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x2 = tile.dot %rt, %k2, %zeros transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %s2 = arith.select %seen, %x2, %hidden : !B, !P
    %mt2 = tile.reduce max %s2 axis 1 keepdims : !P -> !C
    %mn2 = arith.maximumf %m2, %mt2 : !C
    %mb2 = tile.broadcast %mn2 [128, 64] : !C -> !P
    %sd2 = arith.subf %s2, %mb2 : !P
    %e2 = math.exp %sd2 : !P
    %md2 = arith.subf %m2, %mn2 : !C
    %a2 = math.exp %md2 : !C
    %lt2 = tile.reduce add %e2 axis 1 keepdims : !P -> !C
    %la2 = arith.mulf %l2, %a2 : !C
    %ln2 = arith.addf %la2, %lt2 : !C
    %ab2 = tile.broadcast %a2 [128, 64] : !C -> !O
    %oa2 = arith.mulf %o2, %ab2 : !O
    %w2 = tile.cast %e2 : !P to tensor<128x64xbf16>
    %on2 = tile.dot %w2, %vt, %oa2 : tensor<128x64xbf16>, tensor<64x64xbf16>, !O -> !O
    scf.yield %mn1, %ln1, %on1, %mn2, %ln2, %on2 : !C, !C, !O, !C, !C, !O
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  %b2 = tile.broadcast %z#4 [128, 64] : !C -> !O
  %y2 = arith.divf %z#5, %b2 : !O
  %yd = arith.subf %y1, %y2 : !O
  tile.store %yd, %y[%c0, %c0] : !O, !Y
}

// -----

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!P = tensor<128x64xf32>
!B = tensor<128x64xi1>
!I = tensor<128x64xi32>
!C = tensor<128x1xf32>
!O = tensor<128x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Exponentials relative to the maximum so far are added up.
// CHECK-LABEL: tile.kernel @count(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     tile_gpu.any
// CHECK:         tile.store
// WHY: @count: softmax missed: the maximum is updated in every iteration: it is used for more than division by the sum and max + log(sum)
tile.kernel @count(%q: !Q, %r: !Q, %k: !K, %h: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : !O
  %hidden = arith.constant dense<0xFF800000> : !P
  %ps = tile.splat %p [128] : i32 -> tensor<128xi32>
  %im = tile.iota [128] : tensor<128xi32>
  %qp = arith.addi %ps, %im : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> !I
  %in = tile.iota [64] : tensor<64xi32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %z:4 = scf.for %j = %c0 to %n step %c1 iter_args(%m1 = %low, %l1 = %none, %o1 = %zero, %t = %none) -> (!C, !C, !O, !C) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x1 = tile.dot %qt, %k1, %zeros transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %s1 = arith.select %seen, %x1, %hidden : !B, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [128, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [128, 64] : !C -> !O
    %oa1 = arith.mulf %o1, %ab1 : !O
    %w1 = tile.cast %e1 : !P to tensor<128x64xbf16>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<128x64xbf16>, tensor<64x64xbf16>, !O -> !O
    %tn = arith.addf %t, %lt1 : !C
    scf.yield %mn1, %ln1, %on1, %tn : !C, !C, !O, !C
  }
  %b1 = tile.broadcast %z#1 [128, 64] : !C -> !O
  %y1 = arith.divf %z#2, %b1 : !O
  %tb = tile.broadcast %z#3 [128, 64] : !C -> !O
  tile.store %tb, %y[%c0, %c0] : !O, !Y
  tile.store %y1, %y[%c0, %c0] : !O, !Y
}
