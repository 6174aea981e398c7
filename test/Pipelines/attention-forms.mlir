// RUN: tilegpt-opt %s --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=HOPPER
// RUN: tilegpt-opt %s --arch=sm_80 --emit=ptx | FileCheck %s --check-prefix=AMPERE

// Attention as in test/Numeric/attention-forms.mlir, on data of known sizes: a producer feeds the dots, and maxima are
// only computed if the exponentials are out of range.
!V = !tile.view<512x64xbf16>
!Y = !tile.view<512x64xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>

// Half of the rows see none of the last keys.
// HOPPER-LABEL: .entry kernel_attend_few_keys(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// HOPPER-DAG:    vote.sync.any
// AMPERE-LABEL: .entry kernel_attend_few_keys(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_few_keys(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  %sc = arith.constant dense<0.125> : tensor<64x32xf32>
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %im = tile.iota [64] : tensor<64xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qp = arith.addi %fs, %im : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %m1 = arith.addi %m, %c1 : index
  %end = arith.muli %m1, %c2 : index
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !V -> tensor<32x64xbf16>
    %vt = tile.load %v[%j, %c0] [32, 64] : !V -> tensor<32x64xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %x0 = arith.mulf %d, %sc : tensor<64x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x32xi32>
    %s = arith.select %seen, %x0, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> tensor<64x32xf32>
    %sd = arith.subf %s, %mb : tensor<64x32xf32>
    %e = math.exp %sd : tensor<64x32xf32>
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// The query is scaled before the loop.
// HOPPER-LABEL: .entry kernel_attend_scaled_query(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// HOPPER-DAG:    vote.sync.any
// AMPERE-LABEL: .entry kernel_attend_scaled_query(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_scaled_query(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %scq = arith.constant dense<0.125> : !P
  %qf = tile.cast %q0 : tensor<64x64xbf16> to !P
  %qs = arith.mulf %qf, %scq : !P
  %qt = tile.cast %qs : !P to tensor<64x64xbf16>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// A window, a cap and an extra score beside those of the keys.
// HOPPER-LABEL: .entry kernel_attend_sink(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// HOPPER-DAG:    vote.sync.any
// AMPERE-LABEL: .entry kernel_attend_sink(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_sink(%q: !V, %k: !V, %v: !V, %cap: f32, %sink: !tile.view<?xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %ws = arith.constant dense<70> : !I
  %st = tile.load %sink[%c0] [1] : !tile.view<?xf32> -> tensor<1xf32>
  %sk = tensor.extract %st[%c0] : tensor<1xf32>
  %sks = tile.splat %sk [64, 1] : f32 -> !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %xc = arith.divf %x0, %caps : !P
    %th = math.tanh %xc : !P
    %x = arith.mulf %th, %caps : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %far = arith.subi %qpos, %ws : !I
    %near = arith.cmpi sgt, %kpos, %far : !I
    %both = arith.andi %near, %seen : tensor<64x64xi1>
    %s = arith.select %both, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %sd1 = arith.subf %sks, %mm : !C
  %se = math.exp %sd1 : !C
  %lx = arith.addf %ll, %se : !C
  %lb = tile.broadcast %lx [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Keys before the queries need no mask: two loops.
// HOPPER-LABEL: .entry kernel_attend_two_loops(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// HOPPER-DAG:    vote.sync.any
// AMPERE-LABEL: .entry kernel_attend_two_loops(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_two_loops(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %mm0, %ll0, %oo0 = scf.for %j = %c0 to %m step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %mt = tile.reduce max %x0 axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %x0, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %mm, %ll, %oo = scf.for %j = %m to %end step %c1 iter_args(%mi = %mm0, %li = %ll0, %oi = %oo0) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x0, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}
