// Attention of one new token a sequence: appends its key and value to the cache, then y = softmax(q·kᵀ/√D)·v over all
// keys, head by head.
//   qkv [N, 3C], pos [B] → k, v [B, H, S, D], updated in place, y [N, C]; N = B; a block makes one head of one query.
// The new key and value are used as they are stored, rounded to the type of the cache; the sum starts with them. Else as
// @attention_decode: f32 inside, exponentials meet v in the type of the cache. Bound by the read of the cache.
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
    params {BN = 64 in [32, 64, 128], D = dim(%k, 3),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [dim(%k, 1), dim(%pos, 0)] {
  %h = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %d = tile.param D
  %bn = tile.param BN

  // The windows of this sequence and head; the new token stands behind the keys that are there.
  %heads = tile.num_blocks 0
  %width = arith.muli %heads, %d : index
  %col = arith.muli %h, %d : index
  %kcol = arith.addi %col, %width : index
  %vcol = arith.addi %kcol, %width : index
  %qs = tile.subview %qkv[%b, %col] [1, %d] : !X -> !XR
  %kn = tile.subview %qkv[%b, %kcol] [1, %d] : !X -> !XR
  %vn = tile.subview %qkv[%b, %vcol] [1, %d] : !X -> !XR
  %ys = tile.subview %y[%b, %col] [1, %d] : !X -> !XR
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %ks = tile.subview %kh[0, 0] [%p, %d] : !H -> !HW
  %vs = tile.subview %vh[0, 0] [%p, %d] : !H -> !HW
  %kd = tile.subview %kh[%p, 0] [1, %d] : !H -> !HR
  %vd = tile.subview %vh[%p, 0] [1, %d] : !H -> !HR
  %ends = tile.splat %pi [1, BN] : i32 -> tensor<1x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>

  // Scores are scaled by log₂e/√D, so that the exponentials are powers of two.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %sc = arith.mulf %rs, %log2e : f32
  %scale = tile.splat %sc [1, BN] : f32 -> tensor<1x?xf32>
  %scale1 = tile.splat %sc [1, 1] : f32 -> tensor<1x1xf32>
  %ninfs = tile.splat %ninf [1, BN] : f32 -> tensor<1x?xf32>
  %zeros = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>

  // The new token: its score, weight 1, its value.
  %q = tile.load %qs[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %kx = tile.load %kn[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %vx = tile.load %vn[%c0, %c0] [1, D] : !XR -> tensor<1x?x!tile.elt<X>>
  %k1 = tile.cast %kx : tensor<1x?x!tile.elt<X>> to tensor<1x?x!tile.elt<KV>>
  %v1 = tile.cast %vx : tensor<1x?x!tile.elt<X>> to tensor<1x?x!tile.elt<KV>>
  tile.store %k1, %kd[%c0, %c0] : tensor<1x?x!tile.elt<KV>>, !HR
  tile.store %v1, %vd[%c0, %c0] : tensor<1x?x!tile.elt<KV>>, !HR
  %qf = tile.cast %q : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %kf = tile.cast %k1 : tensor<1x?x!tile.elt<KV>> to tensor<1x?xf32>
  %o0 = tile.cast %v1 : tensor<1x?x!tile.elt<KV>> to tensor<1x?xf32>
  %qk1 = arith.mulf %qf, %kf : tensor<1x?xf32>
  %s1 = tile.reduce add %qk1 axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %m0 = arith.mulf %s1, %scale1 : tensor<1x1xf32>
  %l0 = tile.splat %one [1, 1] : f32 -> tensor<1x1xf32>

  %steps = tile.num_tiles %ks, 0 by [BN] : !HW
  %max, %sum, %acc = scf.for %j = %c0 to %steps step %c1
      iter_args(%mi = %m0, %li = %l0, %oi = %o0) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x?xf32>) {
    %kt = tile.load %ks[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %vt = tile.load %vs[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %qk = tile.dot %q, %kt, %zeros transpose_b
        : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<KV>>, tensor<1x?xf32> -> tensor<1x?xf32>
    %j0 = arith.muli %j, %bn : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %kp = arith.addi %j0s, %in : tensor<?xi32>
    %kpos = tile.broadcast %kp [1, BN] : tensor<?xi32> -> tensor<1x?xi32>
    %seen = arith.cmpi slt, %kpos, %ends : tensor<1x?xi32>
    %sk = arith.mulf %qk, %scale : tensor<1x?xf32>
    %s = arith.select %seen, %sk, %ninfs : tensor<1x?xi1>, tensor<1x?xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<1x1xf32>
    %mb = tile.broadcast %mn [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %sd = arith.subf %s, %mb : tensor<1x?xf32>
    %e = math.exp2 %sd : tensor<1x?xf32>
    %md = arith.subf %mi, %mn : tensor<1x1xf32>
    %alpha = math.exp2 %md : tensor<1x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %la = arith.mulf %li, %alpha : tensor<1x1xf32>
    %ln = arith.addf %la, %lt : tensor<1x1xf32>
    %ab = tile.broadcast %alpha [1, D] : tensor<1x1xf32> -> tensor<1x?xf32>
    %oa = arith.mulf %oi, %ab : tensor<1x?xf32>
    %ec = tile.cast %e : tensor<1x?xf32> to tensor<1x?x!tile.elt<KV>>
    %on = tile.dot %ec, %vt, %oa
        : tensor<1x?x!tile.elt<KV>>, tensor<?x?x!tile.elt<KV>>, tensor<1x?xf32> -> tensor<1x?xf32>
    scf.yield %mn, %ln, %on : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x?xf32>
  }
  %lb = tile.broadcast %sum [1, D] : tensor<1x1xf32> -> tensor<1x?xf32>
  %r = arith.divf %acc, %lb : tensor<1x?xf32>
  %out = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %out, %ys[%c0, %c0] : tensor<1x?x!tile.elt<X>>, !XR
}
