// Attention of one new token a sequence: appends its key and value to the cache, then y = softmax(q·kᵀ/√D)·v over all
// keys, head by head.
//   qkv [N, (H + 2K)·D], pos [B] → k, v [B, K, S, D], updated in place, y [N, H·D]; N = B; a block makes the G = H / K
//   queries that share a head of keys, walks the keys in front of the new one BN at a time, and appends.
// The new token, rounded to the type of the cache, meets the others at the end. f32 inside, but exponentials meet v in
// the type of the cache.
// Bound by the read of the cache: 2·K·D·(keys seen) elements a sequence.
!X = !tile.view<?x?x!tile.elt<X>>
!XR = !tile.view<1x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!HR = !tile.view<1x?x!tile.elt<KV>, strides=[?, 1]>
!I = !tile.view<?xi32>
tile.kernel @attention_append_decode(%qkv: !X, %pos: !I) outs(%k: !KV, %v: !KV, %y: !X)
    implements(gpt.attention {part = "whole"})
    where(dim(%qkv, 0) == dim(%pos, 0))
    params {BN = 64 in [32, 64, 128, 256], D = dim(%k, 3), G = floordiv(floordiv(dim(%y, 1), D), dim(%k, 1)), Q = G * D,
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [dim(%k, 1), dim(%pos, 0)] {
  %h = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %d = tile.param D
  %bn = tile.param BN
  %width = tile.param Q

  // The windows of this sequence and head; the new token stands behind the keys that are there.
  %kheads = tile.dim %k, 1 : !KV
  %col = arith.muli %h, %width : index
  %hcol = arith.muli %h, %d : index
  %qwidth = arith.muli %kheads, %width : index
  %kwidth = arith.muli %kheads, %d : index
  %kcol = arith.addi %qwidth, %hcol : index
  %vcol = arith.addi %kcol, %kwidth : index
  %qs = tile.subview %qkv[%b, %col] [1, %width] : !X -> !XR
  %kn = tile.subview %qkv[%b, %kcol] [1, %d] : !X -> !XR
  %vn = tile.subview %qkv[%b, %vcol] [1, %d] : !X -> !XR
  %ys = tile.subview %y[%b, %col] [1, %width] : !X -> !XR
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %ks = tile.subview %kh[0, 0] [%p, %d] : !H -> !HW
  %vs = tile.subview %vh[0, 0] [%p, %d] : !H -> !HW
  %kd = tile.subview %kh[%p, 0] [1, %d] : !H -> !HR
  %vd = tile.subview %vh[%p, 0] [1, %d] : !H -> !HR
  %ends = tile.splat %pi [G, BN] : i32 -> tensor<?x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>

  // Scores are scaled by log₂e/√D, so that the exponentials are powers of two.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %sc = arith.mulf %rs, %log2e : f32
  %scale = tile.splat %sc [G, BN] : f32 -> tensor<?x?xf32>
  %scale1 = tile.splat %sc [G, 1] : f32 -> tensor<?x1xf32>
  %ninfs = tile.splat %ninf [G, BN] : f32 -> tensor<?x?xf32>
  %zeros = tile.splat %zero [G, BN] : f32 -> tensor<?x?xf32>

  // The new token.
  %qr = tile.load %qs[%c0, %c0] [1, Q] : !XR -> tensor<1x?x!tile.elt<X>>
  %q = tile.reshape %qr [G, D] : tensor<1x?x!tile.elt<X>> -> tensor<?x?x!tile.elt<X>>
  %kx = tile.load %kn[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %vx = tile.load %vn[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %k1 = tile.cast %kx : tensor<1x?x!tile.elt<X>> to tensor<1x?x!tile.elt<KV>>
  %v1 = tile.cast %vx : tensor<1x?x!tile.elt<X>> to tensor<1x?x!tile.elt<KV>>

  // The keys in front of it.
  %m0 = tile.splat %ninf [G, 1] : f32 -> tensor<?x1xf32>
  %l0 = tile.splat %zero [G, 1] : f32 -> tensor<?x1xf32>
  %o0 = tile.splat %zero [G, D] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %ks, 0 by [BN] : !HW
  %max, %sum, %acc = scf.for %j = %c0 to %steps step %c1
      iter_args(%mi = %m0, %li = %l0, %oi = %o0) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>) {
    %kt = tile.load %ks[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %vt = tile.load %vs[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %qk = tile.dot %q, %kt, %zeros transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<KV>>, tensor<?x?xf32> -> tensor<?x?xf32>
    %j0 = arith.muli %j, %bn : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %kp = arith.addi %j0s, %in : tensor<?xi32>
    %kpos = tile.broadcast %kp [G, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %seen = arith.cmpi slt, %kpos, %ends : tensor<?x?xi32>
    %sk = arith.mulf %qk, %scale : tensor<?x?xf32>
    %s = arith.select %seen, %sk, %ninfs : tensor<?x?xi1>, tensor<?x?xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<?x1xf32>
    %mb = tile.broadcast %mn [G, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
    %sd = arith.subf %s, %mb : tensor<?x?xf32>
    %e = math.exp2 %sd : tensor<?x?xf32>
    %md = arith.subf %mi, %mn : tensor<?x1xf32>
    %alpha = math.exp2 %md : tensor<?x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %la = arith.mulf %li, %alpha : tensor<?x1xf32>
    %ln = arith.addf %la, %lt : tensor<?x1xf32>
    %ab = tile.broadcast %alpha [G, D] : tensor<?x1xf32> -> tensor<?x?xf32>
    %oa = arith.mulf %oi, %ab : tensor<?x?xf32>
    %ec = tile.cast %e : tensor<?x?xf32> to tensor<?x?x!tile.elt<KV>>
    %on = tile.dot %ec, %vt, %oa
        : tensor<?x?x!tile.elt<KV>>, tensor<?x?x!tile.elt<KV>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %mn, %ln, %on : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>
  }

  // Both under one maximum. Where there are no keys yet, theirs is so low that they weigh nothing.
  %qf = tile.cast %q : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %kf1 = tile.cast %k1 : tensor<1x?x!tile.elt<KV>> to tensor<1x?xf32>
  %vf1 = tile.cast %v1 : tensor<1x?x!tile.elt<KV>> to tensor<1x?xf32>
  %kb1 = tile.broadcast %kf1 [G, D] : tensor<1x?xf32> -> tensor<?x?xf32>
  %qk1 = arith.mulf %qf, %kb1 : tensor<?x?xf32>
  %s1 = tile.reduce add %qk1 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %m1 = arith.mulf %s1, %scale1 : tensor<?x1xf32>
  %m = arith.maximumf %max, %m1 : tensor<?x1xf32>
  %wd = arith.subf %max, %m : tensor<?x1xf32>
  %w = math.exp2 %wd : tensor<?x1xf32>
  %w1d = arith.subf %m1, %m : tensor<?x1xf32>
  %w1 = math.exp2 %w1d : tensor<?x1xf32>
  %lw = arith.mulf %sum, %w : tensor<?x1xf32>
  %l = arith.addf %lw, %w1 : tensor<?x1xf32>
  %wb = tile.broadcast %w [G, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %w1b = tile.broadcast %w1 [G, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %vb1 = tile.broadcast %vf1 [G, D] : tensor<1x?xf32> -> tensor<?x?xf32>
  %ow = arith.mulf %acc, %wb : tensor<?x?xf32>
  %vw = arith.mulf %vb1, %w1b : tensor<?x?xf32>
  %o = arith.addf %ow, %vw : tensor<?x?xf32>
  %lb = tile.broadcast %l [G, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %o, %lb : tensor<?x?xf32>
  %rc = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  %out = tile.reshape %rc [1, Q] : tensor<?x?x!tile.elt<X>> -> tensor<1x?x!tile.elt<X>>
  tile.store %k1, %kd[%c0, %c0] : tensor<1x?x!tile.elt<KV>>, !HR
  tile.store %v1, %vd[%c0, %c0] : tensor<1x?x!tile.elt<KV>>, !HR
  tile.store %out, %ys[%c0, %c0] : tensor<1x?x!tile.elt<X>>, !XR
}
