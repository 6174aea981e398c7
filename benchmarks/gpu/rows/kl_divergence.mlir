// Divergence of the distributions of two rows of logits, Σ p (log p − log q), in three loops over pieces.
//   a, b [R, C] → y [R]; a block makes a row. Moves 2·R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @kl_divergence(%a: !X, %b: !X) outs(%y: !F)
    params {BN = 1024 in [512, 1024, 2048], X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bn = tile.param BN
  %least = arith.constant dense<-1.0e+30> : tensor<1x1xf32>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %infinity = arith.constant 0xFF800000 : f32
  %hidden = tile.splat %infinity [1, BN] : f32 -> tensor<1x?xf32>
  %columns = tile.dim %a, 1 : !X
  %columns32 = arith.index_cast %columns : index to i32
  %end = tile.splat %columns32 [1, BN] : i32 -> tensor<1x?xi32>
  %t = tile.num_tiles %a, 1 by [BN] : !X
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %ra:2 = scf.for %i = %c0 to %t step %c1 iter_args(%old = %least, %sum = %none) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [BN] : i32 -> tensor<?xi32>
    %iota = tile.iota [BN] : tensor<?xi32>
    %place = arith.addi %iota, %firsts : tensor<?xi32>
    %places = tile.expand_dims %place, 0 : tensor<?xi32> -> tensor<1x?xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x?xi32>
    %xt = tile.load %a[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
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
  %log_a = math.log %ra#1 : tensor<1x1xf32>
  %all_a = arith.addf %ra#0, %log_a : tensor<1x1xf32>
  %rb:2 = scf.for %i = %c0 to %t step %c1 iter_args(%old = %least, %sum = %none) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [BN] : i32 -> tensor<?xi32>
    %iota = tile.iota [BN] : tensor<?xi32>
    %place = arith.addi %iota, %firsts : tensor<?xi32>
    %places = tile.expand_dims %place, 0 : tensor<?xi32> -> tensor<1x?xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x?xi32>
    %xt = tile.load %b[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
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
  %log_b = math.log %rb#1 : tensor<1x1xf32>
  %all_b = arith.addf %rb#0, %log_b : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [BN] : i32 -> tensor<?xi32>
    %iota = tile.iota [BN] : tensor<?xi32>
    %place = arith.addi %iota, %firsts : tensor<?xi32>
    %places = tile.expand_dims %place, 0 : tensor<?xi32> -> tensor<1x?xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x?xi32>
    %at = tile.load %a[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
    %af = tile.cast %at : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
    %bt = tile.load %b[%m, %i] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
    %bf = tile.cast %bt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
    %as = tile.broadcast %all_a [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %bs = tile.broadcast %all_b [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %p = arith.subf %af, %as : tensor<1x?xf32>
    %q = arith.subf %bf, %bs : tensor<1x?xf32>
    %e = math.exp %p : tensor<1x?xf32>
    %d = arith.subf %p, %q : tensor<1x?xf32>
    %w = arith.mulf %e, %d : tensor<1x?xf32>
    %o = arith.select %is, %w, %zeros : tensor<1x?xi1>, tensor<1x?xf32>
    %own = tile.reduce add %o axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %next = arith.addf %sum, %own : tensor<1x1xf32>
    scf.yield %next : tensor<1x1xf32>
  }
  %flat = tile.reshape %r [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %flat, %y[%m] : tensor<1xf32>, !F
}
