// Attention of one new token a sequence over its cache: y = softmax(q·kᵀ/√D)·v, head by head.
//   qkv [N, 3C] (q first), k, v [B, H, S, D] (this step's tokens already appended), pos [B] → y [N, C];
//   N = B; a block makes one query of one head and walks the keys BN at a time.
// f32 inside, but exponentials meet v in the type of the cache: error ≤ (D + S)·2⁻²⁴ of max|v| where that is f32.
// Cache rows past the last key are never read.
// Bound by the read of the cache: 2·C·(keys seen) elements a sequence.
!X = !tile.view<?x?x!tile.elt<X>>
!Q = !tile.view<1x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!I = !tile.view<?xi32>
tile.kernel @attention_decode(%qkv: !X, %k: !KV, %v: !KV, %pos: !I) outs(%y: !X)
    implements(gpt.attention {part = "attend"})
    where(dim(%qkv, 0) == dim(%pos, 0))
    params {BN = 64 in [32, 64, 128], D = dim(%k, 3),
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

  // The windows of this sequence and head; its query stands at the position of the last key.
  %col = arith.muli %h, %d : index
  %qs = tile.subview %qkv[%b, %col] [1, %d] : !X -> !Q
  %ys = tile.subview %y[%b, %col] [1, %d] : !X -> !Q
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %ks = tile.subview %kh[0, 0] [%end, %d] : !H -> !HW
  %vs = tile.subview %vh[0, 0] [%end, %d] : !H -> !HW
  %qpos = tile.splat %pi [1, BN] : i32 -> tensor<1x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>

  // Scores are scaled by log₂e/√D, so that the exponentials are powers of two.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %sc = arith.mulf %rs, %log2e : f32
  %scale = tile.splat %sc [1, BN] : f32 -> tensor<1x?xf32>
  %ninfs = tile.splat %ninf [1, BN] : f32 -> tensor<1x?xf32>
  %zeros = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>

  %q = tile.load %qs[%c0, %c0] [1, D] : !Q -> tensor<1x?x!tile.elt<X>>
  %m0 = tile.splat %ninf [1, 1] : f32 -> tensor<1x1xf32>
  %l0 = tile.splat %zero [1, 1] : f32 -> tensor<1x1xf32>
  %o0 = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
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
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<1x?xi32>
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
  tile.store %out, %ys[%c0, %c0] : tensor<1x?x!tile.elt<X>>, !Q
}
