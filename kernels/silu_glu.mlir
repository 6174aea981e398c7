// Gated unit with SiLU: y = silu(gate)·up, silu(x) = x/(1 + e⁻ˣ); x holds [gate | up].
//   x [N, 2F] → y [N, F]; a block makes BM × BN of y.
// f32 inside: error ≤ 8·2⁻²⁴ of |y|. Moves 3·N·F elements.
!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
tile.kernel @silu_glu(%x: !X) outs(%y: !X)
    implements(gpt.glu {activation = "silu"})
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 64, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %rows = tile.dim %y, 0 : !X
  %units = tile.dim %y, 1 : !X
  %gates = tile.subview %x[0, 0] [%rows, %units] : !X -> !XW
  %ups = tile.subview %x[0, %units] [%rows, %units] : !X -> !XW
  %gatet = tile.load %gates[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %upt = tile.load %ups[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %gate = tile.cast %gatet : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %up = tile.cast %upt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %nlog2es = tile.splat %nlog2e [BM, BN] : f32 -> tensor<?x?xf32>
  %sx = arith.mulf %gate, %nlog2es : tensor<?x?xf32>
  %se = math.exp2 %sx : tensor<?x?xf32>
  %sd = arith.addf %se, %ones : tensor<?x?xf32>
  %act = arith.divf %gate, %sd : tensor<?x?xf32>
  %r = arith.mulf %act, %up : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
