// Ops between the dot of keys and its mask: exponents are built from their terms, in both branches of the mask.
// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-skip-masks --tile-gpu-relax-softmax --split-input-file | FileCheck %s

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A term of positions: one fma for it and one for the dot. The score is only computed if the maximum is.
// CHECK-LABEL: tile.kernel @slopes(
// CHECK-SAME:    %[[SLOPE:[^:]*]]: f32)
// CHECK-DAG:     %[[BYSLOPE:.*]] = arith.mulf %[[SLOPE]], %{{.*}} : f32
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[S:.*]] = tile.dot
// CHECK-NOT:       arith.sitofp
// CHECK:           %[[CUT:.*]] = tile_gpu.any
// CHECK:           %[[MS:.*]] = arith.mulf %{{.*}} : tensor<64x1xf32>
// CHECK:           %[[MINUS:.*]] = arith.negf %[[MS]]
// CHECK:           %[[KEPT:.*]]:2 = scf.if %[[CUT]]
// CHECK:             %[[ROW:.*]] = tile.broadcast %[[MINUS]] [64, 32]
// CHECK:             %[[T:.*]] = math.fma %{{.*}}, %{{.*}}, %[[ROW]] fastmath<contract>
// CHECK:             %[[X:.*]] = math.fma %[[S]], %{{.*}}, %[[T]] fastmath<contract>
// CHECK:             %[[SEEN:.*]] = arith.cmpi sle
// CHECK:             %[[MASKED:.*]] = arith.select %[[SEEN]], %[[X]], %{{.*}}
// CHECK:             math.exp2 %[[MASKED]] fastmath<afn>
// CHECK:           } else {
// CHECK:             %[[POS:.*]] = arith.sitofp
// CHECK:             %[[ROW1:.*]] = tile.broadcast %[[MINUS]] [64, 32]
// CHECK:             %[[BY:.*]] = tile.splat %{{.*}} [64, 32]
// CHECK:             %[[T1:.*]] = math.fma %[[POS]], %[[BY]], %[[ROW1]] fastmath<contract>
// CHECK:             %[[X1:.*]] = math.fma %[[S]], %{{.*}}, %[[T1]] fastmath<contract>
// CHECK-NEXT:        %[[E1:.*]] = math.exp2 %[[X1]] fastmath<afn>
// CHECK-NEXT:        %[[SUM1:.*]] = tile.reduce add %[[E1]]
// CHECK-NEXT:        %[[P1:.*]] = tile.cast %[[E1]]
// CHECK-NEXT:        scf.yield %[[SUM1]], %[[P1]]
// CHECK:           arith.addf %{{.*}}, %[[KEPT]]#0
// CHECK:           scf.if
// CHECK:             arith.sitofp
// CHECK:             scf.if %[[CUT]]
// CHECK:             tile.reduce max
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %{{[^,]*}}, %{{[^,]*}}, %[[KEPT]]#1
tile.kernel @slopes(%q: !Q, %k: !K, %v: !K, %n: index, %first: i32, %slope: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %rows = tile.iota [64] : tensor<64xi32>
  %firsts = tile.splat %first [64] : i32 -> tensor<64xi32>
  %row = arith.addi %firsts, %rows : tensor<64xi32>
  %rowc = tile.expand_dims %row, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %rowc [64, 32] : tensor<64x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> !I
    %away = arith.subi %kpos, %qpos : !I
    %awayf = arith.sitofp %away : !I to !P
    %slopes = tile.splat %slope [64, 32] : f32 -> !P
    %fall = arith.mulf %awayf, %slopes : !P
    %x0 = arith.mulf %dot, %scale : !P
    %x = arith.addf %x0, %fall : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A factor of all scores: they are compared without it, and the mask is the only branch.
// CHECK-LABEL: tile.kernel @scaled(
// CHECK:         tile_gpu.mainloop
// CHECK:           %[[S:.*]] = tile.dot
// CHECK-NOT:       arith.mulf %[[S]]
// CHECK:           %[[M:.*]] = scf.if
// CHECK:             arith.select %{{.*}}, %[[S]], %{{.*}}
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[S]]
// CHECK:           math.fma %[[M]]
// CHECK:           math.exp2
// CHECK:           scf.if
// CHECK:             tile.reduce max %[[M]]
tile.kernel @scaled(%q: !Q, %k: !K, %v: !K, %n: index, %first: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %rows = tile.iota [64] : tensor<64xi32>
  %firsts = tile.splat %first [64] : i32 -> tensor<64xi32>
  %row = arith.addi %firsts, %rows : tensor<64xi32>
  %rowc = tile.expand_dims %row, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %rowc [64, 32] : tensor<64x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> !I
    %x = arith.mulf %dot, %scale : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// The hiding number is divided by it: (-10000) / 0.5.
// CHECK-LABEL: tile.kernel @scaled_and_hidden(
// CHECK:         arith.constant dense<-2.000000e+04>
// CHECK:         %[[S:.*]] = tile.dot
// CHECK-NOT:     arith.mulf %[[S]]
tile.kernel @scaled_and_hidden(%q: !Q, %k: !K, %v: !K, %n: index, %first: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %hidden = arith.constant dense<-1.0e4> : !P
  %rows = tile.iota [64] : tensor<64xi32>
  %firsts = tile.splat %first [64] : i32 -> tensor<64xi32>
  %row = arith.addi %firsts, %rows : tensor<64xi32>
  %rowc = tile.expand_dims %row, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %rowc [64, 32] : tensor<64x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> !I
    %x = arith.mulf %dot, %scale : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A factor that may be negative stays: it would change the largest score.
// CHECK-LABEL: tile.kernel @scaled_by_any(
// CHECK:         %[[S:.*]] = tile.dot
// CHECK:         scf.if
// CHECK:         tile_gpu.any
// CHECK:         scf.if
// CHECK:           %[[X:.*]] = arith.mulf %[[S]]
// CHECK:           tile.reduce max
tile.kernel @scaled_by_any(%q: !Q, %k: !K, %v: !K, %n: index, %first: i32, %c: f32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %rows = tile.iota [64] : tensor<64xi32>
  %firsts = tile.splat %first [64] : i32 -> tensor<64xi32>
  %row = arith.addi %firsts, %rows : tensor<64xi32>
  %rowc = tile.expand_dims %row, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %rowc [64, 32] : tensor<64x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %by = tile.splat %c [64, 32] : f32 -> !P
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> !I
    %x = arith.mulf %dot, %by : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A factor computed in the loop belongs to no term: the score is one term.
// CHECK-LABEL: tile.kernel @scaled_in_the_loop(
// CHECK:         %[[S:.*]] = tile.dot
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           %[[X:.*]] = arith.mulf %[[S]], %{{.*}} fastmath<contract>
// CHECK:           %[[Z:.*]] = math.fma %[[X]]
// CHECK-NEXT:      math.exp2 %[[Z]]
tile.kernel @scaled_in_the_loop(%q: !Q, %k: !K, %v: !K, %n: index, %first: i32) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %rows = tile.iota [64] : tensor<64xi32>
  %firsts = tile.splat %first [64] : i32 -> tensor<64xi32>
  %row = arith.addi %firsts, %rows : tensor<64xi32>
  %rowc = tile.expand_dims %row, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %rowc [64, 32] : tensor<64x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> !I
    %jf = arith.sitofp %ji : i32 to f32
    %by = tile.splat %jf [64, 32] : f32 -> !P
    %x = arith.mulf %dot, %by : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}

// -----

!Q = !tile.view<64x64xbf16>
!K = !tile.view<?x64xbf16>
!Y = !tile.view<64x64xf32>
!P = tensor<64x32xf32>
!I = tensor<64x32xi32>
!C = tensor<64x1xf32>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Tiles loaded into registers would have to stay there until the maximum is computed: the score does instead.
// CHECK-LABEL: tile.kernel @loaded_columns(
// CHECK:         %[[S:.*]] = tile.dot
// CHECK:         %[[X:.*]] = arith.addf %[[S]], %{{.*}} fastmath<contract>
// CHECK:         %[[M:.*]] = scf.if
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[X]]
// CHECK:         math.fma %[[M]]
// CHECK:         scf.if
// CHECK-NEXT:      tile.reduce max %[[M]]
tile.kernel @loaded_columns(%q: !Q, %k: !K, %v: !K, %n: index, %first: i32, %columns: !tile.view<?xf32>) outs(%y: !Y) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %rows = tile.iota [64] : tensor<64xi32>
  %firsts = tile.splat %first [64] : i32 -> tensor<64xi32>
  %row = arith.addi %firsts, %rows : tensor<64xi32>
  %rowc = tile.expand_dims %row, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %rowc [64, 32] : tensor<64x1xi32> -> !I
  %in = tile.iota [32] : tensor<32xi32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %low, %l = %none, %o = %zero) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64xbf16>
    %dot = tile.dot %qt, %kt, %zeros transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> !I
    %ct = tile.load %columns[%j] [32] : !tile.view<?xf32> -> tensor<32xf32>
    %cb = tile.broadcast %ct [64, 32] : tensor<32xf32> -> !P
    %x = arith.addf %dot, %cb : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> !P
    %d = arith.subf %s, %mb : !P
    %e = math.exp %d : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %o, %ab : tensor<64x64xf32>
    %p = tile.cast %e : !P to tensor<64x32xbf16>
    %on = tile.dot %p, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : !C -> tensor<64x64xf32>
  %out = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %out, %y[%c0, %c0] : tensor<64x64xf32>, !Y
}
