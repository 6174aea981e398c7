// Mean and variance of each column, as batch norm needs them: μ = Σx/R, σ² = Σx²/R − μ².
//   x [R, C] → mean, var [C]; a block makes BN columns. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @column_statistics(%x: !X) outs(%mean: !F, %var: !F)
    params {BM = 32 in [8, 16, 32, 64, 128], BN = 64 in [32, 64, 128, 256], R = dim(%x, 0), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%mean, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zs = tile.splat %z [BN] : f32 -> tensor<?xf32>
  %c = tile.param R
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %cs = tile.splat %cf [BN] : f32 -> tensor<?xf32>
  %t = tile.num_tiles %x, 0 by [BM] : !X
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%a = %zs, %b = %zs) -> (tensor<?xf32>, tensor<?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
    %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
    %s = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %s2 = tile.reduce add %x2 axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %an = arith.addf %a, %s : tensor<?xf32>
    %bn = arith.addf %b, %s2 : tensor<?xf32>
    scf.yield %an, %bn : tensor<?xf32>, tensor<?xf32>
  }
  %m = arith.divf %r#0, %cs : tensor<?xf32>
  %m2 = arith.divf %r#1, %cs : tensor<?xf32>
  %mm = arith.mulf %m, %m : tensor<?xf32>
  %v = arith.subf %m2, %mm : tensor<?xf32>
  tile.store %m, %mean[%n] : tensor<?xf32>, !F
  tile.store %v, %var[%n] : tensor<?xf32>, !F
}
