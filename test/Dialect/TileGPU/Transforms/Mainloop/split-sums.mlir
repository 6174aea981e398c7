// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-split-sums --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-split-sums --tile-gpu-relax-softmax --tile-gpu-assign-layouts --split-input-file | FileCheck %s --check-prefix=LAYOUTS

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Four partial sums per row; they share the row's factor.
// CHECK-LABEL: tile.kernel @online(
// CHECK:         %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<64x4xf32>
// CHECK:         %[[R:.*]]:3 = tile_gpu.mainloop {{.*}} init(%{{[^,]*}}, %[[NONE]], %{{[^,]*}} :
// CHECK:         ^bb0(%{{[^:]*}}: index, {{.*}}, %[[L:[^:]*]]: tensor<{{[0-9]*}}x4xf32>, %{{[^:]*}}: tensor<{{[^)]*}}):
// CHECK:           %[[E:.*]] = math.exp2
// CHECK:           %[[A:.*]] = math.exp2
// CHECK:           %[[FACTOR:.*]] = tile.broadcast %[[A]] [64, 4]
// CHECK:           %[[OLD:.*]] = arith.mulf %[[L]], %[[FACTOR]]
// CHECK:           %[[CUT:.*]] = tile.reshape %[[E]] [64, 4, 4, 2]
// CHECK:           %[[PAIRS:.*]] = tile.reduce add %[[CUT]] axis 3
// CHECK:           %[[NEW:.*]] = tile.reduce add %[[PAIRS]] axis 1 : tensor<64x4x4xf32> -> tensor<64x4xf32>
// CHECK:           %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]]
// CHECK:           tile_gpu.yield %{{.*}}, %[[SUM]], %{{.*}}
// CHECK:         %[[ROW:.*]] = tile.reduce add %[[R]]#1 axis 1 keepdims : tensor<64x4xf32> -> tensor<64x1xf32>
// CHECK:         tile.broadcast %[[ROW]] [64, 64]

// They belong to the lanes that share a row, so that no data moves; the maximum may still be kept.
// LAYOUTS-DAG:   #[[ACC:.*]] = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
// LAYOUTS-DAG:   #[[CUT:.*]] = #tile_gpu.layout<registers = [d3:2*1, d0:2*8, d1:4*1], lanes = [d2:4*1, d0:8*1], warps = [d0:4*16]>
// LAYOUTS-DAG:   #[[LANES:.*]] = #tile_gpu.layout<registers = [d0:2*8], lanes = [d1:4*1, d0:8*1], warps = [d0:4*16]>
// LAYOUTS-LABEL: tile.kernel @online(
// LAYOUTS-NOT:     tile_gpu.convert_layout
// LAYOUTS:         tile.reshape %{{.*}} [64, 4, 4, 2] : tensor<64x32xf32, #[[ACC]]> -> tensor<64x4x4x2xf32, #[[CUT]]>
// LAYOUTS-NOT:     tile_gpu.convert_layout
// LAYOUTS:         tile_gpu.any %{{.*}} : tensor<64x4xi1, #[[LANES]]>
// LAYOUTS-NOT:     tile_gpu.convert_layout
// LAYOUTS:         tile_gpu.yield
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

// A sum with a nonzero initial value: each lane starts with a quarter of it.
!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// CHECK-LABEL: tile.kernel @begun(
// CHECK:         %[[QUARTER:.*]] = arith.constant dense<2.500000e-01> : tensor<64x1xf32>
// CHECK:         %[[SHARE:.*]] = arith.mulf %{{.*}}, %[[QUARTER]] : tensor<64x1xf32>
// CHECK:         %[[PARTS:.*]] = tile.broadcast %[[SHARE]] [64, 4]
// CHECK:         tile_gpu.mainloop {{.*}}init(%{{.*}}, %[[PARTS]], %{{.*}}
// LAYOUTS-LABEL: tile.kernel @begun(
tile.kernel @begun(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %none = arith.constant dense<1.0> : tensor<64x1xf32>
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

!Q = !tile.view<4x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<4x64xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>

// Without a producer: few rows, whose columns mma.sync distributes over four warps. Each of their lanes has its own
// partial sum, so that warps only synchronize after the loop.
// CHECK-LABEL: tile.kernel @few_rows(
// CHECK:         %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<4x4x4xf32>
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{[^,]*}}, %[[L:.*]] = %[[NONE]], %{{.*}})
// CHECK:           %[[E:.*]] = math.exp2
// CHECK:           %[[A:.*]] = math.exp2
// CHECK:           %[[COLUMN:.*]] = tile.reshape %[[A]] [4, 1, 1]
// CHECK:           %[[FACTOR:.*]] = tile.broadcast %[[COLUMN]] [4, 4, 4]
// CHECK:           %[[OLD:.*]] = arith.mulf %[[L]], %[[FACTOR]]
// CHECK:           %[[CUT:.*]] = tile.reshape %[[E]] [4, 4, 2, 4, 2]
// CHECK:           %[[PAIRS:.*]] = tile.reduce add %[[CUT]] axis 4
// CHECK:           %[[NEW:.*]] = tile.reduce add %[[PAIRS]] axis 2 : tensor<4x4x2x4xf32> -> tensor<4x4x4xf32>
// CHECK:           %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]]
// CHECK:           scf.yield %{{.*}}, %[[SUM]], %{{.*}}
// CHECK:         %[[LANES:.*]] = tile.reduce add %[[R]]#1 axis 2 : tensor<4x4x4xf32> -> tensor<4x4xf32>
// CHECK:         tile.reduce add %[[LANES]] axis 1 keepdims : tensor<4x4xf32> -> tensor<4x1xf32>

// No data moves for it, although a fragment has more rows than the tile.
// LAYOUTS-DAG:   #[[WARPS:.*]] = #tile_gpu.layout<registers = [d0:2*8], lanes = [d2:4*1, d0:8*1], warps = [d1:4*1]>
// LAYOUTS-LABEL: tile.kernel @few_rows(
// LAYOUTS-NOT:     tile_gpu.convert_layout
// LAYOUTS:         tile.reduce add %{{.*}} axis 2 : {{.*}} -> tensor<4x4x4xf32, #[[WARPS]]>
// LAYOUTS-NOT:     tile_gpu.convert_layout
// LAYOUTS:         scf.yield
tile.kernel @few_rows(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : tensor<4x1xf32>
  %none = arith.constant dense<0.0> : tensor<4x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4x64xf32>
  %scale = arith.constant dense<0.5> : tensor<4x64xf32>
  %half = arith.constant dense<0.5> : tensor<4x1xf32>
  %qt = tile.load %q[%c0, %c0] [4, 64] : !Q -> tensor<4x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero)
      -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, tensor<4x64xf32> -> tensor<4x64xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<4x64xf32> -> tensor<4x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<4x1xf32>
    %ms = arith.mulf %mn, %half : tensor<4x1xf32>
    %mm = arith.negf %ms : tensor<4x1xf32>
    %mb = tile.broadcast %mm [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
    %d = math.fma %s, %scale, %mb : tensor<4x64xf32>
    %e = math.exp2 %d : tensor<4x64xf32>
    %md = arith.subf %m, %mn : tensor<4x1xf32>
    %mf = arith.mulf %md, %half : tensor<4x1xf32>
    %a = math.exp2 %mf : tensor<4x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<4x64xf32> -> tensor<4x1xf32>
    %la = arith.mulf %l, %a : tensor<4x1xf32>
    %ln = arith.addf %la, %lt : tensor<4x1xf32>
    %ab = tile.broadcast %a [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
    %oa = arith.mulf %o, %ab : tensor<4x64xf32>
    %p = tile.cast %e : tensor<4x64xf32> to tensor<4x64xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, tensor<4x64xf32> -> tensor<4x64xf32>
    scf.yield %mn, %ln, %on : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x64xf32>
  }
  %lb = tile.broadcast %r#1 [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
  %out = arith.divf %r#2, %lb : tensor<4x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<4x64xf32>, !Y
}


// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
#plan = #tile_gpu.plan<target = "sm_80", warps = 4, stages = 3>

// Enough rows for each warp to have its own: warps do not synchronize in an iteration.
// CHECK-LABEL: tile.kernel @own_rows(
// CHECK:         scf.for
// CHECK:           tile.reduce add %{{.*}} axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
tile.kernel @own_rows(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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

// A sum without a factor, of probabilities without a maximum.
// CHECK-LABEL: tile.kernel @plain_sum(
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[NEW:.*]] = tile.reduce add %{{.*}} axis 1 : tensor<64x4x4xf32> -> tensor<64x4xf32>
// CHECK:           arith.addf %{{.*}}, %[[NEW]] : tensor<64x4xf32>
tile.kernel @plain_sum(%q: !Q, %k: !K, %v: !K, %n: index) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none, %o = %zero) -> (tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %e = math.exp2 %s : tensor<64x32xf32>
    %t = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> tensor<64x1xf32>
    %ln = arith.addf %l, %t : tensor<64x1xf32>
    %p = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %o : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %ln, %on : tensor<64x1xf32>, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#0 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %d = arith.divf %r#1, %lb : tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}
