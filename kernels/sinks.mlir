// Causal attention with sinks: every head has one more score, of a key whose value is zero.

!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!XR = !tile.view<1x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!I = !tile.view<?xi32>
!S = !tile.view<?xf32>
!SW = !tile.view<?xf32, strides=[1]>

// @attention with a sink for each head: y = Σ e^(c·q·kᵀ)·v / (e^sink + Σ e^(c·q·kᵀ)), over keys up to the query's own
// position, or the last W of them with a window W.
//   qkv [N, ≥ H·D] (q first), k, v [B, K, S, D] (this step's tokens already appended), pos [B], c (0: 1/√D), W (0: none),
//   sinks [H] → y [N, H·D]; a block computes BM queries of one head and walks the keys BN at a time, without a T × T
//   matrix. H / K consecutive heads use the keys of one.
// Computes in f32, but multiplies exponentials by v in the cache's type: error ≤ (D + S)·2⁻²⁴ of max|v| if that is f32.
// Never reads cache rows past the last key, or tiles before every query's window.
// Moves 2·N·H·D + 2·H·D·(keys seen)·⌈T/BM⌉ elements.
tile.kernel @attention_sinks(%qkv: !X, %k: !KV, %v: !KV, %pos: !I, %factor: f32, %window: i32, %sinks: !S) outs(%y: !X)
    implements(gpt.attention {part = "attend", sinks})
    requires(dim(%qkv, 0) == dim(%y, 0),
             dim(%v, 0) == dim(%k, 0), dim(%v, 1) == dim(%k, 1), dim(%v, 2) == dim(%k, 2), dim(%v, 3) == dim(%k, 3))
    params {BM = 32 in [16, 32, 64, 128, 192], BN = 64 in [32, 64, 128], D = dim(%k, 3),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%qkv, 0), dim(%pos, 0)), BM), floordiv(dim(%y, 1), dim(%k, 3)), dim(%pos, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %zeroi = arith.constant 0 : i32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %isScaled = arith.cmpf une, %factor, %zero : f32
  %isWindowed = arith.cmpi ne, %window, %zeroi : i32
  %d = tile.param D
  %bm = tile.param BM
  %bn = tile.param BN

  // The windows of this sequence and head, and the position of its first query.
  %rows = tile.dim %qkv, 0 : !X
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %row = arith.muli %b, %tokens : index
  %col = arith.muli %h, %d : index
  %qs = tile.subview %qkv[%row, %col] [%tokens, %d] : !X -> !XW
  %ys = tile.subview %y[%row, %col] [%tokens, %d] : !X -> !XW
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %first = arith.muli %m, %bm : index
  %next = arith.addi %first, %bm : index
  %stop = arith.minui %next, %tokens : index
  %end = arith.addi %p, %stop : index
  %heads = tile.num_blocks 1
  %kheads = tile.dim %k, 1 : !KV
  %group = arith.divui %heads, %kheads : index
  %hk = arith.divui %h, %group : index
  %kh = tile.select %k[%b, %hk] : !KV -> !H
  %vh = tile.select %v[%b, %hk] : !KV -> !H
  %ks = tile.subview %kh[0, 0] [%end, %d] : !H -> !HW
  %vs = tile.subview %vh[0, 0] [%end, %d] : !H -> !HW

  // Query i of the tile is at position p + m·BM + i.
  %q0 = arith.addi %p, %first : index
  %q0i = arith.index_cast %q0 : index to i32
  %q0s = tile.splat %q0i [BM] : i32 -> tensor<?xi32>
  %im = tile.iota [BM] : tensor<?xi32>
  %qp = arith.addi %q0s, %im : tensor<?xi32>
  %qpc = tile.expand_dims %qp, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %qpos = tile.broadcast %qpc [BM, BN] : tensor<?x1xi32> -> tensor<?x?xi32>
  %windows = tile.splat %window [BM, BN] : i32 -> tensor<?x?xi32>
  %before = arith.subi %qpos, %windows : tensor<?x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>

  // Scores are scaled by c·log₂e, so that exponentials are powers of two. Subnormal ones may be flushed to zero: the
  // largest of a row is 1.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %c = arith.select %isScaled, %factor, %rs : f32
  %sc = arith.mulf %c, %log2e : f32
  %scale = tile.splat %sc [BM, BN] : f32 -> tensor<?x?xf32>
  %scale1 = tile.splat %sc [BM, 1] : f32 -> tensor<?x1xf32>
  %ninfs = tile.splat %ninf [BM, BN] : f32 -> tensor<?x?xf32>
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>

  %q = tile.load %qs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  // The sum of exponentials starts with that of the sink.
  %st = tile.load %sinks[%h] [1] : !S -> tensor<1xf32>
  %sink = tensor.extract %st[%c0] : tensor<1xf32>
  %least = arith.divf %sink, %c : f32
  %m0 = tile.splat %least [BM, 1] : f32 -> tensor<?x1xf32>
  %l0 = tile.splat %one [BM, 1] : f32 -> tensor<?x1xf32>
  %o0 = tile.splat %zero [BM, D] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %ks, 0 by [BN] : !HW

  // The first tile that the first query sees.
  %onei = arith.constant 1 : i32
  %past = arith.subi %q0i, %window : i32
  %oldest = arith.addi %past, %onei : i32
  %from = arith.maxsi %oldest, %zeroi : i32
  %fromx = arith.index_cast %from : i32 to index
  %fromt = arith.divui %fromx, %bn : index
  %begin = arith.select %isWindowed, %fromt, %c0 : index
  %max, %sum, %acc = scf.for %j = %begin to %steps step %c1
      iter_args(%mi = %m0, %li = %l0, %oi = %o0) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>) {
    %kt = tile.load %ks[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %vt = tile.load %vs[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>
    %qk = tile.dot %q, %kt, %zeros transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<KV>>, tensor<?x?xf32> -> tensor<?x?xf32>
    %j0 = arith.muli %j, %bn : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %kp = arith.addi %j0s, %in : tensor<?xi32>
    %kpos = tile.broadcast %kp [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %causal = arith.cmpi sle, %kpos, %qpos : tensor<?x?xi32>
    %recent = arith.cmpi sgt, %kpos, %before : tensor<?x?xi32>
    %both = arith.andi %causal, %recent : tensor<?x?xi1>
    %seen = arith.select %isWindowed, %both, %causal : tensor<?x?xi1>
    %s = arith.select %seen, %qk, %ninfs : tensor<?x?xi1>, tensor<?x?xf32>
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
    %ec = tile.cast %e : tensor<?x?xf32> to tensor<?x?x!tile.elt<KV>>
    %on = tile.dot %ec, %vt, %oa
        : tensor<?x?x!tile.elt<KV>>, tensor<?x?x!tile.elt<KV>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %mn, %ln, %on : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x?xf32>
  }
  %lb = tile.broadcast %sum [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %acc, %lb : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %ys[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW
}

// @attention_sinks of one new token per sequence: N = B; a block computes the G = H / K queries that use a head of keys, and
// walks the keys BN at a time.
// Computes in f32, but multiplies exponentials by v in the cache's type: error ≤ (D + S)·2⁻²⁴ of max|v| if that is f32.
// Never reads cache rows past the last key or before the window. Bound by reading the cache: 2·K·D·(keys seen) elements
// per sequence.
tile.kernel @attention_sinks_decode(%qkv: !X, %k: !KV, %v: !KV, %pos: !I, %factor: f32, %window: i32, %sinks: !S) outs(%y: !X)
    implements(gpt.attention {part = "attend", sinks})
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
  %one = arith.constant 1.0 : f32
  %zeroi = arith.constant 0 : i32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %isScaled = arith.cmpf une, %factor, %zero : f32
  %isWindowed = arith.cmpi ne, %window, %zeroi : i32
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
  %onei = arith.constant 1 : i32
  %past = arith.subi %pi, %window : i32
  %oldest = arith.addi %past, %onei : i32
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

  // Scores are scaled by c·log₂e, so that exponentials are powers of two.
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %rs = math.rsqrt %df : f32
  %c = arith.select %isScaled, %factor, %rs : f32
  %sc = arith.mulf %c, %log2e : f32
  %scale = tile.splat %sc [G, BN] : f32 -> tensor<?x?xf32>
  %ninfs = tile.splat %ninf [G, BN] : f32 -> tensor<?x?xf32>
  %zeros = tile.splat %zero [G, BN] : f32 -> tensor<?x?xf32>

  %qr = tile.load %qs[%c0, %c0] [1, Q] : !XR -> tensor<1x?x!tile.elt<X>>
  %q = tile.reshape %qr [G, D] : tensor<1x?x!tile.elt<X>> -> tensor<?x?x!tile.elt<X>>
  // The sums of exponentials start with those of the sinks of these heads.
  %group = tile.param G
  %h0 = arith.muli %h, %group : index
  %own = tile.subview %sinks[%h0] [%group] : !S -> !SW
  %st = tile.load %own[%c0] [G] : !SW -> tensor<?xf32>
  %log2es = tile.splat %log2e [G] : f32 -> tensor<?xf32>
  %sl = arith.mulf %st, %log2es : tensor<?xf32>
  %m0 = tile.expand_dims %sl, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %l0 = tile.splat %one [G, 1] : f32 -> tensor<?x1xf32>
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
  %lb = tile.broadcast %sum [G, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %acc, %lb : tensor<?x?xf32>
  %rc = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  %out = tile.reshape %rc [1, Q] : tensor<?x?x!tile.elt<X>> -> tensor<1x?x!tile.elt<X>>
  tile.store %out, %ys[%c0, %c0] : tensor<1x?x!tile.elt<X>>, !XR
}
