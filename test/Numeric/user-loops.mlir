// Matrix products whose loops are written like those of other tile languages: tiles loaded an iteration ahead, pointers that
// advance along K, masks that repeat the bounds, the rest of K behind the loop, a norm's sum beside the product, two sums, a
// store in the last iteration, iterations in front of loops and behind them, a sum of products.
// TYPES: f32 bf16 f16
!V = !tile.view<?x?x!T>

// Loads the tiles of the next iteration before it multiplies those of this one.
// CASE @ahead K=37: 21x37xT=random:1 37x19xT=random:2 -> 21x19xf32
// CASE @ahead K=5: 3x5xT=random:3 5x40xT=random:4 -> 3x40xf32
tile.kernel @ahead(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 1) == dim(%b, 0))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %a, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a0 = tile.load %a[%i, %c0] [16, 16] : !V -> tensor<16x16x!T>
  %b0 = tile.load %b[%c0, %j] [16, 16] : !V -> tensor<16x16x!T>
  %at, %bt, %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%an = %a0, %bn = %b0, %s = %zero)
      -> (tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32>) {
    %next = arith.addi %k, %c1 : index
    %a1 = tile.load %a[%i, %next] [16, 16] : !V -> tensor<16x16x!T>
    %b1 = tile.load %b[%next, %j] [16, 16] : !V -> tensor<16x16x!T>
    %d = tile.dot %an, %bn, %s : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %a1, %b1, %d : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32>
  }
  tile.store %sum, %y[%i, %j] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// Counts elements of K in i32 and advances tiles of offsets, as Triton's matmul does; masks are what is left of K.
// CASE @advanced K=37: 21x37xT=random:1 37x19xT=random:2 -> 21x19xf32
// CASE @advanced K=64: 16x64xT=random:3 64x32xT=random:4 -> 16x32xf32
tile.kernel @advanced(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 1) == dim(%b, 0))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %md = tile.dim %a, 0 : !V
  %kd = tile.dim %a, 1 : !V
  %nd = tile.dim %b, 1 : !V
  %m = arith.index_cast %md : index to i32
  %k = arith.index_cast %kd : index to i32
  %n = arith.index_cast %nd : index to i32
  %ap = tile.base %a : !V -> !tile.ptr<!T>
  %bp = tile.base %b : !V -> !tile.ptr<!T>
  %e = tile.iota [16] : tensor<16xi32>
  %ec = tile.expand_dims %e, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %er = tile.broadcast %e [16, 16] : tensor<16xi32> -> tensor<16x16xi32>
  %ecb = tile.broadcast %ec [16, 16] : tensor<16x1xi32> -> tensor<16x16xi32>
  %ii = arith.index_cast %i : index to i32
  %ji = arith.index_cast %j : index to i32
  %i0 = arith.muli %ii, %c16 : i32
  %j0 = arith.muli %ji, %c16 : i32
  %i0s = tile.splat %i0 [16, 16] : i32 -> tensor<16x16xi32>
  %j0s = tile.splat %j0 [16, 16] : i32 -> tensor<16x16xi32>
  %rows = arith.addi %ecb, %i0s : tensor<16x16xi32>
  %columns = arith.addi %er, %j0s : tensor<16x16xi32>
  %ms = tile.splat %m [16, 16] : i32 -> tensor<16x16xi32>
  %ns = tile.splat %n [16, 16] : i32 -> tensor<16x16xi32>
  %ks = tile.splat %k [16, 16] : i32 -> tensor<16x16xi32>
  %rin = arith.cmpi slt, %rows, %ms : tensor<16x16xi32>
  %cin = arith.cmpi slt, %columns, %ns : tensor<16x16xi32>
  %ar = arith.muli %rows, %ks : tensor<16x16xi32>
  %ao = arith.addi %ar, %er : tensor<16x16xi32>
  %br = arith.muli %ecb, %ns : tensor<16x16xi32>
  %bo = arith.addi %br, %columns : tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %ae, %be, %sum = scf.for %from = %c0 to %k step %c16 iter_args(%at = %ao, %bt = %bo, %s = %zero)
      -> (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xf32>) : i32 {
    %left = arith.subi %k, %from : i32
    %lefts = tile.splat %left [16, 16] : i32 -> tensor<16x16xi32>
    %akin = arith.cmpi slt, %er, %lefts : tensor<16x16xi32>
    %bkin = arith.cmpi slt, %ecb, %lefts : tensor<16x16xi32>
    %am = arith.andi %rin, %akin : tensor<16x16xi1>
    %bm = arith.andi %bkin, %cin : tensor<16x16xi1>
    %av = tile.load_at %ap[%at] mask(%am : tensor<16x16xi1>) : !tile.ptr<!T>, tensor<16x16xi32> -> tensor<16x16x!T>
    %bv = tile.load_at %bp[%bt] mask(%bm : tensor<16x16xi1>) : !tile.ptr<!T>, tensor<16x16xi32> -> tensor<16x16x!T>
    %d = tile.dot %av, %bv, %s : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ones = arith.constant dense<16> : tensor<16x16xi32>
    %an = arith.addi %at, %ones : tensor<16x16xi32>
    %far = arith.muli %n, %c16 : i32
    %fars = tile.splat %far [16, 16] : i32 -> tensor<16x16xi32>
    %bn = arith.addi %bt, %fars : tensor<16x16xi32>
    scf.yield %an, %bn, %d : tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xf32>
  }
  tile.store %sum, %y[%i, %j] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// Masks loads of tiles that bounds already limit, and one more column of K.
// CASE @masked K=37: 21x37xT=random:1 37x19xT=random:2 -> 21x19xf32
tile.kernel @masked(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 1) == dim(%b, 0))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %steps = tile.num_tiles %a, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %kd = tile.dim %a, 1 : !V
  %k = arith.index_cast %kd : index to i32
  %ks = tile.splat %k [16, 16] : i32 -> tensor<16x16xi32>
  %one = arith.constant dense<1> : tensor<16x16xi32>
  %fewer = arith.subi %ks, %one : tensor<16x16xi32>
  %e = tile.iota [16] : tensor<16xi32>
  %sum = scf.for %s = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
    %k0 = arith.muli %s, %c16 : index
    %k0i = arith.index_cast %k0 : index to i32
    %k0s = tile.splat %k0i [16] : i32 -> tensor<16xi32>
    %at = arith.addi %e, %k0s : tensor<16xi32>
    %along = tile.broadcast %at [16, 16] : tensor<16xi32> -> tensor<16x16xi32>
    %atc = tile.expand_dims %at, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %down = tile.broadcast %atc [16, 16] : tensor<16x1xi32> -> tensor<16x16xi32>
    %am = arith.cmpi slt, %along, %ks : tensor<16x16xi32>
    %bm = arith.cmpi slt, %down, %fewer : tensor<16x16xi32>
    %av = tile.load %a[%i, %s] [16, 16] mask(%am : tensor<16x16xi1>) : !V -> tensor<16x16x!T>
    %bv = tile.load %b[%s, %j] [16, 16] mask(%bm : tensor<16x16xi1>) : !V -> tensor<16x16x!T>
    %d = tile.dot %av, %bv, %acc : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tile.store %sum, %y[%i, %j] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// Whole tiles of K in a loop, the rest behind it, in tiles whose sums take much memory to change hands.
// CASE @rest BM=128 BN=128 K=136: 150x136xT=random:1 136x200xT=random:2 -> 150x200xT
// CASE @rest BM=16 BN=16 K=64: 21x64xT=random:1 64x19xT=random:2 -> 21x19xT
tile.kernel @rest(%a: !V, %b: !V) outs(%y: !V)
    requires(dim(%a, 1) == dim(%b, 0))
    params {BM = 16 in [16, 128], BN = 16 in [16, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0.0 : f32
  %zero = tile.splat %none [BM, BN] : f32 -> tensor<?x?xf32>
  %k = tile.dim %a, 1 : !V
  %whole = arith.divui %k, %c64 : index
  %sum = scf.for %s = %c0 to %whole step %c1 iter_args(%acc = %zero) -> (tensor<?x?xf32>) {
    %at = tile.load %a[%i, %s] [BM, 64] : !V -> tensor<?x64x!T>
    %bt = tile.load %b[%s, %j] [64, BN] : !V -> tensor<64x?x!T>
    %d = tile.dot %at, %bt, %acc : tensor<?x64x!T>, tensor<64x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %d : tensor<?x?xf32>
  }
  %left = arith.remui %k, %c64 : index
  %more = arith.cmpi ne, %left, %c0 : index
  %all = scf.if %more -> (tensor<?x?xf32>) {
    %at = tile.load %a[%i, %whole] [BM, 64] : !V -> tensor<?x64x!T>
    %bt = tile.load %b[%whole, %j] [64, BN] : !V -> tensor<64x?x!T>
    %d = tile.dot %at, %bt, %sum : tensor<?x64x!T>, tensor<64x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %d : tensor<?x?xf32>
  } else {
    scf.yield %sum : tensor<?x?xf32>
  }
  %out = tile.cast %all : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %out, %y[%i, %j] : tensor<?x?x!T>, !V
}

// A product of rows divided by their root mean square, whose squares are summed beside the product.
// CASE @of_norm K=37: 21x37xT=random:1 19x37xT=random:2 -> 21x19xf32
tile.kernel @of_norm(%x: !V, %w: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%x, 1) == dim(%w, 1))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %x, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %none = arith.constant dense<0.0> : tensor<16x1xf32>
  %sum, %squares = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero, %q = %none) -> (tensor<16x16xf32>, tensor<16x1xf32>) {
    %xt = tile.load %x[%i, %k] [16, 16] : !V -> tensor<16x16x!T>
    %wt = tile.load %w[%j, %k] [16, 16] : !V -> tensor<16x16x!T>
    %d = tile.dot %xt, %wt, %s transpose_b : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    %f = tile.cast %xt : tensor<16x16x!T> to tensor<16x16xf32>
    %f2 = arith.mulf %f, %f : tensor<16x16xf32>
    %r = tile.reduce add %f2 axis 1 keepdims : tensor<16x16xf32> -> tensor<16x1xf32>
    %qn = arith.addf %q, %r : tensor<16x1xf32>
    scf.yield %d, %qn : tensor<16x16xf32>, tensor<16x1xf32>
  }
  %kd = tile.dim %x, 1 : !V
  %ki = arith.index_cast %kd : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %kfs = tile.splat %kf [16, 1] : f32 -> tensor<16x1xf32>
  %mean = arith.divf %squares, %kfs : tensor<16x1xf32>
  %eps = arith.constant dense<1.0e-6> : tensor<16x1xf32>
  %me = arith.addf %mean, %eps : tensor<16x1xf32>
  %root = math.rsqrt %me : tensor<16x1xf32>
  %rb = tile.broadcast %root [16, 16] : tensor<16x1xf32> -> tensor<16x16xf32>
  %out = arith.mulf %sum, %rb : tensor<16x16xf32>
  tile.store %out, %y[%i, %j] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// Means of the elements of rows that a mask in memory keeps, which targets copy ahead.
// CASE @kept_mean: 3x1100xT=random:1 3x1100xi1=random:2 -> 3xf32
tile.kernel @kept_mean(%x: !V, %m: !tile.view<?x?xi1>) outs(%y: !tile.view<?xf32>) grid [dim(%y, 0)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %x, 1 by [256] : !V
  %none = arith.constant dense<0.0> : tensor<1xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x256xf32>
  %sum, %count = scf.for %j = %c0 to %steps step %c1 iter_args(%s = %none, %n = %none) -> (tensor<1xf32>, tensor<1xf32>) {
    %xt = tile.load %x[%i, %j] [1, 256] : !V -> tensor<1x256x!T>
    %mt = tile.load %m[%i, %j] [1, 256] : !tile.view<?x?xi1> -> tensor<1x256xi1>
    %f = tile.cast %xt : tensor<1x256x!T> to tensor<1x256xf32>
    %k = arith.select %mt, %f, %zeros : tensor<1x256xi1>, tensor<1x256xf32>
    %one = arith.uitofp %mt : tensor<1x256xi1> to tensor<1x256xf32>
    %ks = tile.reduce add %k axis 1 : tensor<1x256xf32> -> tensor<1xf32>
    %ns = tile.reduce add %one axis 1 : tensor<1x256xf32> -> tensor<1xf32>
    %s1 = arith.addf %s, %ks : tensor<1xf32>
    %n1 = arith.addf %n, %ns : tensor<1xf32>
    scf.yield %s1, %n1 : tensor<1xf32>, tensor<1xf32>
  }
  %mean = arith.divf %sum, %count : tensor<1xf32>
  tile.store %mean, %y[%i] : tensor<1xf32>, !tile.view<?xf32>
}

// Two steps of K an iteration, each with a sum, and a store in the last iteration.
// CASE @two_sums K=37: 21x37xT=random:1 37x19xT=random:2 -> 21x19xf32
// CASE @two_sums K=16: 8x16xT=random:1 16x19xT=random:2 -> 8x19xf32
tile.kernel @two_sums(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 1) == dim(%b, 0))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %steps = tile.num_tiles %a, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %even, %odd = scf.for %k = %c0 to %steps step %c2 iter_args(%s = %zero, %t = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %next = arith.addi %k, %c1 : index
    %a0 = tile.load %a[%i, %k] [16, 16] : !V -> tensor<16x16x!T>
    %b0 = tile.load %b[%k, %j] [16, 16] : !V -> tensor<16x16x!T>
    %a1 = tile.load %a[%i, %next] [16, 16] : !V -> tensor<16x16x!T>
    %b1 = tile.load %b[%next, %j] [16, 16] : !V -> tensor<16x16x!T>
    %d = tile.dot %a0, %b0, %s : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    %e = tile.dot %a1, %b1, %t : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d, %e : tensor<16x16xf32>, tensor<16x16xf32>
  }
  %sum = arith.addf %even, %odd : tensor<16x16xf32>
  %last = arith.subi %steps, %c1 : index
  %more = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %sum) -> (tensor<16x16xf32>) {
    %at = tile.load %a[%i, %k] [16, 16] : !V -> tensor<16x16x!T>
    %bt = tile.load %b[%k, %j] [16, 16] : !V -> tensor<16x16x!T>
    %d = tile.dot %at, %bt, %s : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : index
    scf.if %ends {
      tile.store %d, %y[%i, %j] : tensor<16x16xf32>, !tile.view<?x?xf32>
    }
    scf.yield %d : tensor<16x16xf32>
  }
}

// The last iteration behind the loop, since tiles are loaded ahead; the first one in front of another loop.
// CASE @peeled K=37: 21x37xT=random:1 37x19xT=random:2 -> 21x19xf32
// CASE @peeled K=64: 16x64xT=random:3 64x32xT=random:4 -> 16x32xf32
// CASE @peeled K=5: 3x5xT=random:3 5x40xT=random:4 -> 3x40xf32
tile.kernel @peeled(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 1) == dim(%b, 0))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %a, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a0 = tile.load %a[%i, %c0] [16, 16] : !V -> tensor<16x16x!T>
  %b0 = tile.load %b[%c0, %j] [16, 16] : !V -> tensor<16x16x!T>
  %at, %bt, %s = scf.for %k = %c1 to %steps step %c1 iter_args(%an = %a0, %bn = %b0, %r = %zero)
      -> (tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32>) {
    %d = tile.dot %an, %bn, %r : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    %a1 = tile.load %a[%i, %k] [16, 16] : !V -> tensor<16x16x!T>
    %b1 = tile.load %b[%k, %j] [16, 16] : !V -> tensor<16x16x!T>
    scf.yield %a1, %b1, %d : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32>
  }
  %sum = tile.dot %at, %bt, %s : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
  %af = tile.load %a[%i, %c0] [16, 16] : !V -> tensor<16x16x!T>
  %bf = tile.load %b[%c0, %j] [16, 16] : !V -> tensor<16x16x!T>
  %first = tile.dot %af, %bf, %sum : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
  %twice = scf.for %k = %c1 to %steps step %c1 iter_args(%r = %first) -> (tensor<16x16xf32>) {
    %ak = tile.load %a[%i, %k] [16, 16] : !V -> tensor<16x16x!T>
    %bk = tile.load %b[%k, %j] [16, 16] : !V -> tensor<16x16x!T>
    %d = tile.dot %ak, %bk, %r : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tile.store %twice, %y[%i, %j] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// Triton's form: offsets row·width + column that the loop advances, with masks of bounds.
// CASE @by_offset K=37: 21x37xT=random:1 37x19xT=random:2 -> 21x19xf32
// CASE @by_offset K=64: 32x64xT=random:1 64x32xT=random:2 -> 32x32xf32
tile.kernel @by_offset(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 0) == dim(%y, 0), dim(%b, 1) == dim(%y, 1), dim(%a, 1) == dim(%b, 0))
    grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 16)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %m32 = arith.index_cast %m : index to i32
  %n32 = arith.index_cast %n : index to i32
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %di = tile.dim %a, 0 : !V
  %dj = tile.dim %b, 1 : !V
  %dk = tile.dim %a, 1 : !V
  %height = arith.index_cast %di : index to i32
  %width = arith.index_cast %dj : index to i32
  %depth = arith.index_cast %dk : index to i32
  %k = tile.iota [16] : tensor<16xi32>
  %r0 = arith.muli %m32, %c16 : i32
  %rs = tile.splat %r0 [16] : i32 -> tensor<16xi32>
  %r1 = arith.addi %rs, %k : tensor<16xi32>
  %r = tile.expand_dims %r1, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %cs0 = arith.muli %n32, %c16 : i32
  %cs = tile.splat %cs0 [16] : i32 -> tensor<16xi32>
  %c = arith.addi %cs, %k : tensor<16xi32>
  %kc = tile.expand_dims %k, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %ds = tile.splat %depth [16, 1] : i32 -> tensor<16x1xi32>
  %ws1 = tile.splat %width [16, 1] : i32 -> tensor<16x1xi32>
  %ar = arith.muli %r, %ds : tensor<16x1xi32>
  %arb = tile.broadcast %ar [16, 16] : tensor<16x1xi32> -> tensor<16x16xi32>
  %kb = tile.broadcast %k [16, 16] : tensor<16xi32> -> tensor<16x16xi32>
  %ao = arith.addi %arb, %kb : tensor<16x16xi32>
  %br = arith.muli %kc, %ws1 : tensor<16x1xi32>
  %brb = tile.broadcast %br [16, 16] : tensor<16x1xi32> -> tensor<16x16xi32>
  %cb = tile.broadcast %c [16, 16] : tensor<16xi32> -> tensor<16x16xi32>
  %bo = arith.addi %brb, %cb : tensor<16x16xi32>
  %hs = tile.splat %height [16, 1] : i32 -> tensor<16x1xi32>
  %rin = arith.cmpi slt, %r, %hs : tensor<16x1xi32>
  %rinb = tile.broadcast %rin [16, 16] : tensor<16x1xi1> -> tensor<16x16xi1>
  %ws = tile.splat %width [16] : i32 -> tensor<16xi32>
  %cin = arith.cmpi slt, %c, %ws : tensor<16xi32>
  %cinb = tile.broadcast %cin [16, 16] : tensor<16xi1> -> tensor<16x16xi1>
  %ap = tile.base %a : !V -> !tile.ptr<!T>
  %bp = tile.base %b : !V -> !tile.ptr<!T>
  %yp = tile.base %y : !tile.view<?x?xf32> -> !tile.ptr<f32>
  %as = arith.constant dense<16> : tensor<16x16xi32>
  %bw = arith.muli %width, %c16 : i32
  %bs = tile.splat %bw [16, 16] : i32 -> tensor<16x16xi32>
  %s:3 = scf.for %k0 = %c0 to %depth step %c16 iter_args(%acc = %zero, %x = %ao, %z = %bo) -> (tensor<16x16xf32>, tensor<16x16xi32>, tensor<16x16xi32>) : i32 {
    %left = arith.subi %depth, %k0 : i32
    %ls = tile.splat %left [16] : i32 -> tensor<16xi32>
    %kin = arith.cmpi slt, %k, %ls : tensor<16xi32>
    %kinb = tile.broadcast %kin [16, 16] : tensor<16xi1> -> tensor<16x16xi1>
    %am = arith.andi %rinb, %kinb : tensor<16x16xi1>
    %at = tile.load_at %ap[%x] mask(%am : tensor<16x16xi1>) : !tile.ptr<!T>, tensor<16x16xi32> -> tensor<16x16x!T>
    %kinc = tile.expand_dims %kin, 1 : tensor<16xi1> -> tensor<16x1xi1>
    %kincb = tile.broadcast %kinc [16, 16] : tensor<16x1xi1> -> tensor<16x16xi1>
    %bm = arith.andi %kincb, %cinb : tensor<16x16xi1>
    %bt = tile.load_at %bp[%z] mask(%bm : tensor<16x16xi1>) : !tile.ptr<!T>, tensor<16x16xi32> -> tensor<16x16x!T>
    %d = tile.dot %at, %bt, %acc : tensor<16x16x!T>, tensor<16x16x!T>, tensor<16x16xf32> -> tensor<16x16xf32>
    %x1 = arith.addi %x, %as : tensor<16x16xi32>
    %z1 = arith.addi %z, %bs : tensor<16x16xi32>
    scf.yield %d, %x1, %z1 : tensor<16x16xf32>, tensor<16x16xi32>, tensor<16x16xi32>
  }
  %yr = arith.muli %r, %ws1 : tensor<16x1xi32>
  %yrb = tile.broadcast %yr [16, 16] : tensor<16x1xi32> -> tensor<16x16xi32>
  %yo = arith.addi %yrb, %cb : tensor<16x16xi32>
  %ym = arith.andi %rinb, %cinb : tensor<16x16xi1>
  tile.store_at %s#0, %yp[%yo] mask(%ym : tensor<16x16xi1>) : tensor<16x16xf32>, !tile.ptr<f32>, tensor<16x16xi32>
}

// A product of a few rows, written as a sum of products.
// CASE @product_sum K=100: 4x100xT=random:1 40x100xT=random:2 -> 4x40xf32
// CASE @product_sum K=32: 3x32xT=random:3 16x32xT=random:4 -> 3x16xf32
tile.kernel @product_sum(%x: !V, %w: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%x, 1) == dim(%w, 1))
    grid [ceildiv(dim(%y, 1), 16)] {
  %j = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %x, 1 by [32] : !V
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<4x16xf32>) {
    %xt = tile.load %x[%c0, %k] [4, 32] : !V -> tensor<4x32x!T>
    %wt = tile.load %w[%j, %k] [16, 32] : !V -> tensor<16x32x!T>
    %xf = tile.cast %xt : tensor<4x32x!T> to tensor<4x32xf32>
    %wf = tile.cast %wt : tensor<16x32x!T> to tensor<16x32xf32>
    %xe = tile.expand_dims %xf, 1 : tensor<4x32xf32> -> tensor<4x1x32xf32>
    %xb = tile.broadcast %xe [4, 16, 32] : tensor<4x1x32xf32> -> tensor<4x16x32xf32>
    %wb = tile.broadcast %wf [4, 16, 32] : tensor<16x32xf32> -> tensor<4x16x32xf32>
    %p = arith.mulf %xb, %wb : tensor<4x16x32xf32>
    %r = tile.reduce add %p axis 2 : tensor<4x16x32xf32> -> tensor<4x16xf32>
    %more = arith.addf %s, %r : tensor<4x16xf32>
    scf.yield %more : tensor<4x16xf32>
  }
  tile.store %sum, %y[%c0, %j] : tensor<4x16xf32>, !tile.view<?x?xf32>
}
