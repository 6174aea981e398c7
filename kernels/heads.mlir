// Processing of query, key and value heads before attention.

!X = !tile.view<?x?x!tile.elt<X>>
!G = !tile.view<?xf32>
!F = !tile.view<?x?xf32>
!I = !tile.view<?xi32>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!Y = !tile.view<?x?x!tile.elt<Y>>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!FW = !tile.view<?x?xf32, strides=[?, 1]>

// RMS norm of each query and key head: y = x/√(mean(x²) + ε)·(g + g₀) over the D features of a head; copies heads from H
// + K on.
//   x [N, (H + 2K)·D], gains of queries and keys [D], ε, g₀, H, H + K → y like x; a block computes BM rows of a head.
// Computes in f32: error ≤ (D + 8)·2⁻²⁴ of |y|. Moves 2·N·(H + 2K)·D elements.
tile.kernel @head_norm(%x: !X, %gq: !G, %gk: !G, %eps: f32, %offset: f32, %queries: i32, %normed: i32) outs(%y: !X)
    implements(gpt.head_norm)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1), dim(%gk, 0) == dim(%gq, 0))
    params {BM = 16 in [1, 4, 16], D = dim(%gq, 0), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), D)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %d = tile.param D
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %inv = arith.divf %one, %df : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %hi = arith.index_cast %h : index to i32
  %head = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %qs = tile.splat %queries [D] : i32 -> tensor<?xi32>
  %isquery = arith.cmpi slt, %head, %qs : tensor<?xi32>
  %gqt = tile.load %gq[%c0] [D] : !G -> tensor<?xf32>
  %gkt = tile.load %gk[%c0] [D] : !G -> tensor<?xf32>
  %gt = arith.select %isquery, %gqt, %gkt : tensor<?xi1>, tensor<?xf32>
  %offsets = tile.splat %offset [D] : f32 -> tensor<?xf32>
  %go = arith.addf %gt, %offsets : tensor<?xf32>
  %gain = tile.broadcast %go [BM, D] : tensor<?xf32> -> tensor<?x?xf32>

  %xt = tile.load %x[%m, %h] [BM, D] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
  %sum = tile.reduce add %x2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %meane = arith.addf %mean, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %meane : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %n = arith.mulf %xf, %scales : tensor<?x?xf32>
  %ng = arith.mulf %n, %gain : tensor<?x?xf32>
  %hs = tile.splat %hi [BM, D] : i32 -> tensor<?x?xi32>
  %ns = tile.splat %normed [BM, D] : i32 -> tensor<?x?xi32>
  %isnormed = arith.cmpi slt, %hs, %ns : tensor<?x?xi32>
  %res = arith.select %isnormed, %ng, %xf : tensor<?x?xi1>, tensor<?x?xf32>
  %out = tile.cast %res : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
}

// Cosines and sines for rotary embedding: row n is at position p = pos[b] + t, n = b·T + t, and its feature d < R rotates
// by p·f(d mod R/2), where f is a table, or f(i) = 2^(r·i)·(m + (1 − m)·s), m = a + b·i + c·2^(r·i) clamped to 0 … 1.
//   pos [B], f [R/2] ([0]: by r = −2·log₂(θ)/R, s, a, b, c) and an amplitude → cos [N, D], sin [N, R]; a block computes BM
//   rows.
// Beyond R features cosines are 1. The first half of a row's sines is negated: y[d] = x[d]·cos[d] + x[d ± R/2]·sin[d].
// Frequencies and angles are f32: relative error of an angle ≤ 2⁻²¹. Moves N·(D + R) elements.
tile.kernel @rotary_angles(%pos: !I, %table: !G, %rate: f32, %stretch: f32, %ma: f32, %mb: f32, %mc: f32,
                           %amplitude: f32)
    outs(%cos: !F, %sin: !F)
    implements(gpt.rotary {part = "angles"})
    requires(dim(%sin, 0) == dim(%cos, 0))
    params {BM = 1 in [1, 2, 4, 8], D = dim(%cos, 1), R = dim(%sin, 1), Half = floordiv(dim(%sin, 1), 2)}
    grid [ceildiv(dim(%cos, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %bm = tile.param BM
  %r = tile.param R
  %half = tile.param Half
  %ri = arith.index_cast %r : index to i32
  %hi = arith.index_cast %half : index to i32

  // The rows' positions.
  %rows = tile.dim %cos, 0 : !F
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %first = arith.muli %m, %bm : index
  %fi = arith.index_cast %first : index to i32
  %ti = arith.index_cast %tokens : index to i32
  %firsts = tile.splat %fi [BM] : i32 -> tensor<?xi32>
  %ts = tile.splat %ti [BM] : i32 -> tensor<?xi32>
  %i = tile.iota [BM] : tensor<?xi32>
  %row = arith.addi %firsts, %i : tensor<?xi32>
  %b = arith.divui %row, %ts : tensor<?xi32>
  %t = arith.remui %row, %ts : tensor<?xi32>
  %start = tile.gather %pos[] at %b axis 0 [BM] : !I, tensor<?xi32> -> tensor<?xi32>
  %p = arith.addi %start, %t : tensor<?xi32>
  %pf = arith.sitofp %p : tensor<?xi32> to tensor<?xf32>
  %pc = tile.expand_dims %pf, 1 : tensor<?xf32> -> tensor<?x1xf32>

  // The features' frequencies; 0 beyond R.
  %d = tile.iota [D] : tensor<?xi32>
  %halves = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %turning = tile.splat %ri [D] : i32 -> tensor<?xi32>
  %pair = arith.remui %d, %halves : tensor<?xi32>
  %pairf = arith.sitofp %pair : tensor<?xi32> to tensor<?xf32>
  %rates = tile.splat %rate [D] : f32 -> tensor<?xf32>
  %as = tile.splat %ma [D] : f32 -> tensor<?xf32>
  %bs = tile.splat %mb [D] : f32 -> tensor<?xf32>
  %cs = tile.splat %mc [D] : f32 -> tensor<?xf32>
  %ss = tile.splat %stretch [D] : f32 -> tensor<?xf32>
  %zeros = tile.splat %zero [D] : f32 -> tensor<?xf32>
  %ones = tile.splat %one [D] : f32 -> tensor<?xf32>
  %power = arith.mulf %pairf, %rates : tensor<?xf32>
  %plain = math.exp2 %power : tensor<?xf32>
  %linear = math.fma %pairf, %bs, %as : tensor<?xf32>
  %mix = math.fma %plain, %cs, %linear : tensor<?xf32>
  %above = arith.maximumf %mix, %zeros : tensor<?xf32>
  %kept = arith.minimumf %above, %ones : tensor<?xf32>
  %rest = arith.subf %ones, %kept : tensor<?xf32>
  %factor = math.fma %rest, %ss, %kept : tensor<?xf32>
  %made = arith.mulf %plain, %factor : tensor<?xf32>
  %listed = tile.gather %table[] at %pair axis 0 [D] : !G, tensor<?xi32> -> tensor<?xf32>
  %entries = tile.dim %table, 0 : !G
  %isListed = arith.cmpi ne, %entries, %c0 : index
  %scaled = arith.select %isListed, %listed, %made : tensor<?xf32>
  %turns = arith.cmpi slt, %d, %turning : tensor<?xi32>
  %f = arith.select %turns, %scaled, %zeros : tensor<?xi1>, tensor<?xf32>
  %fb = tile.broadcast %f [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %pb = tile.broadcast %pc [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %angle = arith.mulf %pb, %fb : tensor<?x?xf32>

  // The amplitude applies to rotated features.
  %amps = tile.splat %amplitude [D] : f32 -> tensor<?xf32>
  %negated = arith.negf %amps : tensor<?xf32>
  %lower = arith.cmpi slt, %d, %halves : tensor<?xi32>
  %cosamp = arith.select %turns, %amps, %ones : tensor<?xi1>, tensor<?xf32>
  %sinamp = arith.select %lower, %negated, %amps : tensor<?xi1>, tensor<?xf32>
  %cosamps = tile.broadcast %cosamp [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %sinamps = tile.broadcast %sinamp [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %cosine = math.cos %angle : tensor<?x?xf32>
  %sine = math.sin %angle : tensor<?x?xf32>
  %cr = arith.mulf %cosine, %cosamps : tensor<?x?xf32>
  %sr = arith.mulf %sine, %sinamps : tensor<?x?xf32>
  tile.store %cr, %cos[%m, %c0] : tensor<?x?xf32>, !F
  tile.store %sr, %sin[%m, %c0] : tensor<?x?xf32>, !F
}

// Rotary embedding of query and key heads: y = x·cos + swap(x)·sin, where swap exchanges the halves of the first R
// features of a head; copies heads from Q on.
//   x [N, heads·D], cos [N, D], sin [N, R], the first half negated, Q → y [N, heads·D]; a block computes BM rows of a head.
// Computes in f32: error ≤ 4·2⁻²⁴ of |y|. Moves 2·N·heads·D + N·(D + R)·heads elements, the latter from the cache.
tile.kernel @rotary(%x: !X, %cos: !F, %sin: !F, %turned: i32) outs(%y: !X)
    implements(gpt.rotary {part = "turn"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1), dim(%cos, 0) == dim(%y, 0), dim(%sin, 0) == dim(%y, 0))
    params {BM = 16 in [1, 4, 16], D = dim(%cos, 1), R = dim(%sin, 1), Half = floordiv(dim(%sin, 1), 2),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), D)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %d = tile.param D
  %r = tile.param R
  %half = tile.param Half
  %ri = arith.index_cast %r : index to i32
  %hi = arith.index_cast %half : index to i32

  // The column of each feature's rotation partner.
  %head = arith.muli %h, %d : index
  %headi = arith.index_cast %head : index to i32
  %heads = tile.splat %headi [D] : i32 -> tensor<?xi32>
  %halves = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %turning = tile.splat %ri [D] : i32 -> tensor<?xi32>
  %i = tile.iota [D] : tensor<?xi32>
  %above = arith.addi %i, %halves : tensor<?xi32>
  %below = arith.subi %i, %halves : tensor<?xi32>
  %lower = arith.cmpi slt, %i, %halves : tensor<?xi32>
  %turns = arith.cmpi slt, %i, %turning : tensor<?xi32>
  %upper = arith.select %turns, %below, %i : tensor<?xi1>, tensor<?xi32>
  %other = arith.select %lower, %above, %upper : tensor<?xi1>, tensor<?xi32>
  %columns = arith.addi %heads, %other : tensor<?xi32>

  %xt = tile.load %x[%m, %h] [BM, D] : !X -> tensor<?x?x!tile.elt<X>>
  %st = tile.gather %x[%m] at %columns axis 1 [BM, D] : !X, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %cost = tile.load %cos[%m, %c0] [BM, D] : !F -> tensor<?x?xf32>
  %sint = tile.load %sin[%m, %c0] [BM, D] : !F -> tensor<?x?xf32>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %sf = tile.cast %st : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %xc = arith.mulf %xf, %cost : tensor<?x?xf32>
  %new = math.fma %sf, %sint, %xc : tensor<?x?xf32>
  %hx = arith.index_cast %h : index to i32
  %hs = tile.splat %hx [BM, D] : i32 -> tensor<?x?xi32>
  %qs = tile.splat %turned [BM, D] : i32 -> tensor<?x?xi32>
  %isturned = arith.cmpi slt, %hs, %qs : tensor<?x?xi32>
  %res = arith.select %isturned, %new, %xf : tensor<?x?xi1>, tensor<?x?xf32>
  %out = tile.cast %res : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
}

// Appends this step's keys and values to the cache, k[b, h, pos[b] + t] = qkv[b·T + t, H·D + h·D …], with the values
// after the keys; normalizes and rotates keys and queries.
//   qkv [N, (H + 2K)·D], gains of queries and keys [D] ([0]: no norms), ε, g₀, cos [N, D] and sin [N, R] of
//   @rotary_angles ([N, 0]: no rotation), pos [B] → k, v [B, K, S, D], updated in place, q [N, H·D] ([N, 0]: unused);
//   a block computes BM tokens of a head of keys and of the G = H / K queries that use it.
// Like @head_norm and @rotary, but rounds once. Moves 4·N·K·D elements, plus 2·N·H·D + N·K·(D + R) if queries change.
tile.kernel @kv_append(%qkv: !X, %gq: !G, %gk: !G, %eps: f32, %offset: f32, %cos: !F, %sin: !F, %pos: !I)
    outs(%k: !KV, %v: !KV, %q: !X)
    implements(gpt.attention {part = "append"})
    requires(dim(%qkv, 0) == dim(%q, 0),
             dim(%v, 0) == dim(%k, 0), dim(%v, 1) == dim(%k, 1), dim(%v, 2) == dim(%k, 2), dim(%v, 3) == dim(%k, 3))
    params {BM = 16 in [1, 4, 16, 64], D = dim(%k, 3), Q = floordiv(dim(%qkv, 1), dim(%k, 1)) - 2 * D, G = floordiv(Q, D),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%qkv, 0), dim(%pos, 0)), BM), dim(%k, 1), dim(%pos, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %d = tile.param D
  %c2 = arith.constant 2 : index
  %gains = tile.dim %gq, 0 : !G
  %t = tile.dim %sin, 1 : !F
  %written = tile.dim %q, 1 : !X
  %isNormed = arith.cmpi ne, %gains, %c0 : index
  %isTurned = arith.cmpi ne, %t, %c0 : index
  %half = arith.divui %t, %c2 : index

  // The windows of this sequence and head.
  %rows = tile.dim %qkv, 0 : !X
  %batch = tile.dim %pos, 0 : !I
  %heads = tile.dim %k, 1 : !KV
  %tokens = arith.divui %rows, %batch : index
  %qwidth = tile.param Q
  %queries = arith.muli %heads, %qwidth : index
  %kwidth = arith.muli %heads, %d : index
  %row = arith.muli %b, %tokens : index
  %hcol = arith.muli %h, %d : index
  %kcol = arith.addi %queries, %hcol : index
  %vcol = arith.addi %kcol, %kwidth : index
  %qcol = arith.muli %h, %qwidth : index
  %qs = tile.subview %qkv[%row, %qcol] [%tokens, %qwidth] : !X -> !XW
  %dwidth = arith.divui %written, %heads : index
  %dcol = arith.muli %h, %dwidth : index
  %qd = tile.subview %q[%row, %dcol] [%tokens, %dwidth] : !X -> !XW
  %ks = tile.subview %qkv[%row, %kcol] [%tokens, %d] : !X -> !XW
  %vs = tile.subview %qkv[%row, %vcol] [%tokens, %d] : !X -> !XW
  %cosines = tile.dim %cos, 1 : !F
  %coss = tile.subview %cos[%row, 0] [%tokens, %cosines] : !F -> !FW
  %sins = tile.subview %sin[%row, 0] [%tokens, %t] : !F -> !FW
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %kd = tile.subview %kh[%p, 0] [%tokens, %d] : !H -> !HW
  %vd = tile.subview %vh[%p, 0] [%tokens, %d] : !H -> !HW

  // The rotation partner of each feature.
  %ti = arith.index_cast %t : index to i32
  %hi = arith.index_cast %half : index to i32
  %feature = tile.iota [D] : tensor<?xi32>
  %halves = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %turning = tile.splat %ti [D] : i32 -> tensor<?xi32>
  %up = arith.addi %feature, %halves : tensor<?xi32>
  %down = arith.subi %feature, %halves : tensor<?xi32>
  %lower = arith.cmpi slt, %feature, %halves : tensor<?xi32>
  %turns = arith.cmpi slt, %feature, %turning : tensor<?xi32>
  %rest = arith.select %turns, %down, %feature : tensor<?xi1>, tensor<?xi32>
  %other = arith.select %lower, %up, %rest : tensor<?xi1>, tensor<?xi32>
  %cost = tile.load %coss[%m, %c0] [BM, D] : !FW -> tensor<?x?xf32>
  %sint = tile.load %sins[%m, %c0] [BM, D] : !FW -> tensor<?x?xf32>

  // A feature's partner has the same norm, but its own gain.
  %one = arith.constant 1.0 : f32
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %inv = arith.divf %one, %df : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %offsets = tile.splat %offset [D] : f32 -> tensor<?xf32>
  %gqt = tile.load %gq[%c0] [D] : !G -> tensor<?xf32>
  %gkt = tile.load %gk[%c0] [D] : !G -> tensor<?xf32>
  %gqot = tile.gather %gq[] at %other axis 0 [D] : !G, tensor<?xi32> -> tensor<?xf32>
  %gkot = tile.gather %gk[] at %other axis 0 [D] : !G, tensor<?xi32> -> tensor<?xf32>
  %gq1 = arith.addf %gqt, %offsets : tensor<?xf32>
  %gk1 = arith.addf %gkt, %offsets : tensor<?xf32>
  %gqo1 = arith.addf %gqot, %offsets : tensor<?xf32>
  %gko1 = arith.addf %gkot, %offsets : tensor<?xf32>
  %gkb = tile.broadcast %gk1 [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %gkob = tile.broadcast %gko1 [BM, D] : tensor<?xf32> -> tensor<?x?xf32>

  %kt = tile.load %ks[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  %kot = tile.gather %ks[%m] at %other axis 1 [BM, D] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %kf = tile.cast %kt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %kof = tile.cast %kot : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %ksq = arith.mulf %kf, %kf : tensor<?x?xf32>
  %ksum = tile.reduce add %ksq axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %kmean = arith.mulf %ksum, %invs : tensor<?x1xf32>
  %kmeane = arith.addf %kmean, %epss : tensor<?x1xf32>
  %knorm = math.rsqrt %kmeane : tensor<?x1xf32>
  %knorms = tile.broadcast %knorm [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %ku = arith.mulf %kf, %knorms : tensor<?x?xf32>
  %kou = arith.mulf %kof, %knorms : tensor<?x?xf32>
  %kg = arith.mulf %ku, %gkb : tensor<?x?xf32>
  %kog = arith.mulf %kou, %gkob : tensor<?x?xf32>
  %k1 = arith.select %isNormed, %kg, %kf : tensor<?x?xf32>
  %ko1 = arith.select %isNormed, %kog, %kof : tensor<?x?xf32>
  %kc = arith.mulf %k1, %cost : tensor<?x?xf32>
  %kt1 = math.fma %ko1, %sint, %kc : tensor<?x?xf32>
  %kr = arith.select %isTurned, %kt1, %k1 : tensor<?x?xf32>
  %kn = tile.cast %kr : tensor<?x?xf32> to tensor<?x?x!tile.elt<KV>>
  tile.store %kn, %kd[%m, %c0] : tensor<?x?x!tile.elt<KV>>, !HW
  %vt = tile.load %vs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  %vn = tile.cast %vt : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<KV>>
  tile.store %vn, %vd[%m, %c0] : tensor<?x?x!tile.elt<KV>>, !HW

  // All queries of the group: feature d of query g is column g·D + d.
  %g = tile.iota [G] : tensor<?xi32>
  %ds = tile.splat %di [G] : i32 -> tensor<?xi32>
  %first = arith.muli %g, %ds : tensor<?xi32>
  %firstc = tile.expand_dims %first, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %firsts = tile.broadcast %firstc [G, D] : tensor<?x1xi32> -> tensor<?x?xi32>
  %others = tile.broadcast %other [G, D] : tensor<?xi32> -> tensor<?x?xi32>
  %column = arith.addi %firsts, %others : tensor<?x?xi32>
  %qother = tile.reshape %column [Q] : tensor<?x?xi32> -> tensor<?xi32>
  %cosg = tile.expand_dims %cost, 1 : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %sing = tile.expand_dims %sint, 1 : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %cosb = tile.broadcast %cosg [BM, G, D] : tensor<?x1x?xf32> -> tensor<?x?x?xf32>
  %sinb = tile.broadcast %sing [BM, G, D] : tensor<?x1x?xf32> -> tensor<?x?x?xf32>
  %qinvs = tile.splat %inv [BM, G, 1] : f32 -> tensor<?x?x1xf32>
  %qepss = tile.splat %eps [BM, G, 1] : f32 -> tensor<?x?x1xf32>
  %gqb = tile.broadcast %gq1 [BM, G, D] : tensor<?xf32> -> tensor<?x?x?xf32>
  %gqob = tile.broadcast %gqo1 [BM, G, D] : tensor<?xf32> -> tensor<?x?x?xf32>

  %qr = tile.load %qs[%m, %c0] [BM, Q] : !XW -> tensor<?x?x!tile.elt<X>>
  %qor = tile.gather %qs[%m] at %qother axis 1 [BM, Q] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %qt = tile.reshape %qr [BM, G, D] : tensor<?x?x!tile.elt<X>> -> tensor<?x?x?x!tile.elt<X>>
  %qot = tile.reshape %qor [BM, G, D] : tensor<?x?x!tile.elt<X>> -> tensor<?x?x?x!tile.elt<X>>
  %qf = tile.cast %qt : tensor<?x?x?x!tile.elt<X>> to tensor<?x?x?xf32>
  %qof = tile.cast %qot : tensor<?x?x?x!tile.elt<X>> to tensor<?x?x?xf32>
  %qsq = arith.mulf %qf, %qf : tensor<?x?x?xf32>
  %qsum = tile.reduce add %qsq axis 2 keepdims : tensor<?x?x?xf32> -> tensor<?x?x1xf32>
  %qmean = arith.mulf %qsum, %qinvs : tensor<?x?x1xf32>
  %qmeane = arith.addf %qmean, %qepss : tensor<?x?x1xf32>
  %qnorm = math.rsqrt %qmeane : tensor<?x?x1xf32>
  %qnorms = tile.broadcast %qnorm [BM, G, D] : tensor<?x?x1xf32> -> tensor<?x?x?xf32>
  %qu = arith.mulf %qf, %qnorms : tensor<?x?x?xf32>
  %qou = arith.mulf %qof, %qnorms : tensor<?x?x?xf32>
  %qg = arith.mulf %qu, %gqb : tensor<?x?x?xf32>
  %qog = arith.mulf %qou, %gqob : tensor<?x?x?xf32>
  %q1 = arith.select %isNormed, %qg, %qf : tensor<?x?x?xf32>
  %qo1 = arith.select %isNormed, %qog, %qof : tensor<?x?x?xf32>
  %qc = arith.mulf %q1, %cosb : tensor<?x?x?xf32>
  %qt1 = math.fma %qo1, %sinb, %qc : tensor<?x?x?xf32>
  %qturned = arith.select %isTurned, %qt1, %q1 : tensor<?x?x?xf32>
  %qn = tile.cast %qturned : tensor<?x?x?xf32> to tensor<?x?x?x!tile.elt<X>>
  %qw = tile.reshape %qn [BM, Q] : tensor<?x?x?x!tile.elt<X>> -> tensor<?x?x!tile.elt<X>>
  tile.store %qw, %qd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW
}

// RMS norm of all queries and of all keys of a row: y = x/√(mean(x²) + ε)·g over the Q columns of queries and over the K
// columns of keys; copies values.
//   x [N, Q + 2K] (queries, keys, values), gains of queries [Q] and keys [K], ε → y like x; a block computes BM rows.
// Computes in f32: error ≤ (Q + 8)·2⁻²⁴ of |y|. Moves 2·N·(Q + 2K) elements.
tile.kernel @qk_norm(%x: !X, %gq: !G, %gk: !G, %eps: f32) outs(%y: !X)
    implements(gpt.qk_norm)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16], Q = dim(%gq, 0), K = dim(%gk, 0), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %rows = tile.dim %x, 0 : !X
  %qwidth = tile.param Q
  %kwidth = tile.param K
  %vcol = arith.addi %qwidth, %kwidth : index
  %qs = tile.subview %x[0, 0] [%rows, %qwidth] : !X -> !XW
  %qd = tile.subview %y[0, 0] [%rows, %qwidth] : !X -> !XW
  %ks = tile.subview %x[0, %qwidth] [%rows, %kwidth] : !X -> !XW
  %kd = tile.subview %y[0, %qwidth] [%rows, %kwidth] : !X -> !XW
  %vs = tile.subview %x[0, %vcol] [%rows, %kwidth] : !X -> !XW
  %vd = tile.subview %y[0, %vcol] [%rows, %kwidth] : !X -> !XW

  %qt = tile.load %qs[%m, %c0] [BM, Q] : !XW -> tensor<?x?x!tile.elt<X>>
  %qf = tile.cast %qt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %q2 = arith.mulf %qf, %qf : tensor<?x?xf32>
  %qsum = tile.reduce add %q2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %qn = tile.param Q
  %qni = arith.index_cast %qn : index to i32
  %qnf = arith.sitofp %qni : i32 to f32
  %qinv = arith.divf %one, %qnf : f32
  %qinvs = tile.splat %qinv [BM, 1] : f32 -> tensor<?x1xf32>
  %qmean = arith.mulf %qsum, %qinvs : tensor<?x1xf32>
  %qmeane = arith.addf %qmean, %epss : tensor<?x1xf32>
  %qscale = math.rsqrt %qmeane : tensor<?x1xf32>
  %qscales = tile.broadcast %qscale [BM, Q] : tensor<?x1xf32> -> tensor<?x?xf32>
  %qu = arith.mulf %qf, %qscales : tensor<?x?xf32>
  %qg = tile.load %gq[%c0] [Q] : !G -> tensor<?xf32>
  %qgain = tile.broadcast %qg [BM, Q] : tensor<?xf32> -> tensor<?x?xf32>
  %qr = arith.mulf %qu, %qgain : tensor<?x?xf32>
  %qout = tile.cast %qr : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %qout, %qd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW

  %kt = tile.load %ks[%m, %c0] [BM, K] : !XW -> tensor<?x?x!tile.elt<X>>
  %kf = tile.cast %kt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %k2 = arith.mulf %kf, %kf : tensor<?x?xf32>
  %ksum = tile.reduce add %k2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %kn = tile.param K
  %kni = arith.index_cast %kn : index to i32
  %knf = arith.sitofp %kni : i32 to f32
  %kinv = arith.divf %one, %knf : f32
  %kinvs = tile.splat %kinv [BM, 1] : f32 -> tensor<?x1xf32>
  %kmean = arith.mulf %ksum, %kinvs : tensor<?x1xf32>
  %kmeane = arith.addf %kmean, %epss : tensor<?x1xf32>
  %kscale = math.rsqrt %kmeane : tensor<?x1xf32>
  %kscales = tile.broadcast %kscale [BM, K] : tensor<?x1xf32> -> tensor<?x?xf32>
  %ku = arith.mulf %kf, %kscales : tensor<?x?xf32>
  %kg = tile.load %gk[%c0] [K] : !G -> tensor<?xf32>
  %kgain = tile.broadcast %kg [BM, K] : tensor<?xf32> -> tensor<?x?xf32>
  %kr = arith.mulf %ku, %kgain : tensor<?x?xf32>
  %kout = tile.cast %kr : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %kout, %kd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW

  %vt = tile.load %vs[%m, %c0] [BM, K] : !XW -> tensor<?x?x!tile.elt<X>>
  tile.store %vt, %vd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW
}

// Heads of multi-head latent attention: queries, keys and values of every head side by side, first the R features that turn.
//   queries [N, H·D] (D − R features, then the R of a head), latent [N, H·(D − R + V)] (features of the key, then the value of
//   a head), turned [N, R] (those of every key), order [D] (the feature of a query's head that each of its features becomes)
//   → y [N, 3·H·D], values filled up with zeros; a block computes BM rows of a head.
// Exact. Moves N·H·(5·D − R + V) elements.
tile.kernel @latent_heads(%queries: !X, %latent: !X, %turned: !X, %order: !G) outs(%y: !X)
    implements(gpt.latent_heads)
    requires(dim(%queries, 0) == dim(%y, 0), dim(%latent, 0) == dim(%y, 0), dim(%turned, 0) == dim(%y, 0))
    params {BM = 4 in [1, 4, 16], D = dim(%order, 0), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), floordiv(dim(%queries, 1), D)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %heads = tile.num_blocks 1
  %c0 = arith.constant 0 : index
  %d = tile.param D
  %rows = tile.dim %y, 0 : !X
  %turning = tile.dim %turned, 1 : !X
  %columns = tile.dim %latent, 1 : !X
  %each = arith.divui %columns, %heads : index
  %other = arith.subi %d, %turning : index
  %value = arith.subi %each, %other : index

  // The columns of this head.
  %qcol = arith.muli %h, %d : index
  %lcol = arith.muli %h, %each : index
  %vcol = arith.addi %lcol, %other : index
  %kh = arith.addi %heads, %h : index
  %vh = arith.addi %heads, %kh : index
  %qs = tile.subview %queries[0, %qcol] [%rows, %d] : !X -> !XW
  %ls = tile.subview %latent[0, %lcol] [%rows, %each] : !X -> !XW
  %vs = tile.subview %latent[0, %vcol] [%rows, %value] : !X -> !XW

  %ot = tile.load %order[%c0] [D] : !G -> tensor<?xf32>
  %from = arith.fptosi %ot : tensor<?xf32> to tensor<?xi32>
  %otheri = arith.index_cast %other : index to i32
  %others = tile.splat %otheri [D] : i32 -> tensor<?xi32>
  %zeroi = arith.constant 0 : i32
  %zeros = tile.splat %zeroi [D] : i32 -> tensor<?xi32>
  %isTurned = arith.cmpi sge, %from, %others : tensor<?xi32>
  %ahead = arith.subi %from, %others : tensor<?xi32>
  %tfrom = arith.select %isTurned, %ahead, %zeros : tensor<?xi1>, tensor<?xi32>
  %lfrom = arith.select %isTurned, %zeros, %from : tensor<?xi1>, tensor<?xi32>
  %isTurneds = tile.broadcast %isTurned [BM, D] : tensor<?xi1> -> tensor<?x?xi1>

  %q = tile.gather %qs[%m] at %from axis 1 [BM, D] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %kt = tile.gather %turned[%m] at %tfrom axis 1 [BM, D] : !X, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %kl = tile.gather %ls[%m] at %lfrom axis 1 [BM, D] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %k = arith.select %isTurneds, %kt, %kl : tensor<?x?xi1>, tensor<?x?x!tile.elt<X>>
  // Zero behind its features.
  %v = tile.load %vs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  tile.store %q, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
  tile.store %k, %y[%m, %kh] : tensor<?x?x!tile.elt<X>>, !X
  tile.store %v, %y[%m, %vh] : tensor<?x?x!tile.elt<X>>, !X
}

// Some columns of every group: y[n, g·F + i] = x[n, g·width + first + i], i < F.
//   x [N, G·width], width, first, F → y [N, G·F]; a block computes BM rows of BN columns.
// Exact. Moves 2·N·G·F elements.
tile.kernel @columns(%x: !X, %width: i32, %start: i32, %kept: i32) outs(%y: !Y)
    implements(gpt.columns)
    requires(dim(%x, 0) == dim(%y, 0))
    params {BM = 1 in [1, 4, 16], BN = 128 in [64, 128, 256, 512], X: type = f32 in [f32, bf16, f16],
            Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %bn = tile.param BN
  %first = arith.muli %n, %bn : index
  %firsti = arith.index_cast %first : index to i32
  %firsts = tile.splat %firsti [BN] : i32 -> tensor<?xi32>
  %in = tile.iota [BN] : tensor<?xi32>
  %column = arith.addi %firsts, %in : tensor<?xi32>
  %kepts = tile.splat %kept [BN] : i32 -> tensor<?xi32>
  %widths = tile.splat %width [BN] : i32 -> tensor<?xi32>
  %head = arith.divsi %column, %kepts : tensor<?xi32>
  %feature = arith.remsi %column, %kepts : tensor<?xi32>
  %starts = tile.splat %start [BN] : i32 -> tensor<?xi32>
  %group = arith.muli %head, %widths : tensor<?xi32>
  %begin = arith.addi %group, %starts : tensor<?xi32>
  %from = arith.addi %begin, %feature : tensor<?xi32>
  %t = tile.gather %x[%m] at %from axis 1 [BM, BN] : !X, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %out = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
