
!X = !tile.view<?x?xbf16>
tile.kernel @qkvsplit(%x: !X, %w: !X) outs(%q: !X, %k: !X) params {BM = 64 in [16, 32, 64, 128], BN = 64 in [32, 64, 128], BK = 64 in [32, 64]}
    grid [ceildiv(dim(%x, 0), BM), ceildiv(dim(%w, 0), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %kk = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %xt = tile.load %x[%m, %kk] [BM, BK] : !X -> tensor<?x?xbf16>
    %wt = tile.load %w[%n, %kk] [BN, BK] : !X -> tensor<?x?xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  %half = tile.num_tiles %q, 1 by [BN] : !X
  %is = arith.cmpi ult, %n, %half : index
  scf.if %is {
    tile.store %out, %q[%m, %n] : tensor<?x?xbf16>, !X
  } else {
    %n2 = arith.subi %n, %half : index
    tile.store %out, %k[%m, %n2] : tensor<?x?xbf16>, !X
  }
}
