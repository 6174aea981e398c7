// Units of the experts of every row: y[n, j] = silu(G·x[n]) * (U·x[n]), [G; U] the part of w of expert ids[n, j].
//   x [N, K], ids [N, T], w [E·2F, K] → y [N, T·F]; a block makes BN units of one expert of one row.
// Bound by the read of w: 2·F·K elements for each expert of a row. K is a tile of its own, so the sums never leave the
// block.
!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!J = !tile.view<?x?xi32>
!W = !tile.view<?x?x!tile.elt<W>>
!WW = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
tile.kernel @experts_silu_glu(%x: !X, %ids: !J, %w: !W) outs(%y: !X)
    implements(gpt.experts {part = "units", activation = "silu"})
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
