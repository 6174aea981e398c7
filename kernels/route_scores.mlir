// Routes rows to experts by scores that a bias corrects.

!X = !tile.view<?x?x!tile.elt<X>>
!B = !tile.view<?xf32>
!J = !tile.view<?x?xi32>
!S = !tile.view<?x?xf32>

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
