// Softmax of each row in two loops over pieces: a maximum and a sum that shrinks as it grows, then the quotients.
//   x [R, C] → y [R, C]; a block makes a row. Moves 2·R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @softmax_pieces(%x: !X) outs(%y: !X)
    params {BN = 1024 in [512, 1024, 2048], X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bn = tile.param BN
  %least = arith.constant dense<0xFF800000> : tensor<1x1xf32>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %infinity = arith.constant 0xFF800000 : f32
  %hidden = tile.splat %infinity [1, BN] : f32 -> tensor<1x?xf32>
  %columns = tile.dim %x, 1 : !X
  %columns32 = arith.index_cast %columns : index to i32
  %end = tile.splat %columns32 [1, BN] : i32 -> tensor<1x?xi32>
  %t = tile.num_tiles %x, 1 by [BN] : !X
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%old = %least, %sum = %none) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [BN] : i32 -> tensor<?xi32>
    %iota = tile.iota [BN] : tensor<?xi32>
    %place = arith.addi %iota, %firsts : tensor<?xi32>
    %places = tile.expand_dims %place, 0 : tensor<?xi32> -> tensor<1x?xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x?xi32>
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
    %xf = tile.cast %xt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
    %s = arith.select %is, %xf, %hidden : tensor<1x?xi1>, tensor<1x?xf32>
    %max = tile.reduce max %s axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %new = arith.maximumf %old, %max : tensor<1x1xf32>
    %d = arith.subf %old, %new : tensor<1x1xf32>
    %f = math.exp %d : tensor<1x1xf32>
    %less = arith.mulf %sum, %f : tensor<1x1xf32>
    %news = tile.broadcast %new [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %ds = arith.subf %s, %news : tensor<1x?xf32>
    %e = math.exp %ds : tensor<1x?xf32>
    %own = tile.reduce add %e axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %all = arith.addf %less, %own : tensor<1x1xf32>
    scf.yield %new, %all : tensor<1x1xf32>, tensor<1x1xf32>
  }
  scf.for %i = %c0 to %t step %c1 {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
    %xf = tile.cast %xt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
    %max = tile.broadcast %r#0 [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %d = arith.subf %xf, %max : tensor<1x?xf32>
    %e = math.exp %d : tensor<1x?xf32>
    %sum = tile.broadcast %r#1 [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %o = arith.divf %e, %sum : tensor<1x?xf32>
    %out = tile.cast %o : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
    tile.store %out, %y[%m, %i] : tensor<1x?x!tile.elt<X>>, !X
  }
}
