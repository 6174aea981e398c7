// The experts of every row: those with the greatest logits, and their shares.
//   logits [N, E], normalize → ids [N, T], shares [N, T]; a block chooses for BM rows.
// Column j of ids has the expert before which j others come, greater or equal with a smaller number; its share is
// softmax(logits) there, over all experts where `normalize` is 0, over those chosen where it is 1.
// f32 inside: error ≤ 8·2⁻²⁴. T·N·E comparisons; moves N·E + 2·N·T elements.
!X = !tile.view<?x?x!tile.elt<X>>
!J = !tile.view<?x?xi32>
!S = !tile.view<?x?xf32>
tile.kernel @route(%logits: !X, %normalize: f32) outs(%ids: !J, %shares: !S)
    implements(gpt.route)
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

  // The greatest of those left, T times.
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
