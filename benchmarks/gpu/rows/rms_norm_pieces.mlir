// RMS norm of each row in two loops over pieces: squares are added up element by element and reduced once, then
// y = x / √(mean x² + 10⁻⁵) · g.
//   x [R, C], g [C] → y [R, C]; a block makes a row. Moves 2·R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @rms_norm_pieces(%x: !X, %g: !F) outs(%y: !X)
    params {BN = 1024 in [512, 1024, 2048], X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %epsilon = arith.constant dense<1.0e-05> : tensor<1x1xf32>
  %columns = tile.dim %x, 1 : !X
  %columns32 = arith.index_cast %columns : index to i32
  %columnsf = arith.sitofp %columns32 : i32 to f32
  %count = tile.splat %columnsf [1, 1] : f32 -> tensor<1x1xf32>
  %t = tile.num_tiles %x, 1 by [BN] : !X
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%sum = %none) -> (tensor<1x?xf32>) {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
    %xf = tile.cast %xt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
    %s = arith.mulf %xf, %xf : tensor<1x?xf32>
    %all = arith.addf %sum, %s : tensor<1x?xf32>
    scf.yield %all : tensor<1x?xf32>
  }
  %sum = tile.reduce add %r axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %mean = arith.divf %sum, %count : tensor<1x1xf32>
  %some = arith.addf %mean, %epsilon : tensor<1x1xf32>
  %root = math.rsqrt %some : tensor<1x1xf32>
  scf.for %i = %c0 to %t step %c1 {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
    %xf = tile.cast %xt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
    %gt = tile.load %g[%i] [BN] : !F -> tensor<?xf32>
    %gs = tile.reshape %gt [1, BN] : tensor<?xf32> -> tensor<1x?xf32>
    %roots = tile.broadcast %root [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %n = arith.mulf %xf, %roots : tensor<1x?xf32>
    %o = arith.mulf %n, %gs : tensor<1x?xf32>
    %out = tile.cast %o : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
    tile.store %out, %y[%m, %i] : tensor<1x?x!tile.elt<X>>, !X
  }
}
