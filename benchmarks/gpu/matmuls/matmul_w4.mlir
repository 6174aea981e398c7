// Product with 4-bit weights, eight per word, with a scale and a zero point for every 128 of K: y = x·((w - z)·s)ᵀ.
//   x [M, K], w [N, K / 8], s, z [N, K / 128] → y [M, N]; a block computes BM × BN of y.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?xi32>
tile.kernel @matmul_w4(%x: !X, %w: !W, %s: !X, %z: !X) outs(%y: !X)
    params {BM = 128 in [16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168,
                        176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BN = 96 in [8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144,
                        152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],  X: type = bf16 in [bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %fifteen = arith.constant 15 : i32
  %numbers = tile.iota [8] : tensor<8xi32>
  %four = arith.constant dense<4> : tensor<8xi32>
  %bits = arith.muli %numbers, %four : tensor<8xi32>
  %steps = tile.num_tiles %x, 1 by [128] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %words = tile.load %w[%n, %k] [BN, 16] : !W -> tensor<?x16xi32>
    %column = tile.expand_dims %words, 2 : tensor<?x16xi32> -> tensor<?x16x1xi32>
    %eight = tile.broadcast %column [BN, 16, 8] : tensor<?x16x1xi32> -> tensor<?x16x8xi32>
    %shifts = tile.broadcast %bits [BN, 16, 8] : tensor<8xi32> -> tensor<?x16x8xi32>
    %shifted = arith.shrui %eight, %shifts : tensor<?x16x8xi32>
    %masks = tile.splat %fifteen [BN, 16, 8] : i32 -> tensor<?x16x8xi32>
    %parts = arith.andi %shifted, %masks : tensor<?x16x8xi32>
    %joined = tile.reshape %parts [BN, 128] : tensor<?x16x8xi32> -> tensor<?x128xi32>
    %q = arith.sitofp %joined : tensor<?x128xi32> to tensor<?x128xf32>
    %zt = tile.load %z[%n, %k] [BN, 1] : !X -> tensor<?x1x!tile.elt<X>>
    %zf = tile.cast %zt : tensor<?x1x!tile.elt<X>> to tensor<?x1xf32>
    %zs = tile.broadcast %zf [BN, 128] : tensor<?x1xf32> -> tensor<?x128xf32>
    %centred = arith.subf %q, %zs : tensor<?x128xf32>
    %st = tile.load %s[%n, %k] [BN, 1] : !X -> tensor<?x1x!tile.elt<X>>
    %sf = tile.cast %st : tensor<?x1x!tile.elt<X>> to tensor<?x1xf32>
    %ss = tile.broadcast %sf [BN, 128] : tensor<?x1xf32> -> tensor<?x128xf32>
    %scaled = arith.mulf %centred, %ss : tensor<?x128xf32>
    %wt = tile.cast %scaled : tensor<?x128xf32> to tensor<?x128x!tile.elt<X>>
    %xt = tile.load %x[%m, %k] [BM, 128] : !X -> tensor<?x128x!tile.elt<X>>
    %next = tile.dot %xt, %wt, %acc transpose_b
        : tensor<?x128x!tile.elt<X>>, tensor<?x128x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
