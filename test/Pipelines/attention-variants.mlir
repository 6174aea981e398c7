// RUN: tilegpt-opt %s --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=HOPPER
// RUN: tilegpt-opt %s --arch=sm_80 --emit=ptx | FileCheck %s --check-prefix=AMPERE

// Attention as in test/Numeric/attention.mlir, on data of known sizes: whatever is between the two dots, a producer
// feeds them, and tiles beside the scores arrive the same way.
!V = !tile.view<512x64xbf16>
!W = !tile.view<512x72xbf16>
!Y = !tile.view<512x64xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>

// An f32 bias for each pair of positions, one tile per iteration.
// HOPPER-LABEL: .entry kernel_attend_bias_f32(
// HOPPER-COUNT-5: cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_bias_f32(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_bias_f32(%q: !V, %k: !V, %v: !V, %bias: !tile.view<512x512xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
    %bt = tile.load %bias[%m, %j] [64, 64] : !tile.view<512x512xf32> -> tensor<64x64xf32>
    %x = arith.addf %x0, %bt : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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

// A 16-bit bias for each pair of positions, one tile per iteration.
// HOPPER-LABEL: .entry kernel_attend_bias_half(
// HOPPER-COUNT-4: cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_bias_half(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_bias_half(%q: !V, %k: !V, %v: !V, %bias: !tile.view<512x512xbf16>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
    %bt = tile.load %bias[%m, %j] [64, 64] : !tile.view<512x512xbf16> -> tensor<64x64xbf16>
    %bf = tile.cast %bt : tensor<64x64xbf16> to !P
    %x = arith.addf %x0, %bf : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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

// The logarithm of the sum beside the result, for a backward pass.
// HOPPER-LABEL: .entry kernel_attend_lse(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_lse(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_lse(%q: !V, %k: !V, %v: !V) outs(%y: !Y, %lse: !tile.view<512xf32>) grid [ceildiv(dim(%y, 0), 64)] {
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
  %log = math.log %ll : !C
  %both = arith.addf %mm, %log : !C
  %row = tile.reshape %both [64] : !C -> tensor<64xf32>
  tile.store %row, %lse[%m] : tensor<64xf32>, !tile.view<512xf32>
}

// A sliding window over all keys: most iterations see none.
// HOPPER-LABEL: .entry kernel_attend_near(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_near(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_near(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<-1.0e30> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
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
    %w = arith.constant dense<70> : !I
    %far = arith.subi %qpos, %w : !I
    %old = arith.cmpi sle, %kpos, %qpos : !I
    %near = arith.cmpi sgt, %kpos, %far : !I
    %x = arith.addf %x0, %zs : !P
    %seen = arith.andi %old, %near : tensor<64x64xi1>
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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

// The same, hidden by minus infinity, with a number for a missing maximum.
// HOPPER-LABEL: .entry kernel_attend_near_guarded(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_near_guarded(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_near_guarded(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %end = tile.num_tiles %k, 0 by [64] : !V
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
    %w = arith.constant dense<70> : !I
    %far = arith.subi %qpos, %w : !I
    %old = arith.cmpi sle, %kpos, %qpos : !I
    %near = arith.cmpi sgt, %kpos, %far : !I
    %x = arith.addf %x0, %zs : !P
    %seen = arith.andi %old, %near : tensor<64x64xi1>
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %none = arith.cmpf oeq, %mn, %low : !C
    %mg = arith.select %none, %z1, %mn : tensor<64x1xi1>, !C
    %mb = tile.broadcast %mg [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mg : !C
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

// Scores that fall with the distance of the key, by a slope per head.
// HOPPER-LABEL: .entry kernel_attend_slope(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_slope(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_slope(%q: !V, %k: !V, %v: !V, %slopes: !tile.view<1xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %st = tile.load %slopes[%c0] [1] : !tile.view<1xf32> -> tensor<1xf32>
  %slope = tensor.extract %st[%c0] : tensor<1xf32>
  %slopet = tile.splat %slope [64, 64] : f32 -> !P
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
    %away = arith.subi %kpos, %qpos : !I
    %awayf = arith.sitofp %away : !I to !P
    %fall = arith.mulf %awayf, %slopet : !P
    %x = arith.addf %x0, %fall : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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

// Scores capped by c·tanh(x/c), c an argument.
// HOPPER-LABEL: .entry kernel_attend_softcap(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// HOPPER-DAG:    tanh.approx.f32
// AMPERE-LABEL: .entry kernel_attend_softcap(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_softcap(%q: !V, %k: !V, %v: !V, %cap: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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

// Rows of 72 elements, no multiple of what a matrix instruction takes.
// HOPPER-LABEL: .entry kernel_attend_width_72(
// HOPPER-DAG:    cp.async.bulk.tensor
// HOPPER-DAG:    wgmma.mma_async
// AMPERE-LABEL: .entry kernel_attend_width_72(
// AMPERE:        cp.async.cg
// AMPERE:        mma.sync
tile.kernel @attend_width_72(%q: !W, %k: !W, %v: !W) outs(%y: !tile.view<512x72xf32>) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x72xf32>
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
  %qt = tile.load %q[%m, %c0] [64, 72] : !W -> tensor<64x72xbf16>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x72xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 72] : !W -> tensor<64x72xbf16>
    %vt = tile.load %v[%j, %c0] [64, 72] : !W -> tensor<64x72xbf16>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x72xbf16>, tensor<64x72xbf16>, !P -> !P
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
    %ab = tile.broadcast %al [64, 72] : !C -> tensor<64x72xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x72xf32>
    %ec = tile.cast %e : !P to tensor<64x64xbf16>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64xbf16>, tensor<64x72xbf16>, tensor<64x72xf32> -> tensor<64x72xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x72xf32>
  }
  %lb = tile.broadcast %ll [64, 72] : !C -> tensor<64x72xf32>
  %r = arith.divf %oo, %lb : tensor<64x72xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x72xf32>, !tile.view<512x72xf32>
}
