// Terms and masks of scores move into the dot's initial accumulator: they are computed while the previous iteration's
// dots run.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-skip-masks --tile-gpu-relax-softmax | FileCheck %s

!Q = !tile.view<128x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<128x64xf32>
!C = tensor<128x1xf32>
!S = tensor<128x32xf32>
!O = tensor<128x64xf32>
!I = tensor<128x32xi32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>
#alone = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Positions relative to the row times a slope, divided by the scale of the product. Their computation precedes the dot;
// scores are the dot's result.
// CHECK-LABEL: tile.kernel @slopes(
// CHECK-SAME:    %[[SLOPE:[^:]*]]: f32)
// CHECK:         %[[BY:.*]] = arith.mulf %[[SLOPE]], %{{.*}} : f32
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[FAR:.*]] = arith.sitofp
// CHECK:           %[[BYS:.*]] = tile.splat %[[BY]] [128, 32]
// CHECK:           %[[T:.*]] = arith.mulf %[[FAR]], %[[BYS]] fastmath<contract>
// CHECK:           %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[T]] transpose_b
// CHECK-NOT:       arith.sitofp
// CHECK:           scf.yield %[[D]] : tensor<128x32xf32>
// CHECK:           math.fma
// CHECK-NOT:       arith.sitofp
// CHECK:         tile_gpu.descending
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

// A loaded tile.
// CHECK-LABEL: tile.kernel @bias(
// CHECK:           %[[B:.*]] = tile.cast %{{.*}} : tensor<128x32xf16> to tensor<128x32xf32>
// CHECK:           %[[T:.*]] = arith.mulf %[[B]], %{{.*}} fastmath<contract>
// CHECK:           %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[T]] transpose_b
// CHECK-NOT:       tile.cast %{{.*}} : tensor<128x32xf16>
tile.kernel @bias(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %bias: !tile.view<128x?xf16>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %bt = tile.load %bias[%c0, %j] [128, 32] : !tile.view<128x?xf16> -> tensor<128x32xf16>
    %bf = tile.cast %bt : tensor<128x32xf16> to !S
    %x = arith.addf %x0, %bf : !S
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

// Document ids are masked in the initial accumulator; the causal mask stays, in a branch. Both together decide where to
// begin.
// CHECK-LABEL: tile.kernel @documents(
// CHECK:         %[[HIDDEN:.*]] = arith.constant dense<0xFF800000> : tensor<128x32xf32>
// CHECK:           %[[SAME:.*]] = arith.cmpi eq
// CHECK:           %[[T:.*]] = arith.select %[[SAME]], %{{.*}}, %[[HIDDEN]]
// CHECK:           %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[T]] transpose_b
// CHECK-NOT:       arith.cmpi eq
// CHECK:           arith.cmpi sle
// CHECK:         tile_gpu.descending
tile.kernel @documents(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
  %dq = tile.load %docs[%c0] [128] : !tile.view<?xi32> -> tensor<128xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %dqs = tile.broadcast %dqc [128, 32] : tensor<128x1xi32> -> !I
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
    %dk = tile.load %docs[%j] [32] : !tile.view<?xi32> -> tensor<32xi32>
    %dks = tile.broadcast %dk [128, 32] : tensor<32xi32> -> !I
    %same = arith.cmpi eq, %dks, %dqs : !I
    %seen = arith.andi %causal, %same : tensor<128x32xi1>
    %s = arith.select %seen, %x0, %hidden : tensor<128x32xi1>, !S
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

// Near misses: terms that grow along the rows reduce the precision of the products.
// CHECK-LABEL: tile.kernel @absolute(
// CHECK:           tile.dot %{{.*}}, %{{.*}}, %[[ZEROS:.*]] transpose_b
// CHECK:           arith.sitofp
tile.kernel @absolute(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %slope: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %farf = arith.sitofp %kpos : !I to !S
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

// Terms that depend on the previous iteration.
// CHECK-LABEL: tile.kernel @carried(
// CHECK:           tile.dot
// CHECK:           tile.broadcast %{{.*}} : tensor<128x1xf32> -> tensor<128x32xf32>
// CHECK:           arith.addf
tile.kernel @carried(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %lbs = tile.broadcast %l [128, 32] : !C -> !S
    %x = arith.addf %x0, %lbs : !S
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

// bf16 has numbers that would become minus infinity.
// CHECK-LABEL: tile.kernel @wide(
// CHECK:           tile.dot
// CHECK:           tile.cast %{{.*}} : tensor<128x32xbf16> to tensor<128x32xf32>
tile.kernel @wide(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %bias: !tile.view<128x?xbf16>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %bt = tile.load %bias[%c0, %j] [128, 32] : !tile.view<128x?xbf16> -> tensor<128x32xbf16>
    %bf = tile.cast %bt : tensor<128x32xbf16> to !S
    %x = arith.addf %x0, %bf : !S
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

// A scale that is not known to be positive.
// CHECK-LABEL: tile.kernel @negative(
// CHECK:           tile.dot
// CHECK:           arith.sitofp
tile.kernel @negative(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %slope: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !S
  %zero = arith.constant dense<0.0> : !O
  %scale = arith.constant dense<-0.5> : !S
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

// A single warp group computes its weights under the previous iteration's dots.
// CHECK-LABEL: tile.kernel @alone(
// CHECK:           tile.dot
// CHECK:           arith.sitofp
tile.kernel @alone(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %slope: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #alone} {
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

// Distances from the row, too.
// CHECK-LABEL: tile.kernel @distances(
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[AWAY:.*]] = math.absi
// CHECK:           %[[FAR:.*]] = arith.sitofp %[[AWAY]]
// CHECK:           %[[T:.*]] = arith.mulf %[[FAR]], %{{.*}} fastmath<contract>
// CHECK:           tile.dot %{{.*}}, %{{.*}}, %[[T]] transpose_b
tile.kernel @distances(%q: !Q, %k: !K, %v: !K, %n: index, %p: i32, %slope: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %away = math.absi %far : !I
    %farf = arith.sitofp %away : !I to !S
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
