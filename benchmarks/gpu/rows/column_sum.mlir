// Sums down the columns: y[c] = Σ x[r, c] over the rows, as for the gradient of a bias.
//   x [R, C] → y [C]; a block makes BN columns. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @column_sum(%x: !X) outs(%y: !F)
    params {BM = 32 in [8, 16, 32, 64, 128], BN = 64 in [32, 64, 128, 256], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zs = tile.splat %z [BN] : f32 -> tensor<?xf32>
  %t = tile.num_tiles %x, 0 by [BM] : !X
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%a = %zs) -> (tensor<?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
    %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %s = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %b = arith.addf %a, %s : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  tile.store %r, %y[%n] : tensor<?xf32>, !F
}
