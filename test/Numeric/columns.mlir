// Reductions along the columns of a matrix, as users write them: a block computes some columns in a loop over tiles of rows.
// On GPUs several blocks split such a loop.
// TYPES: f32 bf16
!X = !tile.view<?x?x!T>
!F = !tile.view<?xf32>

// y = Σ x over the rows; the loop adds the sums of tiles.
// CASE @column_sum BM=8 BN=32 K=1: 1x1xT=random:1 -> 1xf32
// CASE @column_sum BM=8 BN=32 K=700: 700x5xT=random:1 -> 5xf32
// CASE @column_sum BM=32 BN=64 K=4097: 4097x100xT=random:2 -> 100xf32
// CASE @column_sum BM=64 BN=128 K=3000: 3000x333xT=random:3 -> 333xf32
// CASE @column_sum BM=8 BN=32 K=70001: 70001x1xT=random:4 -> 1xf32
// CASE @column_sum BM=32 BN=64 K=9999: 9999x66xT=random:5 -> 66xf32
// CASE @column_sum BM=32 BN=64 K=517: 517x1111xT=random:6 -> 1111xf32
// CASE @column_sum BM=8 BN=128 K=40: 40x2506xT=random:7 -> 2506xf32
tile.kernel @column_sum(%x: !X) outs(%y: !F)
    params {BM = 32 in [8, 32, 64], BN = 64 in [32, 64, 128]} grid [ceildiv(dim(%y, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zs = tile.splat %z [BN] : f32 -> tensor<?xf32>
  %t = tile.num_tiles %x, 0 by [BM] : !X
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%a = %zs) -> (tensor<?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!T>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %s = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %b = arith.addf %a, %s : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  tile.store %r, %y[%n] : tensor<?xf32>, !F
}

// The greatest of each column and 0.25, and the sum of all in another result.
// CASE @column_extremes BM=8 BN=32 K=700: 700x5xT=random:1 -> 5xf32 5xf32
// CASE @column_extremes BM=32 BN=64 K=4097: 4097x100xT=random:2 -> 100xf32 100xf32
// CASE @column_extremes BM=8 BN=32 K=70001: 70001x1xT=random:3 -> 1xf32 1xf32
// CASE @column_extremes BM=64 BN=128 K=5000: 5000x129xT=random:4 -> 129xf32 129xf32
tile.kernel @column_extremes(%x: !X) outs(%m: !F, %s: !F)
    params {BM = 32 in [8, 32, 64], BN = 64 in [32, 64, 128]} grid [ceildiv(dim(%m, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.constant 0.25 : f32
  %z = arith.constant 0.0 : f32
  %qs = tile.splat %q [BN] : f32 -> tensor<?xf32>
  %zs = tile.splat %z [BM, BN] : f32 -> tensor<?x?xf32>
  %t = tile.num_tiles %x, 0 by [BM] : !X
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%a = %qs, %b = %zs) -> (tensor<?xf32>, tensor<?x?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!T>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %g = tile.reduce max %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %c = arith.maximumf %a, %g : tensor<?xf32>
    %d = arith.addf %xf, %b : tensor<?x?xf32>
    scf.yield %c, %d : tensor<?xf32>, tensor<?x?xf32>
  }
  %sum = tile.reduce add %r#1 axis 0 : tensor<?x?xf32> -> tensor<?xf32>
  tile.store %r#0, %m[%n] : tensor<?xf32>, !F
  tile.store %sum, %s[%n] : tensor<?xf32>, !F
}

// Mean and variance of each channel of x [B, N, C], a block some channels of a batch: what is behind the loop reads the
// numbers that all blocks have.
!B = !tile.view<?x?x?x!T>
!M = !tile.view<?x?xf32>
// CASE @channel_statistics BM=8 BN=32: 2x700x40xT=random:1 -> 2x40xf32 2x40xf32
// CASE @channel_statistics BM=32 BN=32: 3x999x33xT=random:2 -> 3x33xf32 3x33xf32
tile.kernel @channel_statistics(%x: !B) outs(%mean: !M, %var: !M)
    params {BM = 32 in [8, 32, 64], BN = 32 in [32, 64], R = dim(%x, 1)}
    grid [ceildiv(dim(%mean, 1), BN), dim(%mean, 0)] {
  %n = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zs = tile.splat %z [BN] : f32 -> tensor<?xf32>
  %c = tile.param R
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %cs = tile.splat %cf [BN] : f32 -> tensor<?xf32>
  %xb = tile.select %x[%b] : !B -> !X
  %t = tile.num_tiles %xb, 0 by [BM] : !X
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%a = %zs, %d = %zs) -> (tensor<?xf32>, tensor<?xf32>) {
    %xt = tile.load %xb[%i, %n] [BM, BN] : !X -> tensor<?x?x!T>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
    %s = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %s2 = tile.reduce add %x2 axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %an = arith.addf %a, %s : tensor<?xf32>
    %dn = arith.addf %d, %s2 : tensor<?xf32>
    scf.yield %an, %dn : tensor<?xf32>, tensor<?xf32>
  }
  %m = arith.divf %r#0, %cs : tensor<?xf32>
  %m2 = arith.divf %r#1, %cs : tensor<?xf32>
  %mm = arith.mulf %m, %m : tensor<?xf32>
  %v = arith.subf %m2, %mm : tensor<?xf32>
  %mrow = tile.select %mean[%b] : !M -> !F
  %vrow = tile.select %var[%b] : !M -> !F
  tile.store %m, %mrow[%n] : tensor<?xf32>, !F
  tile.store %v, %vrow[%n] : tensor<?xf32>, !F
}

// Whole columns and rows as tiles that do not fit into the registers of a block: GPUs process them in pieces.
// CASE @whole_columns BN=8 K=3001: 3001x13xT=random:1 -> 13xf32 13xf32
// CASE @whole_columns BN=32 K=700: 700x77xT=random:2 -> 77xf32 77xf32
tile.kernel @whole_columns(%x: !X) outs(%s: !F, %m: !F) params {BN = 8 in [8, 32], R = dim(%x, 0)}
    grid [ceildiv(dim(%s, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %n] [R, BN] : !X -> tensor<?x?x!T>
  %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
  %sum = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
  %least = tile.reduce min %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
  %both = arith.mulf %sum, %least : tensor<?xf32>
  tile.store %both, %s[%n] : tensor<?xf32>, !F
  tile.store %least, %m[%n] : tensor<?xf32>, !F
}

// The product of 1 + x/C over each row, and its maximum together with the number of a later column that is positive.
// CASE @whole_rows K=9001: 3x9001xT=random:1 -> 3xf32 3xi32
// CASE @whole_rows K=16384: 2x16384xT=random:2 -> 2xf32 2xi32
tile.kernel @whole_rows(%x: !X) outs(%p: !F, %last: !tile.view<?xi32>) params {C = dim(%x, 1)} grid [dim(%p, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c = tile.param C
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %cs = tile.splat %cf [1, C] : f32 -> tensor<1x?xf32>
  %one = arith.constant 1.0 : f32
  %ones = tile.splat %one [1, C] : f32 -> tensor<1x?xf32>
  %none = arith.constant -1 : i32
  %nones = tile.splat %none [1, C] : i32 -> tensor<1x?xi32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [1, C] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!T>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %q = arith.divf %xf, %cs : tensor<1x?xf32>
  %f = arith.addf %ones, %q : tensor<1x?xf32>
  %prod = tile.reduce mul %f axis 1 : tensor<1x?xf32> -> tensor<1xf32>
  tile.store %prod, %p[%m] : tensor<1xf32>, !F
  %i = tile.iota [C] : tensor<?xi32>
  %is = tile.broadcast %i [1, C] : tensor<?xi32> -> tensor<1x?xi32>
  %g = arith.cmpf ogt, %xf, %zeros : tensor<1x?xf32>
  %w = arith.select %g, %is, %nones : tensor<1x?xi1>, tensor<1x?xi32>
  %l = tile.reduce max %w axis 1 : tensor<1x?xi32> -> tensor<1xi32>
  tile.store %l, %last[%m] : tensor<1xi32>, !tile.view<?xi32>
}

// Cumulative maxima and sums of long rows.
// CASE @long_scans K=33001: 2x33001xT=random:1 -> 2x33001xf32 2x33001xT
// CASE @long_scans K=40960: 1x40960xT=random:2 -> 1x40960xf32 1x40960xT
// CASE @long_scans K=140003: 3x140003xT=random:3 -> 3x140003xf32 3x140003xT
tile.kernel @long_scans(%x: !X) outs(%s: !tile.view<?x?xf32>, %m: !X) params {C = dim(%x, 1)} grid [dim(%s, 0)] {
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%r, %c0] [1, C] : !X -> tensor<1x?x!T>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %sum = tile.scan add %xf axis 1 exclusive : tensor<1x?xf32>
  %max = tile.scan max %xt axis 1 : tensor<1x?x!T>
  tile.store %sum, %s[%r, %c0] : tensor<1x?xf32>, !tile.view<?x?xf32>
  tile.store %max, %m[%r, %c0] : tensor<1x?x!T>, !X
}

// The sums times the number of blocks.
// CASE @counted_sum BM=32 BN=64 K=4097: 4097x100xT=random:2 -> 100xf32
tile.kernel @counted_sum(%x: !X) outs(%y: !F)
    params {BM = 32 in [8, 32, 64], BN = 64} grid [ceildiv(dim(%y, 0), BN)] {
  %n = tile.block_id 0
  %blocks = tile.num_blocks 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zs = tile.splat %z [BN] : f32 -> tensor<?xf32>
  %t = tile.num_tiles %x, 0 by [BM] : !X
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%a = %zs) -> (tensor<?xf32>) {
    %xt = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?x!T>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %s = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %b = arith.addf %a, %s : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  %count = arith.index_cast %blocks : index to i32
  %f = arith.sitofp %count : i32 to f32
  %fs = tile.splat %f [BN] : f32 -> tensor<?xf32>
  %m = arith.mulf %r, %fs : tensor<?xf32>
  tile.store %m, %y[%n] : tensor<?xf32>, !F
}

// Mean square and sum of each channel of a batch of images, in a loop over images around one over pieces of each. The second
// inner sum starts anew in every image.
// CASE @image_statistics BS=256 K=7000: 8x3x875xT=random:1 -> 3xf32 3xf32
// CASE @image_statistics BS=1024 K=9000: 3x2x3000xT=random:2 -> 2xf32 2xf32
// CASE @image_statistics BS=256 K=70: 1x5x70xT=random:3 -> 5xf32 5xf32
// CASE @image_statistics BS=1024 K=40000: 5x1x8000xT=random:4 -> 1xf32 1xf32
!I = !tile.view<?x?x?x!T>
tile.kernel @image_statistics(%x: !I) outs(%q: !F, %s: !F)
    params {BS = 256 in [256, 1024], N = dim(%x, 0), S = dim(%x, 2)} grid [dim(%s, 0)] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %n = tile.dim %x, 0 : !I
  %t = tile.num_tiles %x, 2 by [BS] : !I
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z) -> (tensor<1xf32>, tensor<1xf32>) {
    %o:2 = scf.for %j = %c0 to %t step %c1 iter_args(%d = %a, %e = %z) -> (tensor<1xf32>, tensor<1xf32>) {
      %xt = tile.load %x[%i, %c, %j] [1, 1, BS] : !I -> tensor<1x1x?x!T>
      %xr = tile.reshape %xt [1, BS] : tensor<1x1x?x!T> -> tensor<1x?x!T>
      %xf = tile.cast %xr : tensor<1x?x!T> to tensor<1x?xf32>
      %xx = arith.mulf %xf, %xf : tensor<1x?xf32>
      %sq = tile.reduce add %xx axis 1 : tensor<1x?xf32> -> tensor<1xf32>
      %sum = tile.reduce add %xf axis 1 : tensor<1x?xf32> -> tensor<1xf32>
      %da = arith.addf %d, %sq : tensor<1xf32>
      %ea = arith.addf %e, %sum : tensor<1xf32>
      scf.yield %da, %ea : tensor<1xf32>, tensor<1xf32>
    }
    %all = arith.addf %b, %o#1 : tensor<1xf32>
    scf.yield %o#0, %all : tensor<1xf32>, tensor<1xf32>
  }
  %np = tile.param N
  %sp = tile.param S
  %ns = arith.muli %np, %sp : index
  %ci = arith.index_cast %ns : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %cs = tile.splat %cf [1] : f32 -> tensor<1xf32>
  %mean = arith.divf %r#0, %cs : tensor<1xf32>
  tile.store %mean, %q[%c] : tensor<1xf32>, !F
  tile.store %r#1, %s[%c] : tensor<1xf32>, !F
}
