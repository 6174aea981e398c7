// Row-wise and elementwise kernels as users write them without knowing the library: odd widths, unaligned rows, masks,
// several sums, results per row.
// TYPES: f32 bf16
!X = !tile.view<?x?x!T>
!V = !tile.view<?x!T>
!F = !tile.view<?xf32>
!I = !tile.view<?xi32>
!M = !tile.view<?x?xi8>

// y = x / sqrt(mean(x²) + ε) · g
// CASE @rms_norm BM=1 K=7: 5x7xT=random:1 7xT=random:2 -> 5x7xT
// CASE @rms_norm BM=2 K=333: 5x333xT=random:3 333xT=random:4 -> 5x333xT
// Blocks of a few elements are merged into fewer, with more rows each.
// CASE @rms_norm BM=1 K=3: 1100x3xT=random:11 3xT=random:12 -> 1100x3xT
// CASE @rms_norm BM=2 K=13: 2001x13xT=random:13 13xT=random:14 -> 2001x13xT
// CASE @rms_norm BM=1 K=1: 1300x1xT=random:15 1xT=random:16 -> 1300x1xT
// CASE @rms_norm BM=4 K=1000: 9x1000xT=random:5 1000xT=random:6 -> 9x1000xT
// CASE @rms_norm BM=1 K=3001: 3x3001xT=random:7 3001xT=random:8 -> 3x3001xT
// The registers of a block hold at most one of these rows.
// CASE @rms_norm BM=4 K=20001: 6x20001xT=random:9 20001xT=random:10 -> 6x20001xT
tile.kernel @rms_norm(%x: !X, %g: !V) outs(%y: !X) params {BM = 1 in [1, 2, 4, 8], C = dim(%x, 1)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c = tile.param C
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %eps = arith.constant 1.0e-5 : f32
  %counts = tile.splat %cf [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %gt = tile.load %g[%c0] [C] : !V -> tensor<?x!T>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
  %sum = tile.reduce add %x2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.divf %sum, %counts : tensor<?x1xf32>
  %me = arith.addf %mean, %epss : tensor<?x1xf32>
  %r = math.rsqrt %me : tensor<?x1xf32>
  %rb = tile.broadcast %r [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %n = arith.mulf %xf, %rb : tensor<?x?xf32>
  %gf = tile.cast %gt : tensor<?x!T> to tensor<?xf32>
  %gb = tile.broadcast %gf [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %o = arith.mulf %n, %gb : tensor<?x?xf32>
  %ot = tile.cast %o : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %ot, %y[%m, %c0] : tensor<?x?x!T>, !X
}

// y = softmax(s·x), where the mask is not 0.
// CASE @masked_softmax BM=2 K=1: 5x1xT=random:1 5x1xi8=random:2:1:1 -> 5x1xT
// CASE @masked_softmax BM=2 K=64: 5x64xT=random:1 5x64xi8=random:2:0:3 -> 5x64xT
// CASE @masked_softmax BM=1 K=777: 5x777xT=random:3 5x777xi8=random:4:0:3 -> 5x777xT
tile.kernel @masked_softmax(%x: !X, %mask: !M) outs(%y: !X) params {BM = 1 in [1, 2, 4, 8], C = dim(%x, 1)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %s = arith.constant 0.125 : f32
  %big = arith.constant -1.0e30 : f32
  %z = arith.constant 0 : i8
  %ss = tile.splat %s [BM, C] : f32 -> tensor<?x?xf32>
  %bigs = tile.splat %big [BM, C] : f32 -> tensor<?x?xf32>
  %zs = tile.splat %z [BM, C] : i8 -> tensor<?x?xi8>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %mt = tile.load %mask[%m, %c0] [BM, C] : !M -> tensor<?x?xi8>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %scaled = arith.mulf %xf, %ss : tensor<?x?xf32>
  %on = arith.cmpi ne, %mt, %zs : tensor<?x?xi8>
  %v = arith.select %on, %scaled, %bigs : tensor<?x?xi1>, tensor<?x?xf32>
  %max = tile.reduce max %v axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %maxb = tile.broadcast %max [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %d = arith.subf %v, %maxb : tensor<?x?xf32>
  %e = math.exp %d : tensor<?x?xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %sumb = tile.broadcast %sum [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %e, %sumb : tensor<?x?xf32>
  %rt = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %rt, %y[%m, %c0] : tensor<?x?x!T>, !X
}

// log(Σ exp x), one number per row.
// CASE @log_sum_exp BM=2 K=3: 7x3xT=random:1 -> 7xf32
// CASE @log_sum_exp BM=1 K=6: 1501x6xT=random:3 -> 1501xf32
// CASE @log_sum_exp BM=1 K=501: 7x501xT=random:2 -> 7xf32
// CASE @log_sum_exp BM=4 K=2048: 7x2048xT=random:2 -> 7xf32
// CASE @log_sum_exp BM=1 K=5003: 3x5003xT=random:4 -> 3xf32
// CASE @log_sum_exp BM=1 K=20499: 3x20499xT=random:5 -> 3xf32
// CASE @log_sum_exp BM=1 K=120001: 2x120001xT=random:6 -> 2xf32
tile.kernel @log_sum_exp(%x: !X) outs(%y: !F) params {BM = 1 in [1, 2, 4, 8], C = dim(%x, 1)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %max = tile.reduce max %xf axis 1 : tensor<?x?xf32> -> tensor<?xf32>
  %max1 = tile.expand_dims %max, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %maxb = tile.broadcast %max1 [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %d = arith.subf %xf, %maxb : tensor<?x?xf32>
  %e = math.exp %d : tensor<?x?xf32>
  %sum = tile.reduce add %e axis 1 : tensor<?x?xf32> -> tensor<?xf32>
  %log = math.log %sum : tensor<?xf32>
  %r = arith.addf %log, %max : tensor<?xf32>
  tile.store %r, %y[%m] : tensor<?xf32>, !F
}

// Mean and variance of a row, by a region on triples.
// CASE @row_statistics K=90: 3x501xT=random:1 -> 3xf32 3xf32
// CASE @row_statistics K=90: 3x20499xT=random:2 -> 3xf32 3xf32
// CASE @row_statistics K=90: 1x60001xT=random:3 -> 1xf32 1xf32
tile.kernel @row_statistics(%x: !X) outs(%mean: !F, %y: !F) params {C = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tiny = arith.constant 1.0e-30 : f32
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!T>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %zeros = tile.splat %zero [1, C] : f32 -> tensor<1x?xf32>
  %ones = tile.splat %one [1, C] : f32 -> tensor<1x?xf32>
  %r:3 = tile.reduce %xf, %zeros, %ones axis 1 keepdims identities [0.0 : f32, 0.0 : f32, 0.0 : f32] {
    ^bb0(%ma: f32, %sa: f32, %na: f32, %mb: f32, %sb: f32, %nb: f32):
      %n = arith.addf %na, %nb : f32
      %some = arith.maximumf %n, %tiny : f32
      %share = arith.divf %nb, %some : f32
      %d = arith.subf %mb, %ma : f32
      %step = arith.mulf %d, %share : f32
      %all = arith.addf %ma, %step : f32
      %s = arith.addf %sa, %sb : f32
      %w = arith.mulf %step, %na : f32
      %dw = arith.mulf %d, %w : f32
      %q = arith.addf %s, %dw : f32
      tile.yield %all, %q, %n : f32, f32, f32
  } : tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32> -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>)
  %v = arith.divf %r#1, %r#2 : tensor<1x1xf32>
  %mf = tile.reshape %r#0 [1] : tensor<1x1xf32> -> tensor<1xf32>
  %vf = tile.reshape %v [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %mf, %mean[%m] : tensor<1xf32>, !F
  tile.store %vf, %y[%m] : tensor<1xf32>, !F
}

// The first column of a row that holds its maximum, by comparison and select.
// CASE @row_argmax BM=1 K=1: 3x9xT=random:1 -> 3xi32
// CASE @row_argmax BM=1 K=1: 1100x7xT=random:3 -> 1100xi32
// CASE @row_argmax BM=2 K=1: 5x1023xT=random:2 -> 5xi32
tile.kernel @row_argmax(%x: !X) outs(%y: !I) params {BM = 1 in [1, 2, 4, 8], C = dim(%x, 1)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %none = arith.constant 2147483647 : i32
  %nones = tile.splat %none [BM, C] : i32 -> tensor<?x?xi32>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %max = tile.reduce max %xt axis 1 keepdims : tensor<?x?x!T> -> tensor<?x1x!T>
  %maxb = tile.broadcast %max [BM, C] : tensor<?x1x!T> -> tensor<?x?x!T>
  %is = arith.cmpf oeq, %xt, %maxb : tensor<?x?x!T>
  %in = tile.iota [C] : tensor<?xi32>
  %ins = tile.broadcast %in [BM, C] : tensor<?xi32> -> tensor<?x?xi32>
  %at = arith.select %is, %ins, %nones : tensor<?x?xi1>, tensor<?x?xi32>
  %first = tile.reduce min %at axis 1 : tensor<?x?xi32> -> tensor<?xi32>
  tile.store %first, %y[%m] : tensor<?xi32>, !I
}

// The gradient of a layer norm with respect to its input, given the row's mean μ and 1/σ: dx = (dy·g − mean(dy·g) −
// n·mean(dy·g·n))/σ, n = (x − μ)/σ.
// CASE @norm_backward BM=1 K=48: 5x48xT=random:1 5x48xT=random:2 48xf32=random:3 5xf32=random:4 5xf32=random:5:1:2 -> 5x48xT
// CASE @norm_backward BM=2 K=515: 5x515xT=random:1 5x515xT=random:2 515xf32=random:3 5xf32=random:4 5xf32=random:5:1:2 -> 5x515xT
tile.kernel @norm_backward(%dy: !X, %x: !X, %g: !F, %mu: !F, %rs: !F) outs(%dx: !X)
    params {BM = 1 in [1, 2, 4, 8], C = dim(%x, 1)} grid [ceildiv(dim(%dx, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c = tile.param C
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %counts = tile.splat %cf [BM, 1] : f32 -> tensor<?x1xf32>
  %dyt = tile.load %dy[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %gt = tile.load %g[%c0] [C] : !F -> tensor<?xf32>
  %mut = tile.load %mu[%m] [BM] : !F -> tensor<?xf32>
  %rst = tile.load %rs[%m] [BM] : !F -> tensor<?xf32>
  %mu1 = tile.expand_dims %mut, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %rs1 = tile.expand_dims %rst, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %mub = tile.broadcast %mu1 [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %rsb = tile.broadcast %rs1 [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %gb = tile.broadcast %gt [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %dyf = tile.cast %dyt : tensor<?x?x!T> to tensor<?x?xf32>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %xc = arith.subf %xf, %mub : tensor<?x?xf32>
  %n = arith.mulf %xc, %rsb : tensor<?x?xf32>
  %w = arith.mulf %dyf, %gb : tensor<?x?xf32>
  %wn = arith.mulf %w, %n : tensor<?x?xf32>
  %s1 = tile.reduce add %w axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %s2 = tile.reduce add %wn axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %m1 = arith.divf %s1, %counts : tensor<?x1xf32>
  %m2 = arith.divf %s2, %counts : tensor<?x1xf32>
  %m1b = tile.broadcast %m1 [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %m2b = tile.broadcast %m2 [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %a = arith.subf %w, %m1b : tensor<?x?xf32>
  %b = arith.mulf %n, %m2b : tensor<?x?xf32>
  %d = arith.subf %a, %b : tensor<?x?xf32>
  %r = arith.mulf %d, %rsb : tensor<?x?xf32>
  %rt = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %rt, %dx[%m, %c0] : tensor<?x?x!T>, !X
}

// y = silu(a)·b, elementwise.
// CASE @swiglu BM=4 BN=64: 9x1xT=random:1 9x1xT=random:2 -> 9x1xT
// CASE @swiglu BM=8 BN=256: 33x333xT=random:1 33x333xT=random:2 -> 33x333xT
// CASE @swiglu BM=1 BN=256: 1203x3xT=random:5 1203x3xT=random:6 -> 1203x3xT
// CASE @swiglu BM=1 BN=256: 3x3001xT=random:3 3x3001xT=random:4 -> 3x3001xT
// CASE @swiglu BM=8 BN=64: 21x48xT=random:5 21x48xT=random:6 -> 21x48xT
tile.kernel @swiglu(%a: !X, %b: !X) outs(%y: !X) params {BM = 4 in [1, 2, 4, 8], BN = 256 in [64, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %one = arith.constant 1.0 : f32
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %at = tile.load %a[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %bt = tile.load %b[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %af = tile.cast %at : tensor<?x?x!T> to tensor<?x?xf32>
  %bf = tile.cast %bt : tensor<?x?x!T> to tensor<?x?xf32>
  %neg = arith.negf %af : tensor<?x?xf32>
  %e = math.exp %neg : tensor<?x?xf32>
  %d = arith.addf %e, %ones : tensor<?x?xf32>
  %s = arith.divf %af, %d : tensor<?x?xf32>
  %r = arith.mulf %s, %bf : tensor<?x?xf32>
  %rt = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %rt, %y[%m, %n] : tensor<?x?x!T>, !X
}

// y = x + row + column, both broadcast.
// CASE @add_broadcast BM=4 BN=64: 9x7xT=random:1 7xT=random:2 9xT=random:3 -> 9x7xT
// CASE @add_broadcast BM=8 BN=64: 33x201xT=random:1 201xT=random:2 33xT=random:3 -> 33x201xT
tile.kernel @add_broadcast(%x: !X, %row: !V, %col: !V) outs(%y: !X)
    params {BM = 4 in [1, 2, 4, 8], BN = 256 in [64, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %rt = tile.load %row[%n] [BN] : !V -> tensor<?x!T>
  %ct = tile.load %col[%m] [BM] : !V -> tensor<?x!T>
  %c1 = tile.expand_dims %ct, 1 : tensor<?x!T> -> tensor<?x1x!T>
  %rb = tile.broadcast %rt [BM, BN] : tensor<?x!T> -> tensor<?x?x!T>
  %cb = tile.broadcast %c1 [BM, BN] : tensor<?x1x!T> -> tensor<?x?x!T>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %rf = tile.cast %rb : tensor<?x?x!T> to tensor<?x?xf32>
  %cf = tile.cast %cb : tensor<?x?x!T> to tensor<?x?xf32>
  %s = arith.addf %xf, %rf : tensor<?x?xf32>
  %sum = arith.addf %s, %cf : tensor<?x?xf32>
  %t = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %t, %y[%m, %n] : tensor<?x?x!T>, !X
}

// y = x / (1 − p) where the mask is not 0, else 0.
// CASE @dropout BM=4 BN=64: 9x65xT=random:1 9x65xi8=random:2:0:1 -> 9x65xT
// CASE @dropout BM=2 BN=256: 5x1001xT=random:1 5x1001xi8=random:2:0:1 -> 5x1001xT
tile.kernel @dropout(%x: !X, %mask: !M) outs(%y: !X) params {BM = 4 in [1, 2, 4, 8], BN = 256 in [64, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %s = arith.constant 1.25 : f32
  %z = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i8
  %ss = tile.splat %s [BM, BN] : f32 -> tensor<?x?xf32>
  %zs = tile.splat %z [BM, BN] : f32 -> tensor<?x?xf32>
  %zis = tile.splat %zi [BM, BN] : i8 -> tensor<?x?xi8>
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %mt = tile.load %mask[%m, %n] [BM, BN] : !M -> tensor<?x?xi8>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %v = arith.mulf %xf, %ss : tensor<?x?xf32>
  %on = arith.cmpi ne, %mt, %zis : tensor<?x?xi8>
  %r = arith.select %on, %v, %zs : tensor<?x?xi1>, tensor<?x?xf32>
  %rt = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %rt, %y[%m, %n] : tensor<?x?x!T>, !X
}

// Results stored transposed.
// CASE @transpose BM=32 BN=32: 65x33xT=random:1 -> 33x65xT
// CASE @transpose BM=32 BN=64: 64x128xT=random:1 -> 128x64xT
tile.kernel @transpose(%x: !X) outs(%y: !X) params {BM = 32 in [16, 32, 64], BN = 32 in [16, 32, 64]}
    grid [ceildiv(dim(%x, 0), BM), ceildiv(dim(%x, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %t = tile.permute %xt [1, 0] : tensor<?x?x!T> -> tensor<?x?x!T>
  tile.store %t, %y[%n, %m] : tensor<?x?x!T>, !X
}

// y = xᵀ, through shared memory if tiles are larger than a sector
// CASE @transposed BM=8 BN=8: 37x21xT=random:1 -> 21x37xT
// CASE @transposed BM=32 BN=64: 100x300xT=random:2 -> 300x100xT
// CASE @transposed BM=64 BN=32: 129x65xT=random:3 -> 65x129xT
tile.kernel @transposed(%x: !X) outs(%y: !X) params {BM = 32 in [8, 32, 64], BN = 32 in [8, 32, 64]}
    grid [ceildiv(dim(%x, 0), BM), ceildiv(dim(%x, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %p = tile.permute %t [1, 0] : tensor<?x?x!T> -> tensor<?x?x!T>
  tile.store %p, %y[%n, %m] : tensor<?x?x!T>, !X
}

// y = (x − mean x)/√(mean (x − mean x)² + ε)·g + b, for unaligned rows that only fit into shared memory.
// CASE @long_norm K=40001: 3x40001xT=random:1 40001xf32=random:2 40001xf32=random:3 -> 3x40001xT
// CASE @long_norm K=70004: 2x70004xT=random:4 70004xf32=random:5 70004xf32=random:6 -> 2x70004xT
tile.kernel @long_norm(%x: !X, %g: !F, %b: !F) outs(%y: !X) params {C = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c = tile.param C
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %eps = arith.constant 1.0e-5 : f32
  %counts = tile.splat %cf [1, 1] : f32 -> tensor<1x1xf32>
  %epss = tile.splat %eps [1, 1] : f32 -> tensor<1x1xf32>
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!T>
  %gt = tile.load %g[%c0] [C] : !F -> tensor<?xf32>
  %bt = tile.load %b[%c0] [C] : !F -> tensor<?xf32>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %sum = tile.reduce add %xf axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %mean = arith.divf %sum, %counts : tensor<1x1xf32>
  %meanb = tile.broadcast %mean [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %d = arith.subf %xf, %meanb : tensor<1x?xf32>
  %d2 = arith.mulf %d, %d : tensor<1x?xf32>
  %sum2 = tile.reduce add %d2 axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %var = arith.divf %sum2, %counts : tensor<1x1xf32>
  %vare = arith.addf %var, %epss : tensor<1x1xf32>
  %r = math.rsqrt %vare : tensor<1x1xf32>
  %rb = tile.broadcast %r [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %n = arith.mulf %d, %rb : tensor<1x?xf32>
  %gb = tile.broadcast %gt [1, C] : tensor<?xf32> -> tensor<1x?xf32>
  %bb = tile.broadcast %bt [1, C] : tensor<?xf32> -> tensor<1x?xf32>
  %ng = arith.mulf %n, %gb : tensor<1x?xf32>
  %o = arith.addf %ng, %bb : tensor<1x?xf32>
  %ot = tile.cast %o : tensor<1x?xf32> to tensor<1x?x!T>
  tile.store %ot, %y[%m, %c0] : tensor<1x?x!T>, !X
}

// log(Σ exp x) − x[label], where the label's column is found by comparing indices.
// CASE @picked_loss K=5: 4x5xT=random:1 4xi32=random:2:0:4 -> 4xf32
// CASE @picked_loss K=5: 1100x5xT=random:3 1100xi32=random:4:0:4 -> 1100xf32
// CASE @picked_loss K=1001: 70x1001xT=random:5 70xi32=random:6:-3:1003 -> 70xf32
// CASE @picked_loss K=40001: 3x40001xT=random:1 3xi32=random:2:0:40000 -> 3xf32
tile.kernel @picked_loss(%x: !X, %labels: !I) outs(%y: !F) params {C = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [1, C] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!T>
  %lt = tile.load %labels[%m] [1] : !I -> tensor<1xi32>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %max = tile.reduce max %xf axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %maxb = tile.broadcast %max [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %d = arith.subf %xf, %maxb : tensor<1x?xf32>
  %e = math.exp %d : tensor<1x?xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %log = math.log %sum : tensor<1x1xf32>
  %numbers = tile.iota [C] : tensor<?xi32>
  %nb = tile.broadcast %numbers [1, C] : tensor<?xi32> -> tensor<1x?xi32>
  %lc = tile.expand_dims %lt, 1 : tensor<1xi32> -> tensor<1x1xi32>
  %lb = tile.broadcast %lc [1, C] : tensor<1x1xi32> -> tensor<1x?xi32>
  %is = arith.cmpi eq, %nb, %lb : tensor<1x?xi32>
  %picked = arith.select %is, %d, %zeros : tensor<1x?xi1>, tensor<1x?xf32>
  %p = tile.reduce add %picked axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %loss = arith.subf %log, %p : tensor<1x1xf32>
  %flat = tile.reshape %loss [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %flat, %y[%m] : tensor<1xf32>, !F
}

// y = exp(x)/Σ exp(x) over each column.
// CASE @column_softmax BN=8 K=33: 33x19xT=random:1 -> 33x19xT
// CASE @column_softmax BN=1 K=3: 3x1203xT=random:3 -> 3x1203xT
// CASE @column_softmax BN=16 K=333: 333x37xT=random:2 -> 333x37xT
tile.kernel @column_softmax(%x: !X) outs(%y: !X) params {BN = 8 in [1, 2, 4, 8, 16, 32], R = dim(%x, 0)}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %n] [R, BN] : !X -> tensor<?x?x!T>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %e = math.exp %xf : tensor<?x?xf32>
  %sum = tile.reduce add %e axis 0 keepdims : tensor<?x?xf32> -> tensor<1x?xf32>
  %sumb = tile.broadcast %sum [R, BN] : tensor<1x?xf32> -> tensor<?x?xf32>
  %r = arith.divf %e, %sumb : tensor<?x?xf32>
  %rt = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %rt, %y[%c0, %n] : tensor<?x?x!T>, !X
}

// The first index of the maximum and of the minimum of a row, as ops; for rows that fit into registers, and longer ones.
// CASE @places K=7: 4x7xT=random:1 -> 4xi32 4xi32
// CASE @places K=5001: 3x5001xT=random:2 -> 3xi32 3xi32
// CASE @places K=70003: 3x70003xT=random:3 -> 3xi32 3xi32
// CASE @places K=4096: 1x4096xT=1 -> 1xi32=0 1xi32=0
tile.kernel @places(%x: !X) outs(%y: !I, %z: !I) params {C = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!T>
  %most = tile.reduce argmax %xt axis 1 : tensor<1x?x!T> -> tensor<1xi32>
  %least = tile.reduce argmin %xt axis 1 nan(ignore) : tensor<1x?x!T> -> tensor<1xi32>
  tile.store %most, %y[%m] : tensor<1xi32>, !I
  tile.store %least, %z[%m] : tensor<1xi32>, !I
}

// y = softmax of the first `length` columns of a row; lengths differ between rows: the mask compares column indices with a
// broadcast length.
// CASE @left_softmax K=7: 3x7xT=random:1 3xi32=random:2:1:7 -> 3x7xT
// CASE @left_softmax K=9003: 3x9003xT=random:3 3xi32=random:4:1:9003 -> 3x9003xT
// CASE @left_softmax K=70001: 3x70001xT=random:5 3xi32=random:6:1:70001 -> 3x70001xT
tile.kernel @left_softmax(%x: !X, %length: !I) outs(%y: !X) params {C = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %none = arith.constant 0xFF800000 : f32
  %nones = tile.splat %none [1, C] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!T>
  %lt = tile.load %length[%m] [1] : !I -> tensor<1xi32>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %columns = tile.iota [C] : tensor<?xi32>
  %ends = tile.broadcast %lt [C] : tensor<1xi32> -> tensor<?xi32>
  %left = arith.cmpi slt, %columns, %ends : tensor<?xi32>
  %mask = tile.expand_dims %left, 0 : tensor<?xi1> -> tensor<1x?xi1>
  %s = arith.select %mask, %xf, %nones : tensor<1x?xi1>, tensor<1x?xf32>
  %max = tile.reduce max %s axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %maxs = tile.broadcast %max [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %d = arith.subf %s, %maxs : tensor<1x?xf32>
  %e = math.exp %d : tensor<1x?xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %sums = tile.broadcast %sum [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %r = arith.divf %e, %sums : tensor<1x?xf32>
  %rt = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!T>
  tile.store %rt, %y[%m, %c0] : tensor<1x?x!T>, !X
}
