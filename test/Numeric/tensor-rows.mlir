// Rows of tensors of three and four axes, with a block for each. On GPUs they become rows of a matrix.
// TYPES: f32 f16
!X = !tile.view<?x?x?x!T>
!Y = !tile.view<?x?x?x?x!T>
!F = !tile.view<?xf32>
!M = !tile.view<?x?xf32>

// y = exp(x·gain − most)/Σ, and the sum of each row.
// CASE @softmax K=5: 3x4x5xT=random:1 5xf32=random:2 -> 3x4x5xT 3x4xf32
// CASE @softmax K=1001: 2x3x1001xT=random:3 1001xf32=random:4 -> 2x3x1001xT 2x3xf32
// CASE @softmax K=20001: 2x2x20001xT=random:5 20001xf32=random:6 -> 2x2x20001xT 2x2xf32
tile.kernel @softmax(%x: !X, %g: !F) outs(%y: !X, %s: !M) params {K = dim(%x, 2)} grid [dim(%x, 1), dim(%x, 0)] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 1, K] : !X -> tensor<1x1x?x!T>
  %xf = tile.cast %xt : tensor<1x1x?x!T> to tensor<1x1x?xf32>
  %gt = tile.load %g[%c0] [K] : !F -> tensor<?xf32>
  %gs = tile.broadcast %gt [1, 1, K] : tensor<?xf32> -> tensor<1x1x?xf32>
  %z = arith.mulf %xf, %gs : tensor<1x1x?xf32>
  %most = tile.reduce max %z axis 2 keepdims : tensor<1x1x?xf32> -> tensor<1x1x1xf32>
  %mosts = tile.broadcast %most [1, 1, K] : tensor<1x1x1xf32> -> tensor<1x1x?xf32>
  %d = arith.subf %z, %mosts : tensor<1x1x?xf32>
  %e = math.exp %d : tensor<1x1x?xf32>
  %sum = tile.reduce add %e axis 2 keepdims : tensor<1x1x?xf32> -> tensor<1x1x1xf32>
  %sums = tile.broadcast %sum [1, 1, K] : tensor<1x1x1xf32> -> tensor<1x1x?xf32>
  %q = arith.divf %e, %sums : tensor<1x1x?xf32>
  %out = tile.cast %q : tensor<1x1x?xf32> to tensor<1x1x?x!T>
  tile.store %out, %y[%b, %t, %c0] : tensor<1x1x?x!T>, !X
  %flat = tile.reshape %sum [1, 1] : tensor<1x1x1xf32> -> tensor<1x1xf32>
  tile.store %flat, %s[%b, %t] : tensor<1x1xf32>, !M
}

// The sum of each row and of a mask of its batch, in blocks of two rows.
// CASE @masked K=7: 3x4x7xT=random:1 3x7xf32=random:2 -> 3x4xf32
// CASE @masked K=333: 2x6x333xT=random:3 2x333xf32=random:4 -> 2x6xf32
tile.kernel @masked(%x: !X, %m: !M) outs(%y: !M) params {K = dim(%x, 2)} grid [ceildiv(dim(%x, 1), 2), dim(%x, 0)] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 2, K] : !X -> tensor<1x2x?x!T>
  %xf = tile.cast %xt : tensor<1x2x?x!T> to tensor<1x2x?xf32>
  %mt = tile.load %m[%b, %c0] [1, K] : !M -> tensor<1x?xf32>
  %ms = tile.reshape %mt [1, 1, K] : tensor<1x?xf32> -> tensor<1x1x?xf32>
  %mb = tile.broadcast %ms [1, 2, K] : tensor<1x1x?xf32> -> tensor<1x2x?xf32>
  %z = arith.mulf %xf, %mb : tensor<1x2x?xf32>
  %sum = tile.reduce add %z axis 2 : tensor<1x2x?xf32> -> tensor<1x2xf32>
  tile.store %sum, %y[%b, %t] : tensor<1x2xf32>, !M
}

// The differences from the mean of an image, and its largest element.
// CASE @image: 2x3x3x5xT=random:1 -> 2x3x3x5xT 2x3xf32
// CASE @image: 2x3x17x31xT=random:2 -> 2x3x17x31xT 2x3xf32
// CASE @image: 1x2x129x127xT=random:3 -> 1x2x129x127xT 1x2xf32
tile.kernel @image(%x: !Y) outs(%y: !Y, %m: !M) params {H = dim(%x, 2), W = dim(%x, 3)} grid [dim(%x, 1), dim(%x, 0)] {
  %c = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %h = tile.param H
  %w = tile.param W
  %hw = arith.muli %h, %w : index
  %hwi = arith.index_cast %hw : index to i32
  %hwf = arith.sitofp %hwi : i32 to f32
  %counts = tile.splat %hwf [1, 1, 1, 1] : f32 -> tensor<1x1x1x1xf32>
  %xt = tile.load %x[%n, %c, %c0, %c0] [1, 1, H, W] : !Y -> tensor<1x1x?x?x!T>
  %xf = tile.cast %xt : tensor<1x1x?x?x!T> to tensor<1x1x?x?xf32>
  %s0 = tile.reduce add %xf axis 3 keepdims : tensor<1x1x?x?xf32> -> tensor<1x1x?x1xf32>
  %s1 = tile.reduce add %s0 axis 2 keepdims : tensor<1x1x?x1xf32> -> tensor<1x1x1x1xf32>
  %mean = arith.divf %s1, %counts : tensor<1x1x1x1xf32>
  %means = tile.broadcast %mean [1, 1, H, W] : tensor<1x1x1x1xf32> -> tensor<1x1x?x?xf32>
  %d = arith.subf %xf, %means : tensor<1x1x?x?xf32>
  %out = tile.cast %d : tensor<1x1x?x?xf32> to tensor<1x1x?x?x!T>
  tile.store %out, %y[%n, %c, %c0, %c0] : tensor<1x1x?x?x!T>, !Y
  %m0 = tile.reduce max %xf axis 2 : tensor<1x1x?x?xf32> -> tensor<1x1x?xf32>
  %m1 = tile.reduce max %m0 axis 2 : tensor<1x1x?xf32> -> tensor<1x1xf32>
  tile.store %m1, %m[%n, %c] : tensor<1x1xf32>, !M
}

// Group norm: (x − mean)/√(variance + 1)·gain + bias for groups of four channels.
// CASE @groups: 2x8x5xT=random:1 8xf32=random:2 8xf32=random:3 -> 2x8x5xT
// CASE @groups: 2x8x1001xT=random:4 8xf32=random:5 8xf32=random:6 -> 2x8x1001xT
// CASE @groups: 1x8x4096xT=random:7 8xf32=random:8 8xf32=random:9 -> 1x8x4096xT
tile.kernel @groups(%x: !X, %g: !F, %b: !F) outs(%y: !X) params {S = dim(%x, 2)} grid [ceildiv(dim(%x, 1), 4), dim(%x, 0)] {
  %c = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %s = tile.param S
  %si = arith.index_cast %s : index to i32
  %sf = arith.sitofp %si : i32 to f32
  %four = arith.constant 4.0 : f32
  %one = arith.constant dense<1.0> : tensor<1x1x1xf32>
  %sf4 = arith.mulf %sf, %four : f32
  %counts = tile.splat %sf4 [1, 1, 1] : f32 -> tensor<1x1x1xf32>
  %xt = tile.load %x[%n, %c, %c0] [1, 4, S] : !X -> tensor<1x4x?x!T>
  %xf = tile.cast %xt : tensor<1x4x?x!T> to tensor<1x4x?xf32>
  %s0 = tile.reduce add %xf axis 2 keepdims : tensor<1x4x?xf32> -> tensor<1x4x1xf32>
  %s1 = tile.reduce add %s0 axis 1 keepdims : tensor<1x4x1xf32> -> tensor<1x1x1xf32>
  %mean = arith.divf %s1, %counts : tensor<1x1x1xf32>
  %means = tile.broadcast %mean [1, 4, S] : tensor<1x1x1xf32> -> tensor<1x4x?xf32>
  %d = arith.subf %xf, %means : tensor<1x4x?xf32>
  %d2 = arith.mulf %d, %d : tensor<1x4x?xf32>
  %q0 = tile.reduce add %d2 axis 2 keepdims : tensor<1x4x?xf32> -> tensor<1x4x1xf32>
  %q1 = tile.reduce add %q0 axis 1 keepdims : tensor<1x4x1xf32> -> tensor<1x1x1xf32>
  %variance = arith.divf %q1, %counts : tensor<1x1x1xf32>
  %v1 = arith.addf %variance, %one : tensor<1x1x1xf32>
  %r = math.rsqrt %v1 : tensor<1x1x1xf32>
  %rs = tile.broadcast %r [1, 4, 1] : tensor<1x1x1xf32> -> tensor<1x4x1xf32>
  %gt = tile.load %g[%c] [4] : !F -> tensor<4xf32>
  %gr = tile.reshape %gt [1, 4, 1] : tensor<4xf32> -> tensor<1x4x1xf32>
  %gain = arith.mulf %gr, %rs : tensor<1x4x1xf32>
  %gains = tile.broadcast %gain [1, 4, S] : tensor<1x4x1xf32> -> tensor<1x4x?xf32>
  %bt = tile.load %b[%c] [4] : !F -> tensor<4xf32>
  %br = tile.reshape %bt [1, 4, 1] : tensor<4xf32> -> tensor<1x4x1xf32>
  %bs = tile.broadcast %br [1, 4, S] : tensor<1x4x1xf32> -> tensor<1x4x?xf32>
  %dg = arith.mulf %d, %gains : tensor<1x4x?xf32>
  %o = arith.addf %dg, %bs : tensor<1x4x?xf32>
  %out = tile.cast %o : tensor<1x4x?xf32> to tensor<1x4x?x!T>
  tile.store %out, %y[%n, %c, %c0] : tensor<1x4x?x!T>, !X
}
