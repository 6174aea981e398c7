// Few rows that are too long for a block. On GPUs several blocks share each of them, in a cluster or through memory; one of
// them stores and updates what all of them compute.
// TYPES: f32 bf16
!X = !tile.view<?x?x!T>
!F = !tile.view<?xf32>

// y = (x − mean)/√(variance + 1)·gain, and the mean of each row.
// CASE @norm K=30001: 3x30001xT=random:1 30001xf32=random:2 -> 3x30001xT 3xf32
// CASE @norm K=65536: 2x65536xT=random:3 65536xf32=random:4 -> 2x65536xT 2xf32
// CASE @norm K=90002: 1x90002xT=random:5 90002xf32=random:6 -> 1x90002xT 1xf32
tile.kernel @norm(%x: !X, %g: !F) outs(%y: !X, %means: !F) params {K = dim(%x, 1)} grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %k = tile.dim %x, 1 : !X
  %ki = arith.index_cast %k : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %one = arith.constant 1.0 : f32
  %xt = tile.load %x[%m, %c0] [1, K] : !X -> tensor<1x?x!T>
  %gain = tile.load %g[%c0] [K] : !F -> tensor<?xf32>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %ks = tile.splat %kf [1, 1] : f32 -> tensor<1x1xf32>
  %ones = tile.splat %one [1, 1] : f32 -> tensor<1x1xf32>
  %sum = tile.reduce add %xf axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %mean = arith.divf %sum, %ks : tensor<1x1xf32>
  %mb = tile.broadcast %mean [1, K] : tensor<1x1xf32> -> tensor<1x?xf32>
  %d = arith.subf %xf, %mb : tensor<1x?xf32>
  %d2 = arith.mulf %d, %d : tensor<1x?xf32>
  %squares = tile.reduce add %d2 axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %variance = arith.divf %squares, %ks : tensor<1x1xf32>
  %v1 = arith.addf %variance, %ones : tensor<1x1xf32>
  %scale = math.rsqrt %v1 : tensor<1x1xf32>
  %sb = tile.broadcast %scale [1, K] : tensor<1x1xf32> -> tensor<1x?xf32>
  %n = arith.mulf %d, %sb : tensor<1x?xf32>
  %gb = tile.broadcast %gain [1, K] : tensor<?xf32> -> tensor<1x?xf32>
  %r = arith.mulf %n, %gb : tensor<1x?xf32>
  %out = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!T>
  tile.store %out, %y[%m, %c0] : tensor<1x?x!T>, !X
  %flat = tile.reshape %mean [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %flat, %means[%m] : tensor<1xf32>, !F
}

// The place of the greatest element of each row, and the logarithm of the sum of exponentials.
// CASE @place K=30001: 3x30001xT=random:1 -> 3xi32 3xf32
// CASE @place K=199999: 2x199999xT=random:2 -> 2xi32 2xf32
tile.kernel @place(%x: !X) outs(%p: !tile.view<?xi32>, %l: !F) params {K = dim(%x, 1)} grid [dim(%p, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [1, K] : !X -> tensor<1x?x!T>
  %xf = tile.cast %xt : tensor<1x?x!T> to tensor<1x?xf32>
  %at = tile.reduce argmax %xf axis 1 : tensor<1x?xf32> -> tensor<1xi32>
  tile.store %at, %p[%m] : tensor<1xi32>, !tile.view<?xi32>
  %h = tile.reduce max %xf axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %hb = tile.broadcast %h [1, K] : tensor<1x1xf32> -> tensor<1x?xf32>
  %d = arith.subf %xf, %hb : tensor<1x?xf32>
  %e = math.exp %d : tensor<1x?xf32>
  %s = tile.reduce add %e axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %log = math.log %s : tensor<1x1xf32>
  %all = arith.addf %h, %log : tensor<1x1xf32>
  %flat = tile.reshape %all [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %flat, %l[%m] : tensor<1xf32>, !F
}

// Σ x over all rows of 40000 columns, which blocks add up. The view follows the number of the row.
// CASE @total grid=3: 3x40000xT=1 out0 i32=3 -> 1xf32=120000|0
// CASE @total grid=2: 2x40000xT=-2 out0 i32=2 -> 1xf32=-159999|1
tile.kernel @total(%p: !tile.ptr<!T>, %y: !tile.ptr<f32>, %rows: i32) grid launch {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %n = arith.index_cast %rows : i32 to index
  %aligned = tile.assume %p div_by 16 : !tile.ptr<!T>
  %x = tile.view_at %aligned sizes [%n, 40000] : !tile.ptr<!T> -> !tile.view<?x40000x!T>
  %xt = tile.load %x[%m, %c0] [1, 40000] : !tile.view<?x40000x!T> -> tensor<1x40000x!T>
  %xf = tile.cast %xt : tensor<1x40000x!T> to tensor<1x40000xf32>
  %s = tile.reduce add %xf axis 1 : tensor<1x40000xf32> -> tensor<1xf32>
  %z = arith.constant dense<0> : tensor<1xi32>
  %old = tile.atomic_rmw add %y[%z], %s : !tile.ptr<f32>, tensor<1xi32>, tensor<1xf32>
}
