// Non-causal attention with online softmax: y = softmax(q·kᵀ/√D)·v, per head.
//   q [B, H, T, D], k, v [B, H, S, D] → y [B, H, T, D]; a block computes BM queries of one head and walks the keys BN at a
//   time, without a T × S matrix.
// Computes in f32, but multiplies exponentials by v in its type: error ≤ (D + S)·2⁻²⁴ of max|v| if that is f32.
// Moves 2·B·H·T·D + 2·B·H·D·S·⌈T/BM⌉ elements.
!X = !tile.view<?x?x?x?x!tile.elt<X>>
!H = !tile.view<?x?x!tile.elt<X>>
tile.kernel @attention_full(%q: !X, %k: !X, %v: !X) outs(%y: !X)
    requires(dim(%q, 0) == dim(%y, 0), dim(%q, 1) == dim(%y, 1), dim(%q, 2) == dim(%y, 2), dim(%q, 3) == dim(%y, 3),
             dim(%k, 0) == dim(%q, 0), dim(%k, 1) == dim(%q, 1), dim(%k, 3) == dim(%q, 3),
             dim(%v, 0) == dim(%k, 0), dim(%v, 1) == dim(%k, 1), dim(%v, 2) == dim(%k, 2), dim(%v, 3) == dim(%k, 3))
    params {BM = 32 in [16, 32, 64, 128, 192], BN = 64 in [32, 64, 128], D = dim(%k, 3),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%q, 2), BM), dim(%q, 1), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %d = tile.param D
  %bn = tile.param BN
  %qs = tile.select %q[%b, %h] : !X -> !H
  %ks = tile.select %k[%b, %h] : !X -> !H
  %vs = tile.select %v[%b, %h] : !X -> !H
  %ys = tile.select %y[%b, %h] : !X -> !H

  // Masks keys past the end; not needed if the last tile is whole.
  %keys = tile.dim %ks, 0 : !H
  %keysi = arith.index_cast %keys : index to i32
  %end = tile.splat %keysi [BM, BN] : i32 -> tensor<?x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>

  // Scores are scaled by log₂e/√D, so that exponentials are powers of two. Subnormal ones may be flushed to zero: the
  // largest of a row is 1.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %sc = arith.mulf %rs, %log2e : f32
  %scale = tile.splat %sc [BM, BN] : f32 -> tensor<?x?xf32>
  %scale1 = tile.splat %sc [BM, 1] : f32 -> tensor<?x1xf32>
  %ninfs = tile.splat %ninf [BM, BN] : f32 -> tensor<?x?xf32>
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>

  %qt = tile.load %qs[%m, %c0] [BM, D] : !H -> tensor<?x?x!tile.elt<X>>
  %m0 = tile.splat %ninf [BM, 1] : f32 -> tensor<?x1xf32>
  %l0 = tile.splat %zero [BM, 1] : f32 -> tensor<?x1xf32>
  %o0 = tile.splat %zero [BM, D] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %ks, 0 by [BN] : !H
  %max, %sum, %acc = scf.for %j = %c0 to %steps step %c1
      iter_args(%mi = %m0, %li = %l0, %oi = %o0) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>) {
    %kt = tile.load %ks[%j, %c0] [BN, D] : !H -> tensor<?x?x!tile.elt<X>>
    %vt = tile.load %vs[%j, %c0] [BN, D] : !H -> tensor<?x?x!tile.elt<X>>
    %qk = tile.dot %qt, %kt, %zeros transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
    %j0 = arith.muli %j, %bn : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %kp = arith.addi %j0s, %in : tensor<?xi32>
    %kpos = tile.broadcast %kp [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %there = arith.cmpi slt, %kpos, %end : tensor<?x?xi32>
    %s = arith.select %there, %qk, %ninfs : tensor<?x?xi1>, tensor<?x?xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<?x1xf32>
    %ms = arith.mulf %mn, %scale1 : tensor<?x1xf32>
    %mm = arith.negf %ms : tensor<?x1xf32>
    %mb = tile.broadcast %mm [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
    %sd = math.fma %s, %scale, %mb : tensor<?x?xf32>
    %e = math.exp2 %sd fastmath<afn> : tensor<?x?xf32>
    %md = arith.subf %mi, %mn : tensor<?x1xf32>
    %mf = arith.mulf %md, %scale1 : tensor<?x1xf32>
    %alpha = math.exp2 %mf fastmath<afn> : tensor<?x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %la = arith.mulf %li, %alpha : tensor<?x1xf32>
    %ln = arith.addf %la, %lt : tensor<?x1xf32>
    %ab = tile.broadcast %alpha [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
    %oa = arith.mulf %oi, %ab : tensor<?x?xf32>
    %ec = tile.cast %e : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
    %on = tile.dot %ec, %vt, %oa
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %mn, %ln, %on : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>
  }
  %lb = tile.broadcast %sum [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %acc, %lb : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %ys[%m, %c0] : tensor<?x?x!tile.elt<X>>, !H
}
