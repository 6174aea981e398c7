// Kernels that process rows in several loops over pieces. On GPUs each row is loaded once (`tile-gpu-join-pieces`).
// TYPES: f32 bf16
!X = !tile.view<?x?x!T>
!F = !tile.view<?xf32>
!B = !tile.view<?x?x?x!T>
!I = !tile.view<?xi32>

// y = softmax(x), with a running maximum and a sum that is rescaled.
// CASE @softmax_pieces BN=512 K=600: 3x600xT=random:1 -> 3x600xT
// CASE @softmax_pieces BN=1024 K=5000: 3x5000xT=random:2 -> 3x5000xT
// CASE @softmax_pieces BN=1024 K=40003: 3x40003xT=random:3 -> 3x40003xT
tile.kernel @softmax_pieces(%x: !X) outs(%y: !X)
    params {BN = 1024 in [512, 1024, 2048]}
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
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
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
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %max = tile.broadcast %r#0 [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %d = arith.subf %xf, %max : tensor<1x?xf32>
    %e = math.exp %d : tensor<1x?xf32>
    %sum = tile.broadcast %r#1 [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %o = arith.divf %e, %sum : tensor<1x?xf32>
    %out = tile.cast %o : tensor<1x?xf32> to tensor<1x?x!T>
    tile.store %out, %y[%m, %i] : tensor<1x?x!T>, !X
  }
}

// y = x / √(mean x² + ε) · g; squares are summed element by element.
// CASE @rms_norm_pieces BN=512 K=600: 5x600xT=random:1 600xf32=random:2 -> 5x600xT
// CASE @rms_norm_pieces BN=1024 K=5001: 3x5001xT=random:3 5001xf32=random:4 -> 3x5001xT
// CASE @rms_norm_pieces BN=1024 K=40003: 3x40003xT=random:5 40003xf32=random:6 -> 3x40003xT
tile.kernel @rms_norm_pieces(%x: !X, %g: !F) outs(%y: !X)
    params {BN = 1024 in [512, 1024, 2048]}
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
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %s = arith.mulf %xf, %xf : tensor<1x?xf32>
    %all = arith.addf %sum, %s : tensor<1x?xf32>
    scf.yield %all : tensor<1x?xf32>
  }
  %sum = tile.reduce add %r axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %mean = arith.divf %sum, %count : tensor<1x1xf32>
  %some = arith.addf %mean, %epsilon : tensor<1x1xf32>
  %root = math.rsqrt %some : tensor<1x1xf32>
  scf.for %i = %c0 to %t step %c1 {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %gt = tile.load %g[%i] [BN] : !F -> tensor<?xf32>
    %gs = tile.reshape %gt [1, BN] : tensor<?xf32> -> tensor<1x?xf32>
    %roots = tile.broadcast %root [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %n = arith.mulf %xf, %roots : tensor<1x?xf32>
    %o = arith.mulf %n, %gs : tensor<1x?xf32>
    %out = tile.cast %o : tensor<1x?xf32> to tensor<1x?x!T>
    tile.store %out, %y[%m, %i] : tensor<1x?x!T>, !X
  }
}

// y = Σ p (log p − log q), p = softmax a, q = softmax b.
// CASE @kl_divergence BN=512 K=600: 5x600xT=random:1 5x600xT=random:2 -> 5xf32
// CASE @kl_divergence BN=1024 K=9001: 3x9001xT=random:5 3x9001xT=random:6 -> 3xf32
// CASE @kl_divergence BN=1024 K=40003: 3x40003xT=random:3 3x40003xT=random:4 -> 3xf32
tile.kernel @kl_divergence(%a: !X, %b: !X) outs(%y: !F)
    params {BN = 1024 in [512, 1024, 2048]}
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
    %xt = tile.load %a[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
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
    %xt = tile.load %b[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
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
    %at = tile.load %a[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %af = tile.cast %at : tensor<1x?x!T> to tensor<1x?xf32>
    %bt = tile.load %b[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %bf = tile.cast %bt : tensor<1x?x!T> to tensor<1x?xf32>
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

// y = Σ (x − mean x)²: the padding of the last piece, zeros minus the mean, counts.
// CASE @deviation_pieces BN=512 K=600: 5x600xT=random:1 -> 5xf32
// CASE @deviation_pieces BN=512 K=5001: 5x5001xT=random:2 -> 5xf32
tile.kernel @deviation_pieces(%x: !X) outs(%y: !F) params {BN = 512 in [512, 1024]} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %columns = tile.dim %x, 1 : !X
  %columns32 = arith.index_cast %columns : index to i32
  %columnsf = arith.sitofp %columns32 : i32 to f32
  %count = tile.splat %columnsf [1, 1] : f32 -> tensor<1x1xf32>
  %t = tile.num_tiles %x, 1 by [BN] : !X
  %sum = scf.for %i = %c0 to %t step %c1 iter_args(%before = %none) -> (tensor<1x1xf32>) {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %own = tile.reduce add %xf axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %all = arith.addf %before, %own : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  %mean = arith.divf %sum, %count : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%before = %none) -> (tensor<1x1xf32>) {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %means = tile.broadcast %mean [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %d = arith.subf %xf, %means : tensor<1x?xf32>
    %dd = arith.mulf %d, %d : tensor<1x?xf32>
    %own = tile.reduce add %dd axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %all = arith.addf %before, %own : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  %flat = tile.reshape %r [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %flat, %y[%m] : tensor<1xf32>, !F
}

// The sum of each column minus its largest positive element.
// CASE @column_rest BM=32 BN=32 K=700: 700x37xT=random:1 -> 37xf32
// CASE @column_rest BM=64 BN=32 K=64: 64x70xT=random:2 -> 70xf32
tile.kernel @column_rest(%x: !X) outs(%y: !F) params {BM = 32 in [32, 64], BN = 32} grid [ceildiv(dim(%y, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = tile.splat %zero [BN] : f32 -> tensor<?xf32>
  %t = tile.num_tiles %x, 0 by [BM] : !X
  %sum = scf.for %i = %c0 to %t step %c1 iter_args(%before = %none) -> (tensor<?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!T>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %own = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %all = arith.addf %before, %own : tensor<?xf32>
    scf.yield %all : tensor<?xf32>
  }
  %max = scf.for %i = %c0 to %t step %c1 iter_args(%before = %none) -> (tensor<?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!T>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %own = tile.reduce max %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %all = arith.maximumf %before, %own : tensor<?xf32>
    scf.yield %all : tensor<?xf32>
  }
  %r = arith.subf %sum, %max : tensor<?xf32>
  tile.store %r, %y[%n] : tensor<?xf32>, !F
}

// Group norm: y = (x − μ)/σ over four channels of an image at a time; positions beyond the image are excluded from the
// variance.
// CASE @group_norm_pieces BN=256 K=600: 2x8x600xT=random:1 -> 2x8x600xT
// CASE @group_norm_pieces BN=256 K=512: 2x8x512xT=random:2 -> 2x8x512xT
tile.kernel @group_norm_pieces(%x: !B) outs(%y: !B) params {BN = 256 in [128, 256]}
    grid [ceildiv(dim(%y, 1), 4), dim(%y, 0)] {
  %g = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bn = tile.param BN
  %none = arith.constant dense<0.0> : tensor<1x1x1xf32>
  %epsilon = arith.constant dense<1.0e-05> : tensor<1x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [1, 4, BN] : f32 -> tensor<1x4x?xf32>
  %places = tile.dim %x, 2 : !B
  %places32 = arith.index_cast %places : index to i32
  %placesf = arith.sitofp %places32 : i32 to f32
  %four = arith.constant 4.0 : f32
  %elements = arith.mulf %placesf, %four : f32
  %count = tile.splat %elements [1, 1, 1] : f32 -> tensor<1x1x1xf32>
  %end = tile.splat %places32 [BN] : i32 -> tensor<?xi32>
  %t = tile.num_tiles %x, 2 by [BN] : !B
  %sum = scf.for %i = %c0 to %t step %c1 iter_args(%before = %none) -> (tensor<1x1x1xf32>) {
    %xt = tile.load %x[%b, %g, %i] [1, 4, BN] : !B -> tensor<1x4x?x!T>
    %xf = tile.cast %xt : tensor<1x4x?x!T> to tensor<1x4x?xf32>
    %row = tile.reduce add %xf axis 2 keepdims : tensor<1x4x?xf32> -> tensor<1x4x1xf32>
    %own = tile.reduce add %row axis 1 keepdims : tensor<1x4x1xf32> -> tensor<1x1x1xf32>
    %all = arith.addf %before, %own : tensor<1x1x1xf32>
    scf.yield %all : tensor<1x1x1xf32>
  }
  %mean = arith.divf %sum, %count : tensor<1x1x1xf32>
  %squares = scf.for %i = %c0 to %t step %c1 iter_args(%before = %none) -> (tensor<1x1x1xf32>) {
    %xt = tile.load %x[%b, %g, %i] [1, 4, BN] : !B -> tensor<1x4x?x!T>
    %xf = tile.cast %xt : tensor<1x4x?x!T> to tensor<1x4x?xf32>
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [BN] : i32 -> tensor<?xi32>
    %iota = tile.iota [BN] : tensor<?xi32>
    %place = arith.addi %iota, %firsts : tensor<?xi32>
    %is = arith.cmpi slt, %place, %end : tensor<?xi32>
    %mask = tile.broadcast %is [1, 4, BN] : tensor<?xi1> -> tensor<1x4x?xi1>
    %means = tile.broadcast %mean [1, 4, BN] : tensor<1x1x1xf32> -> tensor<1x4x?xf32>
    %d = arith.subf %xf, %means : tensor<1x4x?xf32>
    %dd = arith.mulf %d, %d : tensor<1x4x?xf32>
    %seen = arith.select %mask, %dd, %zeros : tensor<1x4x?xi1>, tensor<1x4x?xf32>
    %row = tile.reduce add %seen axis 2 keepdims : tensor<1x4x?xf32> -> tensor<1x4x1xf32>
    %own = tile.reduce add %row axis 1 keepdims : tensor<1x4x1xf32> -> tensor<1x1x1xf32>
    %all = arith.addf %before, %own : tensor<1x1x1xf32>
    scf.yield %all : tensor<1x1x1xf32>
  }
  %var = arith.divf %squares, %count : tensor<1x1x1xf32>
  %some = arith.addf %var, %epsilon : tensor<1x1x1xf32>
  %root = math.rsqrt %some : tensor<1x1x1xf32>
  scf.for %i = %c0 to %t step %c1 {
    %xt = tile.load %x[%b, %g, %i] [1, 4, BN] : !B -> tensor<1x4x?x!T>
    %xf = tile.cast %xt : tensor<1x4x?x!T> to tensor<1x4x?xf32>
    %means = tile.broadcast %mean [1, 4, BN] : tensor<1x1x1xf32> -> tensor<1x4x?xf32>
    %roots = tile.broadcast %root [1, 4, BN] : tensor<1x1x1xf32> -> tensor<1x4x?xf32>
    %d = arith.subf %xf, %means : tensor<1x4x?xf32>
    %n = arith.mulf %d, %roots : tensor<1x4x?xf32>
    %o = tile.cast %n : tensor<1x4x?xf32> to tensor<1x4x?x!T>
    tile.store %o, %y[%b, %g, %i] : tensor<1x4x?x!T>, !B
  }
}

// The gradient of y = x/|x|: dx = (dy − y Σ dy·y)/|x|, with squares and products summed in one loop.
// CASE @unit_backward BN=512 K=600: 3x600xT=random:1 3x600xT=random:2 -> 3x600xT
// CASE @unit_backward BN=1024 K=30001: 3x30001xT=random:3 3x30001xT=random:4 -> 3x30001xT
tile.kernel @unit_backward(%x: !X, %d: !X) outs(%dx: !X) params {BN = 512 in [512, 1024]} grid [dim(%dx, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %t = tile.num_tiles %x, 1 by [BN] : !X
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%squares = %none, %products = %none) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %dt = tile.load %d[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %df = tile.cast %dt : tensor<1x?x!T> to tensor<1x?xf32>
    %xx = arith.mulf %xf, %xf : tensor<1x?xf32>
    %xd = arith.mulf %xf, %df : tensor<1x?xf32>
    %s = tile.reduce add %xx axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %p = tile.reduce add %xd axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
    %ns = arith.addf %squares, %s : tensor<1x1xf32>
    %np = arith.addf %products, %p : tensor<1x1xf32>
    scf.yield %ns, %np : tensor<1x1xf32>, tensor<1x1xf32>
  }
  %root = math.rsqrt %r#0 : tensor<1x1xf32>
  %share = arith.divf %r#1, %r#0 : tensor<1x1xf32>
  scf.for %i = %c0 to %t step %c1 {
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %dt = tile.load %d[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %df = tile.cast %dt : tensor<1x?x!T> to tensor<1x?xf32>
    %roots = tile.broadcast %root [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %shares = tile.broadcast %share [1, BN] : tensor<1x1xf32> -> tensor<1x?xf32>
    %along = arith.mulf %xf, %shares : tensor<1x?xf32>
    %across = arith.subf %df, %along : tensor<1x?xf32>
    %o = arith.mulf %across, %roots : tensor<1x?xf32>
    %out = tile.cast %o : tensor<1x?xf32> to tensor<1x?x!T>
    tile.store %out, %dx[%m, %i] : tensor<1x?x!T>, !X
  }
}

// The maximum of each row and its column, piece by piece: each step depends on the previous ones, so these loops stay.
// CASE @top_pieces BN=512 K=600: 3x600xT=random:1 -> 3xf32 3xi32
tile.kernel @top_pieces(%x: !X) outs(%y: !F, %z: !I) params {BN = 512 in [512, 1024]} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bn = tile.param BN
  %least = arith.constant dense<0xFF800000> : tensor<1xf32>
  %nowhere = arith.constant dense<0> : tensor<1xi32>
  %infinity = arith.constant 0xFF800000 : f32
  %hidden = tile.splat %infinity [1, BN] : f32 -> tensor<1x?xf32>
  %columns = tile.dim %x, 1 : !X
  %columns32 = arith.index_cast %columns : index to i32
  %end = tile.splat %columns32 [BN] : i32 -> tensor<?xi32>
  %t = tile.num_tiles %x, 1 by [BN] : !X
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%best = %least, %where = %nowhere) -> (tensor<1xf32>, tensor<1xi32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [BN] : i32 -> tensor<?xi32>
    %iota = tile.iota [BN] : tensor<?xi32>
    %place = arith.addi %iota, %firsts : tensor<?xi32>
    %is = arith.cmpi slt, %place, %end : tensor<?xi32>
    %mask = tile.broadcast %is [1, BN] : tensor<?xi1> -> tensor<1x?xi1>
    %xt = tile.load %x[%m, %i] [1, BN] : !X -> tensor<1x?x!T>
    %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
    %seen = arith.select %mask, %xf, %hidden : tensor<1x?xi1>, tensor<1x?xf32>
    %max = tile.reduce max %seen axis 1 : tensor<1x?xf32> -> tensor<1xf32>
    %own = tile.reduce argmax %seen axis 1 : tensor<1x?xf32> -> tensor<1xi32>
    %from = tile.splat %first [1] : i32 -> tensor<1xi32>
    %at = arith.addi %own, %from : tensor<1xi32>
    %isBetter = arith.cmpf ogt, %max, %best : tensor<1xf32>
    %newBest = arith.select %isBetter, %max, %best : tensor<1xi1>, tensor<1xf32>
    %newWhere = arith.select %isBetter, %at, %where : tensor<1xi1>, tensor<1xi32>
    scf.yield %newBest, %newWhere : tensor<1xf32>, tensor<1xi32>
  }
  tile.store %r#0, %y[%m] : tensor<1xf32>, !F
  tile.store %r#1, %z[%m] : tensor<1xi32>, !I
}

// y = x / Σ x · g in a raw kernel whose blocks iterate over rows, two at a time, and slice the gain.
// CASE @walked_rows [f32] grid=2: 5x2048xT=random:41 out0 2048xf32=random:42 i32=5 i32=2048 -> 5x2048xT
// CASE @walked_rows [bf16] grid=2: 7x1800xT=random:43 out0 1800xf32=random:44 i32=7 i32=1800 -> 7x1800xT
// CASE @walked_rows [bf16] grid=3: 4x2056xT=random:45 4x2056xT=0 2056xf32=random:46 i32=4 i32=2056 -> 4x2056xT
tile.kernel @walked_rows(%x: !tile.ptr<!T>, %y: !tile.ptr<!T>, %g: !tile.ptr<f32>, %rows: i32, %columns: i32) grid launch {
  %m = arith.index_cast %rows : i32 to index
  %n = arith.index_cast %columns : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant dense<1.0> : tensor<2x1xf32>
  %vx = tile.view_at %x sizes [%m, %n] strides [%n, 1] : !tile.ptr<!T> -> !tile.view<?x?x!T, strides=[?, 1]>
  %vy = tile.view_at %y sizes [%m, %n] strides [%n, 1] : !tile.ptr<!T> -> !tile.view<?x?x!T, strides=[?, 1]>
  %vg = tile.view_at %g sizes [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %gain = tile.load %vg[%c0] [2048] : !tile.view<?xf32> -> tensor<2048xf32>
  %b = tile.block_id 0
  %blocks = tile.num_blocks 0
  %pairs = arith.ceildivsi %m, %c2 : index
  scf.for %pair = %b to %pairs step %blocks {
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %none) -> (tensor<2x1xf32>) {
      %t = tile.load %vx[%pair, %i] [2, 512] {tile.settled} : !tile.view<?x?x!T, strides=[?, 1]> -> tensor<2x512x!T>
      %f = tile.cast %t : tensor<2x512x!T> to tensor<2x512xf32>
      %a = math.absf %f : tensor<2x512xf32>
      %s = tile.reduce add %a axis 1 keepdims : tensor<2x512xf32> -> tensor<2x1xf32>
      %all = arith.addf %sum, %s : tensor<2x1xf32>
      scf.yield %all : tensor<2x1xf32>
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %t = tile.load %vx[%pair, %i] [2, 512] {tile.settled} : !tile.view<?x?x!T, strides=[?, 1]> -> tensor<2x512x!T>
      %f = tile.cast %t : tensor<2x512x!T> to tensor<2x512xf32>
      %part = tile.extract %gain[%i] [512] : tensor<2048xf32> -> tensor<512xf32>
      %parts = tile.broadcast %part [2, 512] : tensor<512xf32> -> tensor<2x512xf32>
      %sums = tile.broadcast %r [2, 512] : tensor<2x1xf32> -> tensor<2x512xf32>
      %q = arith.divf %f, %sums : tensor<2x512xf32>
      %p = arith.mulf %q, %parts : tensor<2x512xf32>
      %o = tile.cast %p : tensor<2x512xf32> to tensor<2x512x!T>
      tile.store %o, %vy[%pair, %i] : tensor<2x512x!T>, !tile.view<?x?x!T, strides=[?, 1]>
    }
  }
}
