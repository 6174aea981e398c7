// What the experts of every row give: y[n] = Σⱼ shares[n, j]·D·x[n, j], D the part of w of expert ids[n, j].
//   x [N, T·F], ids, shares [N, T], w [E·C, F] → y [N, C]; a block makes BN columns of one row.
// Bound by the read of w: C·F elements for each expert of a row. F is a tile of its own.
!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!J = !tile.view<?x?xi32>
!S = !tile.view<?x?xf32>
!W = !tile.view<?x?x!tile.elt<W>>
!WW = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
tile.kernel @experts_sum(%x: !X, %ids: !J, %shares: !S, %w: !W) outs(%y: !Y)
    implements(gpt.experts {part = "sum"})
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
