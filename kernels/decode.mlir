// @linear and @attention for steps with few rows, which are bound by the weights and the cache.

!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!W = !tile.view<?x?x!tile.elt<W>>
!G = !tile.view<?xf32>
!XR = !tile.view<1x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!I = !tile.view<?xi32>

// Linear layer for few rows: y = x·wᵀ + b, rounded once to the type of y.
//   x [N, K], w [O, K], b [O], or [0]: none → y [N, O], N ≤ 16; a block computes BN columns of y and reads its rows of w once.
// Bound by reading w: O·K elements. K is a single tile, so the sum never leaves the block.
tile.kernel @linear_decode(%x: !X, %w: !W, %b: !G) outs(%y: !Y)
    implements(gpt.linear {activation = "none"})
    where(dim(%x, 0) <= 16)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%w, 1), dim(%w, 0) == dim(%y, 1))
    params {BM = 16 in [1, 2, 4, 8, 16], BN = 16 in [2, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2], Y: type = !tile.elt<X> in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %wt = tile.load %w[%n, %c0] [BN, K] : !W -> tensor<?x?x!tile.elt<W>>
  %sum = tile.dot %xt, %wt, %init transpose_b
      : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %bt = tile.load %b[%n] [BN] : !G -> tensor<?xf32>
  %bias = tile.broadcast %bt [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %r = arith.addf %sum, %bias : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Attention of one new token per sequence over its cache: y = softmax(c·q·kᵀ)·v over the keys, or over the last W of them
// with a window W, per head; with a cap t, scores s become t·tanh(s/t).
//   qkv [N, ≥ H·D] (q first), k, v [B, K, S, D] (this step's tokens already appended), pos [B], c (0: 1/√D), W (0: none),
//   t (0: none) → y [N, H·D]; N = B; a block computes the G = H / K queries that use a head of keys, and walks the keys
//   BN at a time.
// Computes in f32, but multiplies exponentials by v in the cache's type: error ≤ (D + S)·2⁻²⁴ of max|v| if that is f32.
// Never reads cache rows past the last key or before the window. Bound by reading the cache: 2·K·D·(keys seen) elements
// per sequence.
tile.kernel @attention_decode(%qkv: !X, %k: !KV, %v: !KV, %pos: !I, %factor: f32, %window: i32, %cap: f32) outs(%y: !X)
    implements(gpt.attention {part = "attend"})
    where(dim(%qkv, 0) == dim(%pos, 0))
    requires(dim(%qkv, 0) == dim(%y, 0),
             dim(%v, 0) == dim(%k, 0), dim(%v, 1) == dim(%k, 1), dim(%v, 2) == dim(%k, 2), dim(%v, 3) == dim(%k, 3))
    params {BN = 64 in [32, 64, 128, 256], D = dim(%k, 3), G = floordiv(floordiv(dim(%y, 1), D), dim(%k, 1)), Q = G * D,
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [dim(%k, 1), dim(%pos, 0)] {
  %h = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeroi = arith.constant 0 : i32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %isScaled = arith.cmpf une, %factor, %zero : f32
  %isWindowed = arith.cmpi ne, %window, %zeroi : i32
  %isCapped = arith.cmpf une, %cap, %zero : f32
  %d = tile.param D
  %bn = tile.param BN
  %width = tile.param Q

  // The windows of this sequence and head; its queries are at the position of the last key.
  %col = arith.muli %h, %width : index
  %qs = tile.subview %qkv[%b, %col] [1, %width] : !X -> !XR
  %ys = tile.subview %y[%b, %col] [1, %width] : !X -> !XR
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %one = arith.constant 1 : i32
  %past = arith.subi %pi, %window : i32
  %oldest = arith.addi %past, %one : i32
  %inside = arith.maxsi %oldest, %zeroi : i32
  %from = arith.select %isWindowed, %inside, %zeroi : i32
  %begin = arith.index_cast %from : i32 to index
  %seenkeys = arith.subi %end, %begin : index
  %last = arith.subi %pi, %from : i32
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %ks = tile.subview %kh[%begin, 0] [%seenkeys, %d] : !H -> !HW
  %vs = tile.subview %vh[%begin, 0] [%seenkeys, %d] : !H -> !HW
  %qpos = tile.splat %last [G, BN] : i32 -> tensor<?x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>

  // Scores are scaled by c·log₂e, or by t·log₂e with a cap, so that exponentials are powers of two.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %c = arith.select %isScaled, %factor, %rs : f32
  %turn = arith.divf %c, %cap : f32
  %turns = tile.splat %turn [G, BN] : f32 -> tensor<?x?xf32>
  %unit = arith.select %isCapped, %cap, %c : f32
  %sc = arith.mulf %unit, %log2e : f32
  %scale = tile.splat %sc [G, BN] : f32 -> tensor<?x?xf32>
  %ninfs = tile.splat %ninf [G, BN] : f32 -> tensor<?x?xf32>
  %zeros = tile.splat %zero [G, BN] : f32 -> tensor<?x?xf32>

  %qr = tile.load %qs[%c0, %c0] [1, Q] : !XR -> tensor<1x?x!tile.elt<X>>
  %q = tile.reshape %qr [G, D] : tensor<1x?x!tile.elt<X>> -> tensor<?x?x!tile.elt<X>>
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
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<?x?xi32>
    %qt = arith.mulf %qk, %turns : tensor<?x?xf32>
    %capped = math.tanh %qt : tensor<?x?xf32>
    %score = arith.select %isCapped, %capped, %qk : tensor<?x?xf32>
    %sk = arith.mulf %score, %scale : tensor<?x?xf32>
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
  %lb = tile.broadcast %sum [G, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %acc, %lb : tensor<?x?xf32>
  %rc = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  %out = tile.reshape %rc [1, Q] : tensor<?x?x!tile.elt<X>> -> tensor<1x?x!tile.elt<X>>
  tile.store %out, %ys[%c0, %c0] : tensor<1x?x!tile.elt<X>>, !XR
}
