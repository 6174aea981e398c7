
!X = !tile.view<?x?xbf16>
!W = !tile.view<?xbf16>
tile.kernel @rms(%x: !X, %r: !X, %w: !W) outs(%y: !X, %s: !X) params {C = dim(%x, 1)} grid [dim(%x, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?xbf16>
  %rt = tile.load %r[%m, %c0] [1, C] : !X -> tensor<1x?xbf16>
  %wt = tile.load %w[%c0] [C] : !W -> tensor<?xbf16>
  %xf = tile.cast %xt : tensor<1x?xbf16> to tensor<1x?xf32>
  %rf = tile.cast %rt : tensor<1x?xbf16> to tensor<1x?xf32>
  %z = arith.addf %xf, %rf : tensor<1x?xf32>
  %zc = tile.cast %z : tensor<1x?xf32> to tensor<1x?xbf16>
  tile.store %zc, %s[%m, %c0] : tensor<1x?xbf16>, !X
  %sq = arith.mulf %z, %z : tensor<1x?xf32>
  %ss = tile.reduce add %sq axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %n = tile.dim %x, 1 : !X
  %ni = arith.index_cast %n : index to i32
  %nf = arith.sitofp %ni : i32 to f32
  %ns = tile.splat %nf [1, 1] : f32 -> tensor<1x1xf32>
  %mean = arith.divf %ss, %ns : tensor<1x1xf32>
  %eps = arith.constant 1.0e-6 : f32
  %es = tile.splat %eps [1, 1] : f32 -> tensor<1x1xf32>
  %me = arith.addf %mean, %es : tensor<1x1xf32>
  %rs = math.rsqrt %me : tensor<1x1xf32>
  %rb = tile.broadcast %rs [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %wf = tile.cast %wt : tensor<?xbf16> to tensor<?xf32>
  %wb = tile.broadcast %wf [1, C] : tensor<?xf32> -> tensor<1x?xf32>
  %q = arith.mulf %z, %rb : tensor<1x?xf32>
  %o = arith.mulf %q, %wb : tensor<1x?xf32>
  %oc = tile.cast %o : tensor<1x?xf32> to tensor<1x?xbf16>
  tile.store %oc, %y[%m, %c0] : tensor<1x?xbf16>, !X
}
