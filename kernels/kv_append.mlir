// Appends this step's keys and values to the cache, k[b, h, pos[b] + t] = qkv[b·T + t, H·D + h·D …] and v likewise behind
// the keys, with norms and turns of keys and of queries.
//   qkv [N, (H + 2K)·D], gains of queries and of keys [D] ([0]: no norms), ε, g₀, cos [N, D] and sin [N, R] of
//   @rotary_angles ([N, 0]: nothing turns), pos [B] → k, v [B, K, S, D], updated in place, q [N, H·D] ([N, 0]: nobody reads
//   it); a block makes BM tokens of a head of keys and of the G = H / K queries that share it.
// As @head_norm and @rotary, rounded once. Moves 4·N·K·D elements, and 2·N·H·D + N·K·(D + R) where queries change.
!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!G = !tile.view<?xf32>
!F = !tile.view<?x?xf32>
!FW = !tile.view<?x?xf32, strides=[?, 1]>
!I = !tile.view<?xi32>
tile.kernel @kv_append(%qkv: !X, %gq: !G, %gk: !G, %eps: f32, %offset: f32, %cos: !F, %sin: !F, %pos: !I)
    outs(%k: !KV, %v: !KV, %q: !X)
    implements(gpt.attention {part = "append"})
    params {BM = 16 in [1, 4, 16, 64], D = dim(%k, 3),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%qkv, 0), dim(%pos, 0)), BM), dim(%k, 1), dim(%pos, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %c2 = arith.constant 2 : index
  %gains = tile.dim %gq, 0 : !G
  %t = tile.dim %sin, 1 : !F
  %written = tile.dim %q, 1 : !X
  %isNormed = arith.cmpi ne, %gains, %c0 : index
  %isTurned = arith.cmpi ne, %t, %c0 : index
  %hasQueries = arith.cmpi ne, %written, %c0 : index
  %half = arith.divui %t, %c2 : index

  // The windows of this sequence and head.
  %rows = tile.dim %qkv, 0 : !X
  %columns = tile.dim %qkv, 1 : !X
  %batch = tile.dim %pos, 0 : !I
  %heads = tile.dim %k, 1 : !KV
  %tokens = arith.divui %rows, %batch : index
  %kwidth = arith.muli %heads, %d : index
  %values = arith.subi %columns, %kwidth : index
  %keys = arith.subi %values, %kwidth : index
  %row = arith.muli %b, %tokens : index
  %hcol = arith.muli %h, %d : index
  %kcol = arith.addi %keys, %hcol : index
  %vcol = arith.addi %values, %hcol : index
  %qwidth = arith.divui %keys, %heads : index
  %group = arith.divui %qwidth, %d : index
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

  // The feature that each feature is exchanged with.
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

  // What a feature is exchanged with has the same norm, but a gain of its own.
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
  %gqb = tile.broadcast %gq1 [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %gqob = tile.broadcast %gqo1 [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
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

  %groups = arith.select %hasQueries, %group, %c0 : index
  scf.for %g = %c0 to %groups step %c1 {
    %first = arith.muli %g, %d : index
    %firsti = arith.index_cast %first : index to i32
    %firsts = tile.splat %firsti [D] : i32 -> tensor<?xi32>
    %qother = arith.addi %firsts, %other : tensor<?xi32>
    %qt = tile.load %qs[%m, %g] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
    %qot = tile.gather %qs[%m] at %qother axis 1 [BM, D] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
    %qf = tile.cast %qt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %qof = tile.cast %qot : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %qsq = arith.mulf %qf, %qf : tensor<?x?xf32>
    %qsum = tile.reduce add %qsq axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %qmean = arith.mulf %qsum, %invs : tensor<?x1xf32>
    %qmeane = arith.addf %qmean, %epss : tensor<?x1xf32>
    %qnorm = math.rsqrt %qmeane : tensor<?x1xf32>
    %qnorms = tile.broadcast %qnorm [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
    %qu = arith.mulf %qf, %qnorms : tensor<?x?xf32>
    %qou = arith.mulf %qof, %qnorms : tensor<?x?xf32>
    %qg = arith.mulf %qu, %gqb : tensor<?x?xf32>
    %qog = arith.mulf %qou, %gqob : tensor<?x?xf32>
    %q1 = arith.select %isNormed, %qg, %qf : tensor<?x?xf32>
    %qo1 = arith.select %isNormed, %qog, %qof : tensor<?x?xf32>
    %qc = arith.mulf %q1, %cost : tensor<?x?xf32>
    %qt1 = math.fma %qo1, %sint, %qc : tensor<?x?xf32>
    %qr = arith.select %isTurned, %qt1, %q1 : tensor<?x?xf32>
    %qn = tile.cast %qr : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
    tile.store %qn, %qd[%m, %g] : tensor<?x?x!tile.elt<X>>, !XW
  }
}
