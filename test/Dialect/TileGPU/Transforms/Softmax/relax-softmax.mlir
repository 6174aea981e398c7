// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-relax-softmax --split-input-file | FileCheck %s

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// An iteration keeps the current maximum, unless a sum of exponentials is out of range; then it is computed as written.
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
// CHECK-NOT:         arith.mulf %[[O]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[M]], %[[LN]], %[[P]], %{{.*}}
// A single warp group: results of the previous iteration's dots are used last.
// CHECK:           %[[LESS:.*]] = arith.cmpf une, %[[R]]#3, %{{.*}} : tensor<64x1xf32>
// CHECK:           %[[SHRINKS:.*]] = tile_gpu.any %[[LESS]] {tile_gpu.holds_at_first}
// CHECK:           %[[OA:.*]] = scf.if %[[SHRINKS]]
// CHECK:             %[[ROW:.*]] = tile.broadcast %[[R]]#3
// CHECK:             arith.mulf %[[O]], %[[ROW]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[O]]
// CHECK:           %[[ON:.*]] = tile.dot %[[R]]#2, %{{.*}}, %[[OA]]
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

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Warp groups that take turns keep the tensor cores busy for each other: one branch.
// CHECK-LABEL: tile.kernel @two_groups(
// CHECK:         %[[R:.*]]:4 = scf.if
// CHECK:           arith.mulf {{.*}} : tensor<128x64xf32>
// CHECK-NOT:     tile_gpu.any
// CHECK:         tile.dot %[[R]]#2, %{{.*}}, %[[R]]#3
tile.kernel @two_groups(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %none = arith.constant dense<0.0> : tensor<128x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %scale = arith.constant dense<0.5> : tensor<128x32xf32>
  %half = arith.constant dense<0.5> : tensor<128x1xf32>
  %qt = tile.load %q[%c0, %c0] [128, 64] : !Q -> tensor<128x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<128x64xbf16>, tensor<32x64xbf16>, tensor<128x32xf32> -> tensor<128x32xf32>
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

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A score beside those of the keys: 2^(x - c·m) scales like l.
// CHECK-LABEL: tile.kernel @sink(
// CHECK:         tile_gpu.any
// CHECK:         arith.addf %{{.*}}#1
tile.kernel @sink(%q: !Q, %k: !K, %v: !K, %n: index, %x: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %xs = tile.splat %x [64, 1] : f32 -> tensor<64x1xf32>
  %mx = arith.mulf %r#0, %half : tensor<64x1xf32>
  %xd = arith.subf %xs, %mx : tensor<64x1xf32>
  %xe = math.exp2 %xd : tensor<64x1xf32>
  %lx = arith.addf %r#1, %xe : tensor<64x1xf32>
  %lb = tile.broadcast %lx [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// … but not with other units.
// CHECK-LABEL: tile.kernel @sink_of_other_units(
// CHECK-NOT:     tile_gpu.any
// CHECK:         tile.store
tile.kernel @sink_of_other_units(%q: !Q, %k: !K, %v: !K, %n: index, %x: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %xs = tile.splat %x [64, 1] : f32 -> tensor<64x1xf32>
  %xd = arith.subf %xs, %r#0 : tensor<64x1xf32>
  %xe = math.exp2 %xd : tensor<64x1xf32>
  %lx = arith.addf %r#1, %xe : tensor<64x1xf32>
  %lb = tile.broadcast %lx [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A loop that continues the recurrence is independent of the maximum, too: keys without a mask, then those with one.
// CHECK-LABEL: tile.kernel @two_loops(
// CHECK:         tile_gpu.mainloop
// CHECK:         tile_gpu.any
// CHECK:         tile_gpu.mainloop
// CHECK:         tile_gpu.any
tile.kernel @two_loops(%q: !Q, %k: !K, %v: !K, %n: index, %n2: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %t:3 = scf.for %j = %n to %n2 step %c1 iter_args(%m = %r#0, %l = %r#1, %o = %r#2)
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
  %lb = tile.broadcast %t#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.divf %t#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// … but one with other exponents is not.
// CHECK-LABEL: tile.kernel @two_scales(
// CHECK:         tile_gpu.mainloop
// CHECK-NOT:     tile_gpu.any
// CHECK:         tile_gpu.mainloop
// CHECK:         tile_gpu.any
tile.kernel @two_scales(%q: !Q, %k: !K, %v: !K, %n: index, %n2: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %half = arith.constant dense<0.5> : tensor<64x1xf32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %scale2 = arith.constant dense<0.25> : tensor<64x32xf32>
  %half2 = arith.constant dense<0.25> : tensor<64x1xf32>
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
  %t:3 = scf.for %j = %n to %n2 step %c1 iter_args(%m = %r#0, %l = %r#1, %o = %r#2)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<64x1xf32>
    %ms = arith.mulf %mn, %half2 : tensor<64x1xf32>
    %mm = arith.negf %ms : tensor<64x1xf32>
    %mb = tile.broadcast %mm [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %d = math.fma %s, %scale2, %mb : tensor<64x32xf32>
    %e = math.exp2 %d : tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %mf = arith.mulf %md, %half2 : tensor<64x1xf32>
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
  %lb = tile.broadcast %t#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.divf %t#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A row whose scores are all hidden has a maximum of -10³⁰, whose product with c has an error of 10²²: it is subtracted
// first. A kept maximum is not as large.
// CHECK-LABEL: tile.kernel @huge(
// CHECK:         ^bb0(%{{[^:]*}}: index, {{.*}}, %[[M:[^:]*]]: tensor<64x1xf32>, %{{[^:]*}}: tensor<64x1xf32>, %{{[^:]*}}: tensor<{{[^)]*}}):
// CHECK:           %[[MS:.*]] = arith.mulf %[[M]], %{{.*}}
// CHECK:           arith.negf %[[MS]]
// CHECK:           math.fma
// CHECK:           math.exp2
// CHECK:           arith.cmpf olt, %[[M]], %{{.*}} : tensor<64x1xf32>
// CHECK:           scf.if
// CHECK:             %[[NEW:.*]] = arith.maximumf
// CHECK:             %[[ROW:.*]] = tile.broadcast %[[NEW]] [64, 32]
// CHECK:             %[[BELOW:.*]] = arith.subf %{{.*}}, %[[ROW]]
// CHECK:             %[[X:.*]] = arith.mulf %[[BELOW]]
// CHECK:             math.exp2 %[[X]]
// CHECK:           } else {
tile.kernel @huge(%q: !Q, %k: !K, %v: !K, %n: index, %b: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %hidden = arith.constant dense<-1.0e30> : tensor<64x32xf32>
    %bs = tile.splat %b [64, 32] : f32 -> tensor<64x32xf32>
    %seen = arith.cmpf olt, %dot, %bs : tensor<64x32xf32>
    %s = arith.select %seen, %dot, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
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

// m·c·ln 2 + ln l: the logarithm of the sum is independent of the maximum, too.
// CHECK-LABEL: tile.kernel @log_sum(
// CHECK:         tile_gpu.any
// CHECK:         math.log
tile.kernel @log_sum(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y, %z: !tile.view<64x1xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %lm = arith.constant dense<0.34657359> : tensor<64x1xf32>
  %base = arith.mulf %r#0, %lm : tensor<64x1xf32>
  %log = math.log %r#1 : tensor<64x1xf32>
  %lse = arith.addf %base, %log : tensor<64x1xf32>
  tile.store %lse, %z[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}


// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// m·c·ln 2 + log₂ l · ln 2.
// CHECK-LABEL: tile.kernel @log2_sum(
// CHECK:         tile_gpu.any
// CHECK:         math.log2
tile.kernel @log2_sum(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y, %z: !tile.view<64x1xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %lm = arith.constant dense<0.34657359> : tensor<64x1xf32>
  %base = arith.mulf %r#0, %lm : tensor<64x1xf32>
  %log = math.log2 %r#1 : tensor<64x1xf32>
  %ln2 = arith.constant dense<0.693147182> : tensor<64x1xf32>
  %logs = arith.mulf %ln2, %log : tensor<64x1xf32>
  %lse = arith.addf %base, %logs : tensor<64x1xf32>
  tile.store %lse, %z[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}


// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// The sum, unless it is zero, and its reciprocal.
// CHECK-LABEL: tile.kernel @by_reciprocal(
// CHECK:         tile_gpu.any
// CHECK:         arith.mulf %{{.*}}#2
tile.kernel @by_reciprocal(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %ones = arith.constant dense<1.0> : tensor<64x1xf32>
  %isnone = arith.cmpf oeq, %r#1, %none : tensor<64x1xf32>
  %some = arith.select %isnone, %ones, %r#1 : tensor<64x1xi1>, tensor<64x1xf32>
  %by = arith.divf %ones, %some : tensor<64x1xf32>
  %lb = tile.broadcast %by [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.mulf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}


// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// m + ln l changes if c·ln 2 is not 1.
// CHECK-LABEL: tile.kernel @another_base(
// CHECK-NOT:     tile_gpu.any
// CHECK:         math.log
tile.kernel @another_base(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y, %z: !tile.view<64x1xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %lm = arith.constant dense<1.0> : tensor<64x1xf32>
  %base = arith.mulf %r#0, %lm : tensor<64x1xf32>
  %log = math.log %r#1 : tensor<64x1xf32>
  %lse = arith.addf %base, %log : tensor<64x1xf32>
  tile.store %lse, %z[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}


// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// The maximum itself is stored.
// CHECK-LABEL: tile.kernel @both_stored(
// CHECK-NOT:     tile_gpu.any
// CHECK:         tile.store
tile.kernel @both_stored(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y, %z: !tile.view<64x1xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
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
  tile.store %r#0, %z[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}


// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A factor of 1 is dropped.
// CHECK-LABEL: tile.kernel @scaled_by_one(
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[S:.*]] = tile.dot
// CHECK:           %[[E:.*]] = math.fma %[[S]]
// CHECK-NEXT:      math.exp2 %[[E]] fastmath<afn>
// CHECK:           tile_gpu.any
tile.kernel @scaled_by_one(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %one = arith.constant dense<1.0> : tensor<64x32xf32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %s = arith.mulf %dot, %scale : tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<64x1xf32>
    %mm = arith.negf %mn : tensor<64x1xf32>
    %mb = tile.broadcast %mm [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %d = math.fma %s, %one, %mb : tensor<64x32xf32>
    %e = math.exp %d : tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %a = math.exp %md : tensor<64x1xf32>
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

// A cap: tanh as an instruction, one product before it.
// CHECK-LABEL: tile.kernel @capped(
// CHECK-SAME:    %[[CAP:[^:]*]]: f32)
// CHECK:         %[[BY:.*]] = arith.divf %{{.*}}, %[[CAP]] : f32
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[S:.*]] = tile.dot
// CHECK:           %[[X:.*]] = arith.mulf %[[S]], %{{.*}} fastmath<contract>
// CHECK-NEXT:      math.tanh %[[X]] fastmath<afn>
// CHECK:           tile_gpu.any
tile.kernel @capped(%q: !Q, %k: !K, %v: !K, %n: index, %cap: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %caps = tile.splat %cap [64, 32] : f32 -> tensor<64x32xf32>
    %sk = arith.mulf %dot, %scale : tensor<64x32xf32>
    %sc = arith.divf %sk, %caps : tensor<64x32xf32>
    %th = math.tanh %sc : tensor<64x32xf32>
    %s = arith.mulf %th, %caps : tensor<64x32xf32>
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

// A tanh with other uses stays exact.
// CHECK-LABEL: tile.kernel @capped_and_stored(
// CHECK:           math.tanh %{{[^ ]*}} : tensor
tile.kernel @capped_and_stored(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %s = math.tanh %dot : tensor<64x32xf32>
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
    %both = arith.addf %e, %s : tensor<64x32xf32>
    %p = tile.cast %both : tensor<64x32xf32> to tensor<64x32xbf16>
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

// 0 replaces a missing maximum, which is computed then.
// CHECK-LABEL: tile.kernel @not_yet(
// CHECK:         %[[LARGE:.*]] = tile_gpu.any
// CHECK:         %[[NONE:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : tensor<64x1xf32>
// CHECK:         %[[ANY:.*]] = tile_gpu.any %[[NONE]]
// CHECK:         %[[BOTH:.*]] = arith.ori %[[LARGE]], %[[ANY]] {tile_gpu.holds_at_first}
// CHECK:         scf.if %[[BOTH]]
tile.kernel @not_yet(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %isnone = arith.cmpf oeq, %mn, %low : tensor<64x1xf32>
    %mg = arith.select %isnone, %none, %mn : tensor<64x1xi1>, tensor<64x1xf32>
    %ms = arith.mulf %mg, %half : tensor<64x1xf32>
    %mm = arith.negf %ms : tensor<64x1xf32>
    %mb = tile.broadcast %mm [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %d = math.fma %s, %scale, %mb : tensor<64x32xf32>
    %e = math.exp2 %d : tensor<64x32xf32>
    %md = arith.subf %m, %mg : tensor<64x1xf32>
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

// A mask hides keys at both ends: iterations run from the last one. Rows that see none of the first keys keep a finite
// maximum.
// CHECK-LABEL: tile.kernel @near(
// CHECK:         %[[LOW:.*]] = arith.constant dense<-1.000000e+30> : tensor<64x1xf32>
// CHECK:         tile_gpu.mainloop {{.*}}init(%[[LOW]],
// CHECK:           tile_gpu.any %{{.*}} {tile_gpu.holds_at_first}
// CHECK:         } {tile_gpu.descending} ->
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

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A causal mask alone: blocks that walk the same keys at the same time share them in L2.
// CHECK-LABEL: tile.kernel @causal_alone(
// CHECK-NOT:     tile_gpu.descending
// CHECK:         tile.store
tile.kernel @causal_alone(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %half = arith.constant dense<0.5> : tensor<64x1xf32>
  %c32 = arith.constant 32 : index
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
    %s = arith.select %seen, %dot, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
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

// … but not if the initial maximum comes from elsewhere, and may be minus infinity.
// CHECK-LABEL: tile.kernel @begun_elsewhere(
// CHECK-NOT:     tile_gpu.descending
// CHECK:         tile.store
tile.kernel @begun_elsewhere(%q: !Q, %k: !K, %v: !K, %n: index, %b: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = tile.splat %b [64, 1] : f32 -> tensor<64x1xf32>
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

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Results other than quotients depend on the maximum.
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

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Powers that flush to zero are powers.
// CHECK-LABEL: tile.kernel @flushed(
// CHECK:         tile_gpu.mainloop
// CHECK:           tile.dot
// CHECK-NOT:       tile.reduce max
// CHECK:           %[[E:.*]] = math.exp2
// CHECK-NEXT:      tile.reduce add %[[E]]
tile.kernel @flushed(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<64x32xf32>
  %least32 = arith.constant dense<1.17549435E-38> : tensor<64x32xf32>
  %least1 = arith.constant dense<1.17549435E-38> : tensor<64x1xf32>
  %sign32 = arith.constant dense<0x80000000> : tensor<64x32xi32>
  %sign1 = arith.constant dense<0x80000000> : tensor<64x1xi32>
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
    %e0 = math.exp2 %d : tensor<64x32xf32>
    %es = math.absf %e0 : tensor<64x32xf32>
    %et = arith.cmpf olt, %es, %least32 : tensor<64x32xf32>
    %eb = arith.bitcast %e0 : tensor<64x32xf32> to tensor<64x32xi32>
    %eg = arith.andi %eb, %sign32 : tensor<64x32xi32>
    %ez = arith.bitcast %eg : tensor<64x32xi32> to tensor<64x32xf32>
    %e = arith.select %et, %ez, %e0 : tensor<64x32xi1>, tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64x1xf32>
    %mf = arith.mulf %md, %half : tensor<64x1xf32>
    %a0 = math.exp2 %mf : tensor<64x1xf32>
    %as = math.absf %a0 : tensor<64x1xf32>
    %at = arith.cmpf olt, %as, %least1 : tensor<64x1xf32>
    %ab = arith.bitcast %a0 : tensor<64x1xf32> to tensor<64x1xi32>
    %ag = arith.andi %ab, %sign1 : tensor<64x1xi32>
    %az = arith.bitcast %ag : tensor<64x1xi32> to tensor<64x1xf32>
    %a = arith.select %at, %az, %a0 : tensor<64x1xi1>, tensor<64x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %la = arith.mulf %l, %a : tensor<64x1xf32>
    %ln = arith.addf %la, %lt : tensor<64x1xf32>
    %aw = tile.broadcast %a [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %oa = arith.mulf %o, %aw : tensor<64x64xf32>
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

// The same with maxima of rank 1, whose powers move as they are.
// CHECK-LABEL: tile.kernel @flushed_rows(
// CHECK:         tile_gpu.mainloop
// CHECK:           tile.dot
// CHECK-NOT:       math.absf
// CHECK:           scf.if
// CHECK:             tile.reduce max
// CHECK:             math.exp2
tile.kernel @flushed_rows(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %least32 = arith.constant dense<1.17549435E-38> : tensor<64x32xf32>
  %least1 = arith.constant dense<1.17549435E-38> : tensor<64xf32>
  %sign32 = arith.constant dense<0x80000000> : tensor<64x32xi32>
  %sign1 = arith.constant dense<0x80000000> : tensor<64xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 : tensor<64x32xf32> -> tensor<64xf32>
    %mn = arith.maximumf %m, %mt : tensor<64xf32>
    %mc = tile.expand_dims %mn, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %mb = tile.broadcast %mc [64, 32] : tensor<64x1xf32> -> tensor<64x32xf32>
    %d = arith.subf %s, %mb : tensor<64x32xf32>
    %e0 = math.exp2 %d : tensor<64x32xf32>
    %es = math.absf %e0 : tensor<64x32xf32>
    %et = arith.cmpf olt, %es, %least32 : tensor<64x32xf32>
    %eb = arith.bitcast %e0 : tensor<64x32xf32> to tensor<64x32xi32>
    %eg = arith.andi %eb, %sign32 : tensor<64x32xi32>
    %ez = arith.bitcast %eg : tensor<64x32xi32> to tensor<64x32xf32>
    %e = arith.select %et, %ez, %e0 : tensor<64x32xi1>, tensor<64x32xf32>
    %md = arith.subf %m, %mn : tensor<64xf32>
    %a0 = math.exp2 %md : tensor<64xf32>
    %as = math.absf %a0 : tensor<64xf32>
    %at = arith.cmpf olt, %as, %least1 : tensor<64xf32>
    %ab = arith.bitcast %a0 : tensor<64xf32> to tensor<64xi32>
    %ag = arith.andi %ab, %sign1 : tensor<64xi32>
    %az = arith.bitcast %ag : tensor<64xi32> to tensor<64xf32>
    %a = arith.select %at, %az, %a0 : tensor<64xi1>, tensor<64xf32>
    %lt = tile.reduce add %e axis 1 : tensor<64x32xf32> -> tensor<64xf32>
    %la = arith.mulf %l, %a : tensor<64xf32>
    %ln = arith.addf %la, %lt : tensor<64xf32>
    %ac = tile.expand_dims %a, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %aw = tile.broadcast %ac [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %oa = arith.mulf %o, %aw : tensor<64x64xf32>
    %p = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
  }
  %lc = tile.expand_dims %r#1, 1 : tensor<64xf32> -> tensor<64x1xf32>
  %lb = tile.broadcast %lc [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}
