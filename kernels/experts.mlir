// Mixture of experts with gated units.

!X = !tile.view<?x?x!tile.elt<X>>
!J = !tile.view<?x?xi32>
!S = !tile.view<?x?xf32>
!B = !tile.view<?xf32>
!BW = !tile.view<?xf32, strides=[1]>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!W = !tile.view<?x?x!tile.elt<W>>
!WW = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
!Y = !tile.view<?x?x!tile.elt<Y>>

// Routes every row to the experts with the greatest logits, with their shares.
//   logits [N, E], normalize → ids [N, T], shares [N, T]; a block routes BM rows.
// Column j of ids is the expert of rank j, by logit and then by index; its share is its softmax(logits), over all
// experts if `normalize` is 0, over the chosen ones if it is 1.
// Computes in f32: error ≤ 8·2⁻²⁴. T·N·E comparisons; moves N·E + 2·N·T elements.
tile.kernel @route(%logits: !X, %normalize: f32) outs(%ids: !J, %shares: !S)
    implements(gpt.route)
    requires(dim(%ids, 0) == dim(%logits, 0), dim(%shares, 0) == dim(%logits, 0), dim(%shares, 1) == dim(%ids, 1))
    params {BM = 4 in [1, 2, 4, 8, 16], E = dim(%logits, 1), T = dim(%ids, 1),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%ids, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %zeroi = arith.constant 0 : i32
  %most = arith.constant 0x7FFFFFFF : i32
  %top = tile.param T

  %xt = tile.load %logits[%m, %c0] [BM, E] : !X -> tensor<?x?x!tile.elt<X>>
  %x = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %max = tile.reduce max %x axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %maxb = tile.broadcast %max [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
  %log2es = tile.splat %log2e [BM, E] : f32 -> tensor<?x?xf32>
  %d = arith.subf %x, %maxb : tensor<?x?xf32>
  %z = arith.mulf %d, %log2es : tensor<?x?xf32>
  %w = math.exp2 %z : tensor<?x?xf32>
  %all = tile.reduce add %w axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>

  %in = tile.iota [E] : tensor<?xi32>
  %numbers = tile.broadcast %in [BM, E] : tensor<?xi32> -> tensor<?x?xi32>
  %places = tile.iota [T] : tensor<?xi32>
  %columns = tile.broadcast %places [BM, T] : tensor<?xi32> -> tensor<?x?xi32>
  %ninfs = tile.splat %ninf [BM, E] : f32 -> tensor<?x?xf32>
  %mosts = tile.splat %most [BM, E] : i32 -> tensor<?x?xi32>
  %zeros = tile.splat %zero [BM, E] : f32 -> tensor<?x?xf32>
  %ids0 = tile.splat %zeroi [BM, T] : i32 -> tensor<?x?xi32>
  %ws0 = tile.splat %zero [BM, T] : f32 -> tensor<?x?xf32>

  // The greatest of the remaining logits, T times.
  %left, %chosen, %weights = scf.for %j = %c0 to %top step %c1
      iter_args(%xi = %x, %idi = %ids0, %wi = %ws0) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>) {
    %g = tile.reduce max %xi axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %gb = tile.broadcast %g [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
    %equal = arith.cmpf oeq, %xi, %gb : tensor<?x?xf32>
    %named = arith.select %equal, %numbers, %mosts : tensor<?x?xi1>, tensor<?x?xi32>
    %first = tile.reduce min %named axis 1 keepdims : tensor<?x?xi32> -> tensor<?x1xi32>
    %firsts = tile.broadcast %first [BM, E] : tensor<?x1xi32> -> tensor<?x?xi32>
    %is = arith.cmpi eq, %numbers, %firsts : tensor<?x?xi32>
    %wn = arith.select %is, %w, %zeros : tensor<?x?xi1>, tensor<?x?xf32>
    %ws = tile.reduce add %wn axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %xn = arith.select %is, %ninfs, %xi : tensor<?x?xi1>, tensor<?x?xf32>
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [BM, T] : i32 -> tensor<?x?xi32>
    %here = arith.cmpi eq, %columns, %js : tensor<?x?xi32>
    %firstt = tile.broadcast %first [BM, T] : tensor<?x1xi32> -> tensor<?x?xi32>
    %wst = tile.broadcast %ws [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
    %idn = arith.select %here, %firstt, %idi : tensor<?x?xi1>, tensor<?x?xi32>
    %wo = arith.select %here, %wst, %wi : tensor<?x?xi1>, tensor<?x?xf32>
    scf.yield %xn, %idn, %wo : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>
  }

  %sum = tile.reduce add %weights axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %ofall = arith.cmpf olt, %normalize, %one : f32
  %whole = arith.select %ofall, %all, %sum : tensor<?x1xf32>
  %wholes = tile.broadcast %whole [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
  %share = arith.divf %weights, %wholes : tensor<?x?xf32>
  tile.store %chosen, %ids[%m, %c0] : tensor<?x?xi32>, !J
  tile.store %share, %shares[%m, %c0] : tensor<?x?xf32>, !S
}

// Routes every row to the experts with the greatest logits, one after the other, with their shares among those near them.
//   logits [N, E], margin → ids [N, T], shares [N, T]; a block routes BM rows.
// Column j of ids is the expert of rank j, by logit and then by index; its share is that in the softmax over the experts i
// that are not chosen before it, with l − lᵢ ≤ margin·max(|lᵢ|, l), l its logit.
// Computes in f32: error ≤ 8·2⁻²⁴. T·N·E comparisons; moves N·E + 2·N·T elements.
tile.kernel @route_margin(%logits: !X, %margin: f32) outs(%ids: !J, %shares: !S)
    implements(gpt.route {margin})
    requires(dim(%ids, 0) == dim(%logits, 0), dim(%shares, 0) == dim(%logits, 0), dim(%shares, 1) == dim(%ids, 1))
    params {BM = 4 in [1, 2, 4, 8, 16], E = dim(%logits, 1), T = dim(%ids, 1),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%ids, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ones = tile.splat %one [BM, 1] : f32 -> tensor<?x1xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %zeroi = arith.constant 0 : i32
  %most = arith.constant 0x7FFFFFFF : i32
  %top = tile.param T

  %xt = tile.load %logits[%m, %c0] [BM, E] : !X -> tensor<?x?x!tile.elt<X>>
  %x = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %log2es = tile.splat %log2e [BM, E] : f32 -> tensor<?x?xf32>
  %margins = tile.splat %margin [BM, E] : f32 -> tensor<?x?xf32>
  %size = math.absf %x : tensor<?x?xf32>

  %in = tile.iota [E] : tensor<?xi32>
  %numbers = tile.broadcast %in [BM, E] : tensor<?xi32> -> tensor<?x?xi32>
  %places = tile.iota [T] : tensor<?xi32>
  %columns = tile.broadcast %places [BM, T] : tensor<?xi32> -> tensor<?x?xi32>
  %ninfs = tile.splat %ninf [BM, E] : f32 -> tensor<?x?xf32>
  %mosts = tile.splat %most [BM, E] : i32 -> tensor<?x?xi32>
  %zeros = tile.splat %zero [BM, E] : f32 -> tensor<?x?xf32>
  %ids0 = tile.splat %zeroi [BM, T] : i32 -> tensor<?x?xi32>
  %ws0 = tile.splat %zero [BM, T] : f32 -> tensor<?x?xf32>

  // The greatest of the remaining logits, T times.
  %left, %chosen, %weights = scf.for %j = %c0 to %top step %c1
      iter_args(%xi = %x, %idi = %ids0, %wi = %ws0) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>) {
    %g = tile.reduce max %xi axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %gb = tile.broadcast %g [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
    %equal = arith.cmpf oeq, %xi, %gb : tensor<?x?xf32>
    %named = arith.select %equal, %numbers, %mosts : tensor<?x?xi1>, tensor<?x?xi32>
    %first = tile.reduce min %named axis 1 keepdims : tensor<?x?xi32> -> tensor<?x1xi32>
    %firsts = tile.broadcast %first [BM, E] : tensor<?x1xi32> -> tensor<?x?xi32>
    %is = arith.cmpi eq, %numbers, %firsts : tensor<?x?xi32>
    // The chosen ones are at −∞, so they are not near.
    %d = arith.subf %gb, %xi : tensor<?x?xf32>
    %larger = arith.maximumf %size, %gb : tensor<?x?xf32>
    %most1 = arith.mulf %margins, %larger : tensor<?x?xf32>
    %near = arith.cmpf ole, %d, %most1 : tensor<?x?xf32>
    %nd = arith.negf %d : tensor<?x?xf32>
    %z = arith.mulf %nd, %log2es : tensor<?x?xf32>
    %w = math.exp2 %z : tensor<?x?xf32>
    %wn = arith.select %near, %w, %zeros : tensor<?x?xi1>, tensor<?x?xf32>
    %all = tile.reduce add %wn axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %ws = arith.divf %ones, %all : tensor<?x1xf32>
    %xn = arith.select %is, %ninfs, %xi : tensor<?x?xi1>, tensor<?x?xf32>
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [BM, T] : i32 -> tensor<?x?xi32>
    %here = arith.cmpi eq, %columns, %js : tensor<?x?xi32>
    %firstt = tile.broadcast %first [BM, T] : tensor<?x1xi32> -> tensor<?x?xi32>
    %wst = tile.broadcast %ws [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
    %idn = arith.select %here, %firstt, %idi : tensor<?x?xi1>, tensor<?x?xi32>
    %wo = arith.select %here, %wst, %wi : tensor<?x?xi1>, tensor<?x?xf32>
    scf.yield %xn, %idn, %wo : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>
  }

  tile.store %chosen, %ids[%m, %c0] : tensor<?x?xi32>, !J
  tile.store %weights, %shares[%m, %c0] : tensor<?x?xf32>, !S
}

// Routes every row to the experts with the greatest sums of score and bias, with their scaled scores as shares.
//   logits [N, E], normalize, bias [E] ([0]: none), sigmoid, scale → ids [N, T], shares [N, T]; a block routes BM rows.
// Scores are 1/(1 + exp(−logits)) if `sigmoid` is 1, else softmax(logits) over all experts. Column j of ids is the expert of
// rank j, by sum and then by index; its share is its score, divided by those of the chosen ones if `normalize` is 1, times
// scale.
// Computes in f32: error ≤ 16·2⁻²⁴. T·N·E comparisons; moves N·E + 2·N·T elements.
tile.kernel @route_scores(%logits: !X, %normalize: f32, %bias: !B, %sigmoid: f32, %scale: f32) outs(%ids: !J, %shares: !S)
    implements(gpt.route {scores})
    requires(dim(%ids, 0) == dim(%logits, 0), dim(%shares, 0) == dim(%logits, 0), dim(%shares, 1) == dim(%ids, 1))
    params {BM = 4 in [1, 2, 4, 8, 16], E = dim(%logits, 1), T = dim(%ids, 1),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%ids, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %zeroi = arith.constant 0 : i32
  %most = arith.constant 0x7FFFFFFF : i32
  %top = tile.param T

  %xt = tile.load %logits[%m, %c0] [BM, E] : !X -> tensor<?x?x!tile.elt<X>>
  %x = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %max = tile.reduce max %x axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %maxb = tile.broadcast %max [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
  %log2es = tile.splat %log2e [BM, E] : f32 -> tensor<?x?xf32>
  %d = arith.subf %x, %maxb : tensor<?x?xf32>
  %z = arith.mulf %d, %log2es : tensor<?x?xf32>
  %w = math.exp2 %z : tensor<?x?xf32>
  %all = tile.reduce add %w axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %allb = tile.broadcast %all [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
  %soft = arith.divf %w, %allb : tensor<?x?xf32>
  %negated = arith.negf %x : tensor<?x?xf32>
  %nz = arith.mulf %negated, %log2es : tensor<?x?xf32>
  %ne = math.exp2 %nz : tensor<?x?xf32>
  %ones = tile.splat %one [BM, E] : f32 -> tensor<?x?xf32>
  %nd = arith.addf %ne, %ones : tensor<?x?xf32>
  %logistic = arith.divf %ones, %nd : tensor<?x?xf32>
  %isSigmoid = arith.cmpf oge, %sigmoid, %one : f32
  %s = arith.select %isSigmoid, %logistic, %soft : tensor<?x?xf32>
  %bt = tile.load %bias[%c0] [E] : !B -> tensor<?xf32>
  %bb = tile.broadcast %bt [BM, E] : tensor<?xf32> -> tensor<?x?xf32>
  %sums = arith.addf %s, %bb : tensor<?x?xf32>

  %in = tile.iota [E] : tensor<?xi32>
  %numbers = tile.broadcast %in [BM, E] : tensor<?xi32> -> tensor<?x?xi32>
  %places = tile.iota [T] : tensor<?xi32>
  %columns = tile.broadcast %places [BM, T] : tensor<?xi32> -> tensor<?x?xi32>
  %ninfs = tile.splat %ninf [BM, E] : f32 -> tensor<?x?xf32>
  %mosts = tile.splat %most [BM, E] : i32 -> tensor<?x?xi32>
  %zeros = tile.splat %zero [BM, E] : f32 -> tensor<?x?xf32>
  %ids0 = tile.splat %zeroi [BM, T] : i32 -> tensor<?x?xi32>
  %ws0 = tile.splat %zero [BM, T] : f32 -> tensor<?x?xf32>

  // The greatest of the remaining sums, T times.
  %left, %chosen, %weights = scf.for %j = %c0 to %top step %c1
      iter_args(%xi = %sums, %idi = %ids0, %wi = %ws0) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>) {
    %g = tile.reduce max %xi axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %gb = tile.broadcast %g [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
    %equal = arith.cmpf oeq, %xi, %gb : tensor<?x?xf32>
    %named = arith.select %equal, %numbers, %mosts : tensor<?x?xi1>, tensor<?x?xi32>
    %first = tile.reduce min %named axis 1 keepdims : tensor<?x?xi32> -> tensor<?x1xi32>
    %firsts = tile.broadcast %first [BM, E] : tensor<?x1xi32> -> tensor<?x?xi32>
    %is = arith.cmpi eq, %numbers, %firsts : tensor<?x?xi32>
    %wn = arith.select %is, %s, %zeros : tensor<?x?xi1>, tensor<?x?xf32>
    %ws = tile.reduce add %wn axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %xn = arith.select %is, %ninfs, %xi : tensor<?x?xi1>, tensor<?x?xf32>
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [BM, T] : i32 -> tensor<?x?xi32>
    %here = arith.cmpi eq, %columns, %js : tensor<?x?xi32>
    %firstt = tile.broadcast %first [BM, T] : tensor<?x1xi32> -> tensor<?x?xi32>
    %wst = tile.broadcast %ws [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
    %idn = arith.select %here, %firstt, %idi : tensor<?x?xi1>, tensor<?x?xi32>
    %wo = arith.select %here, %wst, %wi : tensor<?x?xi1>, tensor<?x?xf32>
    scf.yield %xn, %idn, %wo : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>
  }

  %sum = tile.reduce add %weights axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %ones1 = tile.splat %one [BM, 1] : f32 -> tensor<?x1xf32>
  %isPlain = arith.cmpf olt, %normalize, %one : f32
  %whole = arith.select %isPlain, %ones1, %sum : tensor<?x1xf32>
  %wholes = tile.broadcast %whole [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
  %scales = tile.splat %scale [BM, T] : f32 -> tensor<?x?xf32>
  %part = arith.divf %weights, %wholes : tensor<?x?xf32>
  %share = arith.mulf %part, %scales : tensor<?x?xf32>
  tile.store %chosen, %ids[%m, %c0] : tensor<?x?xi32>, !J
  tile.store %share, %shares[%m, %c0] : tensor<?x?xf32>, !S
}

// @route_scores among the experts of some groups: those with the greatest scores, or with a bias the greatest sums of their
// two greatest sums.
//   logits [N, E], normalize, bias [E] ([0]: none), sigmoid, scale, marks [G] (G groups of adjacent experts), chosen (of the
//   groups) → ids [N, T], shares [N, T]; a block routes BM rows.
// Computes in f32: error ≤ 16·2⁻²⁴. T·N·E comparisons; moves N·E + 2·N·T elements.
tile.kernel @route_groups(%logits: !X, %normalize: f32, %bias: !B, %sigmoid: f32, %scale: f32, %marks: !B, %candidates: i32)
    outs(%ids: !J, %shares: !S)
    implements(gpt.route {scores, groups})
    requires(dim(%ids, 0) == dim(%logits, 0), dim(%shares, 0) == dim(%logits, 0), dim(%shares, 1) == dim(%ids, 1))
    params {BM = 4 in [1, 2, 4, 8, 16], E = dim(%logits, 1), T = dim(%ids, 1), G = dim(%marks, 0), P = floordiv(E, G),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%ids, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %zeroi = arith.constant 0 : i32
  %most = arith.constant 0x7FFFFFFF : i32
  %top = tile.param T

  %xt = tile.load %logits[%m, %c0] [BM, E] : !X -> tensor<?x?x!tile.elt<X>>
  %x = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %max = tile.reduce max %x axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %maxb = tile.broadcast %max [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
  %log2es = tile.splat %log2e [BM, E] : f32 -> tensor<?x?xf32>
  %d = arith.subf %x, %maxb : tensor<?x?xf32>
  %z = arith.mulf %d, %log2es : tensor<?x?xf32>
  %w = math.exp2 %z : tensor<?x?xf32>
  %all = tile.reduce add %w axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %allb = tile.broadcast %all [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
  %soft = arith.divf %w, %allb : tensor<?x?xf32>
  %negated = arith.negf %x : tensor<?x?xf32>
  %nz = arith.mulf %negated, %log2es : tensor<?x?xf32>
  %ne = math.exp2 %nz : tensor<?x?xf32>
  %ones = tile.splat %one [BM, E] : f32 -> tensor<?x?xf32>
  %nd = arith.addf %ne, %ones : tensor<?x?xf32>
  %logistic = arith.divf %ones, %nd : tensor<?x?xf32>
  %isSigmoid = arith.cmpf oge, %sigmoid, %one : f32
  %s = arith.select %isSigmoid, %logistic, %soft : tensor<?x?xf32>
  %bt = tile.load %bias[%c0] [E] : !B -> tensor<?xf32>
  %bb = tile.broadcast %bt [BM, E] : tensor<?xf32> -> tensor<?x?xf32>
  %sums = arith.addf %s, %bb : tensor<?x?xf32>

  %in = tile.iota [E] : tensor<?xi32>
  %numbers = tile.broadcast %in [BM, E] : tensor<?xi32> -> tensor<?x?xi32>
  %places = tile.iota [T] : tensor<?xi32>
  %columns = tile.broadcast %places [BM, T] : tensor<?xi32> -> tensor<?x?xi32>
  %ninfs = tile.splat %ninf [BM, E] : f32 -> tensor<?x?xf32>
  %mosts = tile.splat %most [BM, E] : i32 -> tensor<?x?xi32>
  %zeros = tile.splat %zero [BM, E] : f32 -> tensor<?x?xf32>
  %bsize = tile.dim %bias, 0 : !B
  %isPaired = arith.cmpi ne, %bsize, %c0 : index
  %groupno = tile.iota [G] : tensor<?xi32>
  %groupnos = tile.broadcast %groupno [BM, G] : tensor<?xi32> -> tensor<?x?xi32>
  %memberno = tile.iota [P] : tensor<?xi32>
  %members = tile.broadcast %memberno [BM, G, P] : tensor<?xi32> -> tensor<?x?x?xi32>
  %most3 = tile.splat %most [BM, G, P] : i32 -> tensor<?x?x?xi32>
  %ninf3 = tile.splat %ninf [BM, G, P] : f32 -> tensor<?x?x?xf32>
  %mostg = tile.splat %most [BM, G] : i32 -> tensor<?x?xi32>
  %ninfg = tile.splat %ninf [BM, G] : f32 -> tensor<?x?xf32>
  %oneg = tile.splat %one [BM, G] : f32 -> tensor<?x?xf32>
  %none = tile.splat %zero [BM, G] : f32 -> tensor<?x?xf32>

  // The score of every group.
  %sums3 = tile.reshape %sums [BM, G, P] : tensor<?x?xf32> -> tensor<?x?x?xf32>
  %first3 = tile.reduce max %sums3 axis 2 keepdims : tensor<?x?x?xf32> -> tensor<?x?x1xf32>
  %first3b = tile.broadcast %first3 [BM, G, P] : tensor<?x?x1xf32> -> tensor<?x?x?xf32>
  %equal3 = arith.cmpf oeq, %sums3, %first3b : tensor<?x?x?xf32>
  %named3 = arith.select %equal3, %members, %most3 : tensor<?x?x?xi1>, tensor<?x?x?xi32>
  %least3 = tile.reduce min %named3 axis 2 keepdims : tensor<?x?x?xi32> -> tensor<?x?x1xi32>
  %least3b = tile.broadcast %least3 [BM, G, P] : tensor<?x?x1xi32> -> tensor<?x?x?xi32>
  %is3 = arith.cmpi eq, %members, %least3b : tensor<?x?x?xi32>
  %rest3 = arith.select %is3, %ninf3, %sums3 : tensor<?x?x?xi1>, tensor<?x?x?xf32>
  %second3 = tile.reduce max %rest3 axis 2 keepdims : tensor<?x?x?xf32> -> tensor<?x?x1xf32>
  %both3 = arith.addf %first3, %second3 : tensor<?x?x1xf32>
  %score3 = arith.select %isPaired, %both3, %first3 : tensor<?x?x1xf32>
  %scoreg = tile.reshape %score3 [BM, G] : tensor<?x?x1xf32> -> tensor<?x?xf32>

  // The greatest of them.
  %chosens = arith.index_cast %candidates : i32 to index
  %leftg, %allowed = scf.for %j = %c0 to %chosens step %c1
      iter_args(%xi = %scoreg, %ai = %none) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %g = tile.reduce max %xi axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %gb = tile.broadcast %g [BM, G] : tensor<?x1xf32> -> tensor<?x?xf32>
    %equal = arith.cmpf oeq, %xi, %gb : tensor<?x?xf32>
    %named = arith.select %equal, %groupnos, %mostg : tensor<?x?xi1>, tensor<?x?xi32>
    %first = tile.reduce min %named axis 1 keepdims : tensor<?x?xi32> -> tensor<?x1xi32>
    %firsts = tile.broadcast %first [BM, G] : tensor<?x1xi32> -> tensor<?x?xi32>
    %is = arith.cmpi eq, %groupnos, %firsts : tensor<?x?xi32>
    %xn = arith.select %is, %ninfg, %xi : tensor<?x?xi1>, tensor<?x?xf32>
    %an = arith.select %is, %oneg, %ai : tensor<?x?xi1>, tensor<?x?xf32>
    scf.yield %xn, %an : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %allowed1 = tile.expand_dims %allowed, 2 : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %allowed3 = tile.broadcast %allowed1 [BM, G, P] : tensor<?x?x1xf32> -> tensor<?x?x?xf32>
  %one3 = tile.splat %one [BM, G, P] : f32 -> tensor<?x?x?xf32>
  %isAllowed = arith.cmpf oge, %allowed3, %one3 : tensor<?x?x?xf32>
  %kept3 = arith.select %isAllowed, %sums3, %ninf3 : tensor<?x?x?xi1>, tensor<?x?x?xf32>
  %kept = tile.reshape %kept3 [BM, E] : tensor<?x?x?xf32> -> tensor<?x?xf32>

  %ids0 = tile.splat %zeroi [BM, T] : i32 -> tensor<?x?xi32>
  %ws0 = tile.splat %zero [BM, T] : f32 -> tensor<?x?xf32>

  // The greatest of the remaining sums, T times.
  %left, %chosen, %weights = scf.for %j = %c0 to %top step %c1
      iter_args(%xi = %kept, %idi = %ids0, %wi = %ws0) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>) {
    %g = tile.reduce max %xi axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %gb = tile.broadcast %g [BM, E] : tensor<?x1xf32> -> tensor<?x?xf32>
    %equal = arith.cmpf oeq, %xi, %gb : tensor<?x?xf32>
    %named = arith.select %equal, %numbers, %mosts : tensor<?x?xi1>, tensor<?x?xi32>
    %first = tile.reduce min %named axis 1 keepdims : tensor<?x?xi32> -> tensor<?x1xi32>
    %firsts = tile.broadcast %first [BM, E] : tensor<?x1xi32> -> tensor<?x?xi32>
    %is = arith.cmpi eq, %numbers, %firsts : tensor<?x?xi32>
    %wn = arith.select %is, %s, %zeros : tensor<?x?xi1>, tensor<?x?xf32>
    %ws = tile.reduce add %wn axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %xn = arith.select %is, %ninfs, %xi : tensor<?x?xi1>, tensor<?x?xf32>
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [BM, T] : i32 -> tensor<?x?xi32>
    %here = arith.cmpi eq, %columns, %js : tensor<?x?xi32>
    %firstt = tile.broadcast %first [BM, T] : tensor<?x1xi32> -> tensor<?x?xi32>
    %wst = tile.broadcast %ws [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
    %idn = arith.select %here, %firstt, %idi : tensor<?x?xi1>, tensor<?x?xi32>
    %wo = arith.select %here, %wst, %wi : tensor<?x?xi1>, tensor<?x?xf32>
    scf.yield %xn, %idn, %wo : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>
  }

  %sum = tile.reduce add %weights axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %ones1 = tile.splat %one [BM, 1] : f32 -> tensor<?x1xf32>
  %isPlain = arith.cmpf olt, %normalize, %one : f32
  %whole = arith.select %isPlain, %ones1, %sum : tensor<?x1xf32>
  %wholes = tile.broadcast %whole [BM, T] : tensor<?x1xf32> -> tensor<?x?xf32>
  %scales = tile.splat %scale [BM, T] : f32 -> tensor<?x?xf32>
  %part = arith.divf %weights, %wholes : tensor<?x?xf32>
  %share = arith.mulf %part, %scales : tensor<?x?xf32>
  tile.store %chosen, %ids[%m, %c0] : tensor<?x?xi32>, !J
  tile.store %share, %shares[%m, %c0] : tensor<?x?xf32>, !S
}

// Hidden units of each row's experts: y[n, j] = silu(G·x[n]) * (U·x[n]), [G; U] the part of w of expert ids[n, j].
//   x [N, K], ids [N, T], w [E·2F, K] → y [N, T·F]; a block computes BN units of one expert of one row.
// Bound by reading w: 2·F·K elements for each expert of a row. K is a single tile, so the sums never leave the block.
tile.kernel @experts_silu_glu(%x: !X, %ids: !J, %w: !W) outs(%y: !X)
    implements(gpt.experts {part = "units", activation = "silu"})
    requires(dim(%ids, 0) == dim(%x, 0), dim(%y, 0) == dim(%x, 0), dim(%w, 1) == dim(%x, 1))
    params {BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1), F = floordiv(dim(%y, 1), dim(%ids, 1)),
            X: type = f32 in [f32, bf16, f16], W: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(F, BN), dim(%ids, 1), dim(%x, 0)] {
  %n = tile.block_id 0
  %j = tile.block_id 1
  %row = tile.block_id 2
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %units = tile.param F
  %depth = tile.param K
  %it = tile.load %ids[%row, %j] [1, 1] : !J -> tensor<1x1xi32>
  %id = tensor.extract %it[%c0, %c0] : tensor<1x1xi32>
  %e = arith.index_cast %id : i32 to index
  %gate0 = arith.muli %e, %units : index
  %gate1 = arith.addi %gate0, %gate0 : index
  %up1 = arith.addi %gate1, %units : index
  %w1 = tile.subview %w[%gate1, 0] [%units, %depth] : !W -> !WW
  %w2 = tile.subview %w[%up1, 0] [%units, %depth] : !W -> !WW
  %col = arith.muli %j, %units : index
  %c1 = arith.constant 1 : index
  %yj = tile.subview %y[%row, %col] [%c1, %units] : !X -> !XW
  %init = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%row, %c0] [1, K] : !X -> tensor<1x?x!tile.elt<X>>
  %w1t = tile.load %w1[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %w2t = tile.load %w2[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %gate = tile.dot %xt, %w1t, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %up = tile.dot %xt, %w2t, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %ones = tile.splat %one [1, BN] : f32 -> tensor<1x?xf32>
  %nlog2es = tile.splat %nlog2e [1, BN] : f32 -> tensor<1x?xf32>
  %sx = arith.mulf %gate, %nlog2es : tensor<1x?xf32>
  %se = math.exp2 %sx : tensor<1x?xf32>
  %sd = arith.addf %se, %ones : tensor<1x?xf32>
  %act = arith.divf %gate, %sd : tensor<1x?xf32>
  %r = arith.mulf %act, %up : tensor<1x?xf32>
  %out = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %out, %yj[%c0, %n] : tensor<1x?x!tile.elt<X>>, !XW
}

// Output of each row's experts: y[n] = Σⱼ shares[n, j]·D·x[n, j], where D is the part of w of expert ids[n, j].
//   x [N, T·F], ids, shares [N, T], w [E·C, F] → y [N, C]; a block computes BN columns of one row.
// Bound by reading w: C·F elements for each expert of a row. F is a single tile.
tile.kernel @experts_sum(%x: !X, %ids: !J, %shares: !S, %w: !W) outs(%y: !Y)
    implements(gpt.experts {part = "sum"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%ids, 0) == dim(%y, 0), dim(%shares, 0) == dim(%y, 0),
             dim(%shares, 1) == dim(%ids, 1), dim(%x, 1) == dim(%ids, 1) * dim(%w, 1))
    params {BN = 16 in [2, 4, 8, 16, 32, 64], F = dim(%w, 1),
            X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 1), BN), dim(%y, 0)] {
  %n = tile.block_id 0
  %row = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %depth = tile.param F
  %width = tile.dim %y, 1 : !Y
  %top = tile.dim %ids, 1 : !J
  %zeros = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %sum = scf.for %j = %c0 to %top step %c1 iter_args(%acc = %zeros) -> (tensor<1x?xf32>) {
    %it = tile.load %ids[%row, %j] [1, 1] : !J -> tensor<1x1xi32>
    %id = tensor.extract %it[%c0, %c0] : tensor<1x1xi32>
    %e = arith.index_cast %id : i32 to index
    %first = arith.muli %e, %width : index
    %we = tile.subview %w[%first, 0] [%width, %depth] : !W -> !WW
    %xt = tile.load %x[%row, %j] [1, F] : !X -> tensor<1x?x!tile.elt<X>>
    %wt = tile.load %we[%n, %c0] [BN, F] : !WW -> tensor<?x?x!tile.elt<W>>
    %part = tile.dot %xt, %wt, %zeros transpose_b
        : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
    %st = tile.load %shares[%row, %j] [1, 1] : !S -> tensor<1x1xf32>
    %share = tensor.extract %st[%c0, %c0] : tensor<1x1xf32>
    %ss = tile.splat %share [1, BN] : f32 -> tensor<1x?xf32>
    %p = arith.mulf %part, %ss : tensor<1x?xf32>
    %next = arith.addf %acc, %p : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  %out = tile.cast %sum : tensor<1x?xf32> to tensor<1x?x!tile.elt<Y>>
  tile.store %out, %y[%row, %n] : tensor<1x?x!tile.elt<Y>>, !Y
}

// @experts_silu_glu with biases and limits: y[n, j] = g·σ(a·g)·(u + 1), where g = min(G·x[n] + G', l) and u = U·x[n] + U',
// within −l … l; [G'; U'] is the part of b of expert ids[n, j].
//   x [N, K], ids [N, T], w [E·2F, K], b [E·2F], a, l → y [N, T·F]; a block computes BN units of one expert of one row.
// Bound by reading w: 2·F·K elements for each expert of a row. K is a single tile, so the sums never leave the block.
tile.kernel @experts_clamped_glu(%x: !X, %ids: !J, %w: !W, %b: !B, %slope: f32, %limit: f32) outs(%y: !X)
    implements(gpt.experts {part = "units", activation = "silu", clamped})
    requires(dim(%ids, 0) == dim(%x, 0), dim(%y, 0) == dim(%x, 0), dim(%w, 1) == dim(%x, 1),
             dim(%b, 0) == dim(%w, 0))
    params {BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1), F = floordiv(dim(%y, 1), dim(%ids, 1)),
            X: type = f32 in [f32, bf16, f16], W: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(F, BN), dim(%ids, 1), dim(%x, 0)] {
  %n = tile.block_id 0
  %j = tile.block_id 1
  %row = tile.block_id 2
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %units = tile.param F
  %depth = tile.param K
  %it = tile.load %ids[%row, %j] [1, 1] : !J -> tensor<1x1xi32>
  %id = tensor.extract %it[%c0, %c0] : tensor<1x1xi32>
  %e = arith.index_cast %id : i32 to index
  %gate0 = arith.muli %e, %units : index
  %gate1 = arith.addi %gate0, %gate0 : index
  %up1 = arith.addi %gate1, %units : index
  %w1 = tile.subview %w[%gate1, 0] [%units, %depth] : !W -> !WW
  %w2 = tile.subview %w[%up1, 0] [%units, %depth] : !W -> !WW
  %b1 = tile.subview %b[%gate1] [%units] : !B -> !BW
  %b2 = tile.subview %b[%up1] [%units] : !B -> !BW
  %col = arith.muli %j, %units : index
  %c1 = arith.constant 1 : index
  %yj = tile.subview %y[%row, %col] [%c1, %units] : !X -> !XW
  %init = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%row, %c0] [1, K] : !X -> tensor<1x?x!tile.elt<X>>
  %w1t = tile.load %w1[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %w2t = tile.load %w2[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %gate = tile.dot %xt, %w1t, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %up = tile.dot %xt, %w2t, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %b1t = tile.load %b1[%n] [BN] : !BW -> tensor<?xf32>
  %b2t = tile.load %b2[%n] [BN] : !BW -> tensor<?xf32>
  %b1b = tile.broadcast %b1t [1, BN] : tensor<?xf32> -> tensor<1x?xf32>
  %b2b = tile.broadcast %b2t [1, BN] : tensor<?xf32> -> tensor<1x?xf32>
  %gateb = arith.addf %gate, %b1b : tensor<1x?xf32>
  %upb = arith.addf %up, %b2b : tensor<1x?xf32>
  %least = arith.negf %limit : f32
  %highs = tile.splat %limit [1, BN] : f32 -> tensor<1x?xf32>
  %lows = tile.splat %least [1, BN] : f32 -> tensor<1x?xf32>
  %g = arith.minimumf %gateb, %highs : tensor<1x?xf32>
  %above = arith.maximumf %upb, %lows : tensor<1x?xf32>
  %u = arith.minimumf %above, %highs : tensor<1x?xf32>
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %turn = arith.mulf %slope, %nlog2e : f32
  %ones = tile.splat %one [1, BN] : f32 -> tensor<1x?xf32>
  %turns = tile.splat %turn [1, BN] : f32 -> tensor<1x?xf32>
  %sx = arith.mulf %g, %turns : tensor<1x?xf32>
  %se = math.exp2 %sx : tensor<1x?xf32>
  %sd = arith.addf %se, %ones : tensor<1x?xf32>
  %act = arith.divf %g, %sd : tensor<1x?xf32>
  %u1 = arith.addf %u, %ones : tensor<1x?xf32>
  %r = arith.mulf %act, %u1 : tensor<1x?xf32>
  %out = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %out, %yj[%c0, %n] : tensor<1x?x!tile.elt<X>>, !XW
}

// @experts_sum with biases: y[n] = Σⱼ shares[n, j]·(D·x[n, j] + D'), where D' is row ids[n, j] of b.
//   x [N, T·F], ids, shares [N, T], w [E·C, F], b [E, C] → y [N, C]; a block computes BN columns of one row.
// Bound by reading w: C·F elements for each expert of a row. F is a single tile.
tile.kernel @experts_biased_sum(%x: !X, %ids: !J, %shares: !S, %w: !W, %b: !S) outs(%y: !Y)
    implements(gpt.experts {part = "sum", biased})
    requires(dim(%x, 0) == dim(%y, 0), dim(%ids, 0) == dim(%y, 0), dim(%shares, 0) == dim(%y, 0),
             dim(%shares, 1) == dim(%ids, 1), dim(%x, 1) == dim(%ids, 1) * dim(%w, 1),
             dim(%b, 1) == dim(%y, 1))
    params {BN = 16 in [2, 4, 8, 16, 32, 64], F = dim(%w, 1),
            X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 1), BN), dim(%y, 0)] {
  %n = tile.block_id 0
  %row = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %depth = tile.param F
  %width = tile.dim %y, 1 : !Y
  %top = tile.dim %ids, 1 : !J
  %zeros = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %sum = scf.for %j = %c0 to %top step %c1 iter_args(%acc = %zeros) -> (tensor<1x?xf32>) {
    %it = tile.load %ids[%row, %j] [1, 1] : !J -> tensor<1x1xi32>
    %id = tensor.extract %it[%c0, %c0] : tensor<1x1xi32>
    %e = arith.index_cast %id : i32 to index
    %first = arith.muli %e, %width : index
    %we = tile.subview %w[%first, 0] [%width, %depth] : !W -> !WW
    %xt = tile.load %x[%row, %j] [1, F] : !X -> tensor<1x?x!tile.elt<X>>
    %wt = tile.load %we[%n, %c0] [BN, F] : !WW -> tensor<?x?x!tile.elt<W>>
    %part = tile.dot %xt, %wt, %zeros transpose_b
        : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
    %bt = tile.load %b[%e, %n] [1, BN] : !S -> tensor<1x?xf32>
    %whole = arith.addf %part, %bt : tensor<1x?xf32>
    %st = tile.load %shares[%row, %j] [1, 1] : !S -> tensor<1x1xf32>
    %share = tensor.extract %st[%c0, %c0] : tensor<1x1xf32>
    %ss = tile.splat %share [1, BN] : f32 -> tensor<1x?xf32>
    %p = arith.mulf %whole, %ss : tensor<1x?xf32>
    %next = arith.addf %acc, %p : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  %out = tile.cast %sum : tensor<1x?xf32> to tensor<1x?x!tile.elt<Y>>
  tile.store %out, %y[%row, %n] : tensor<1x?x!tile.elt<Y>>, !Y
}
