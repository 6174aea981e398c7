// Attention of one new token a sequence: appends its key and value to the cache, then y = softmax(q·kᵀ/√D)·v over all
// keys, head by head.
//   qkv [N, (H + 2K)·D], pos [B] → k, v [B, K, S, D], updated in place, y [N, H·D]; N = B; a block makes one head of one
//   query, or Z blocks do, each all of it as the text goes; where they can, they share the keys out. H / K heads that
//   follow each other share the keys of one, and append the same.
// The keys are dealt out to P parts, each with a maximum, a sum and a weighted value of its own, which meet at the end;
// so does the new token, rounded to the type of the cache. f32 inside, but exponentials meet v in the type of the cache.
// Bound by the read of the cache.
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
    params {Z = 1 in [1, 2, 3, 4, 5, 6, 7, 8], P = 8 in [1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64], BN = 16 in [8, 16, 32], R = P * BN, D = dim(%k, 3),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [floordiv(dim(%y, 1), dim(%k, 3)) * Z, dim(%pos, 0)] {
  %z = tile.param Z
  %i = tile.block_id 0
  %h = arith.divui %i, %z : index
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %d = tile.param D
  %r = tile.param R

  // The windows of this sequence and head; the new token stands behind the keys that are there.
  %blocks = tile.num_blocks 0
  %heads = arith.divui %blocks, %z : index
  %kheads = tile.dim %k, 1 : !KV
  %group = arith.divui %heads, %kheads : index
  %hk = arith.divui %h, %group : index
  %width = arith.muli %heads, %d : index
  %kwidth = arith.muli %kheads, %d : index
  %col = arith.muli %h, %d : index
  %hkcol = arith.muli %hk, %d : index
  %kcol = arith.addi %width, %hkcol : index
  %vcol = arith.addi %kcol, %kwidth : index
  %qs = tile.subview %qkv[%b, %col] [1, %d] : !X -> !XR
  %kn = tile.subview %qkv[%b, %kcol] [1, %d] : !X -> !XR
  %vn = tile.subview %qkv[%b, %vcol] [1, %d] : !X -> !XR
  %ys = tile.subview %y[%b, %col] [1, %d] : !X -> !XR
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%b, %hk] : !KV -> !H
  %vh = tile.select %v[%b, %hk] : !KV -> !H
  %ks = tile.subview %kh[0, 0] [%p, %d] : !H -> !HW
  %vs = tile.subview %vh[0, 0] [%p, %d] : !H -> !HW
  %kd = tile.subview %kh[%p, 0] [1, %d] : !H -> !HR
  %vd = tile.subview %vh[%p, 0] [1, %d] : !H -> !HR
  %ends = tile.splat %pi [P, BN] : i32 -> tensor<?x?xi32>
  %in = tile.iota [R] : tensor<?xi32>

  // Scores are scaled by log₂e/√D, so that the exponentials are powers of two.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %sc = arith.mulf %rs, %log2e : f32
  %scale = tile.splat %sc [P, BN] : f32 -> tensor<?x?xf32>
  %scale1 = tile.splat %sc [1, 1] : f32 -> tensor<1x1xf32>
  %lows = tile.splat %low [P, BN] : f32 -> tensor<?x?xf32>

  // The new token.
  %q = tile.load %qs[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %kx = tile.load %kn[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %vx = tile.load %vn[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %k1 = tile.cast %kx : tensor<1x?x!tile.elt<X>> to tensor<1x?x!tile.elt<KV>>
  %v1 = tile.cast %vx : tensor<1x?x!tile.elt<X>> to tensor<1x?x!tile.elt<KV>>
  tile.store %k1, %kd[%c0, %c0] : tensor<1x?x!tile.elt<KV>>, !HR
  tile.store %v1, %vd[%c0, %c0] : tensor<1x?x!tile.elt<KV>>, !HR
  %qf = tile.cast %q : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %kf1 = tile.cast %k1 : tensor<1x?x!tile.elt<KV>> to tensor<1x?xf32>
  %vf1 = tile.cast %v1 : tensor<1x?x!tile.elt<KV>> to tensor<1x?xf32>
  %qk1 = arith.mulf %qf, %kf1 : tensor<1x?xf32>
  %s1 = tile.reduce add %qk1 axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %m1 = arith.mulf %s1, %scale1 : tensor<1x1xf32>

  // The parts: maximum, sum and value of the keys they have seen.
  %qb = tile.broadcast %qf [P, BN, D] : tensor<1x?xf32> -> tensor<?x?x?xf32>
  %m0 = tile.splat %low [P, 1] : f32 -> tensor<?x1xf32>
  %l0 = tile.splat %zero [P, 1] : f32 -> tensor<?x1xf32>
  %o0 = tile.splat %zero [P, D] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %ks, 0 by [R] : !HW
  %ms, %ls, %os = scf.for %j = %c0 to %steps step %c1
      iter_args(%mi = %m0, %li = %l0, %oi = %o0) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>) {
    %kt = tile.load %ks[%j, %c0] [R, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %vt = tile.load %vs[%j, %c0] [R, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %kp = tile.reshape %kt [P, BN, D] : tensor<?x?x!tile.elt<KV>> -> tensor<?x?x?x!tile.elt<KV>>
    %vp = tile.reshape %vt [P, BN, D] : tensor<?x?x!tile.elt<KV>> -> tensor<?x?x?x!tile.elt<KV>>
    %kf = tile.cast %kp : tensor<?x?x?x!tile.elt<KV>> to tensor<?x?x?xf32>
    %qk = arith.mulf %kf, %qb : tensor<?x?x?xf32>
    %dots = tile.reduce add %qk axis 2 : tensor<?x?x?xf32> -> tensor<?x?xf32>
    %j0 = arith.muli %j, %r : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [R] : i32 -> tensor<?xi32>
    %at = arith.addi %j0s, %in : tensor<?xi32>
    %atp = tile.reshape %at [P, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %seen = arith.cmpi slt, %atp, %ends : tensor<?x?xi32>
    %sk = arith.mulf %dots, %scale : tensor<?x?xf32>
    %s = arith.select %seen, %sk, %lows : tensor<?x?xi1>, tensor<?x?xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<?x1xf32>
    %mb = tile.broadcast %mn [P, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
    %sd = arith.subf %s, %mb : tensor<?x?xf32>
    %e = math.exp2 %sd : tensor<?x?xf32>
    %md = arith.subf %mi, %mn : tensor<?x1xf32>
    %alpha = math.exp2 %md : tensor<?x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %la = arith.mulf %li, %alpha : tensor<?x1xf32>
    %ln = arith.addf %la, %lt : tensor<?x1xf32>
    %ec = tile.cast %e : tensor<?x?xf32> to tensor<?x?x!tile.elt<KV>>
    %ef = tile.cast %ec : tensor<?x?x!tile.elt<KV>> to tensor<?x?xf32>
    %ex = tile.expand_dims %ef, 2 : tensor<?x?xf32> -> tensor<?x?x1xf32>
    %eb = tile.broadcast %ex [P, BN, D] : tensor<?x?x1xf32> -> tensor<?x?x?xf32>
    %vf = tile.cast %vp : tensor<?x?x?x!tile.elt<KV>> to tensor<?x?x?xf32>
    %ev = arith.mulf %vf, %eb : tensor<?x?x?xf32>
    %ot = tile.reduce add %ev axis 1 : tensor<?x?x?xf32> -> tensor<?x?xf32>
    %ab = tile.broadcast %alpha [P, D] : tensor<?x1xf32> -> tensor<?x?xf32>
    %oa = arith.mulf %oi, %ab : tensor<?x?xf32>
    %on = arith.addf %oa, %ot : tensor<?x?xf32>
    scf.yield %mn, %ln, %on : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>
  }

  // All parts and the new token under one maximum. A part without keys has a maximum so low that it weighs nothing.
  %mp = tile.reduce max %ms axis 0 keepdims : tensor<?x1xf32> -> tensor<1x1xf32>
  %m = arith.maximumf %mp, %m1 : tensor<1x1xf32>
  %mpb = tile.broadcast %m [P, 1] : tensor<1x1xf32> -> tensor<?x1xf32>
  %wd = arith.subf %ms, %mpb : tensor<?x1xf32>
  %w = math.exp2 %wd : tensor<?x1xf32>
  %wb = tile.broadcast %w [P, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %lw = arith.mulf %ls, %w : tensor<?x1xf32>
  %ow = arith.mulf %os, %wb : tensor<?x?xf32>
  %lp = tile.reduce add %lw axis 0 keepdims : tensor<?x1xf32> -> tensor<1x1xf32>
  %op = tile.reduce add %ow axis 0 keepdims : tensor<?x?xf32> -> tensor<1x?xf32>
  %w1d = arith.subf %m1, %m : tensor<1x1xf32>
  %w1 = math.exp2 %w1d : tensor<1x1xf32>
  %w1b = tile.broadcast %w1 [1, D] : tensor<1x1xf32> -> tensor<1x?xf32>
  %vw = arith.mulf %vf1, %w1b : tensor<1x?xf32>
  %l = arith.addf %lp, %w1 : tensor<1x1xf32>
  %o = arith.addf %op, %vw : tensor<1x?xf32>
  %lb = tile.broadcast %l [1, D] : tensor<1x1xf32> -> tensor<1x?xf32>
  %res = arith.divf %o, %lb : tensor<1x?xf32>
  %out = tile.cast %res : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %out, %ys[%c0, %c0] : tensor<1x?x!tile.elt<X>>, !XR
}
