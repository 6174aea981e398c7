
!X = !tile.view<?x?xbf16>
tile.kernel @silumul(%gu: !X) outs(%y: !X) params {BN = 256 in [64, 256, 1024]} grid [dim(%y, 0), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %rows = tile.dim %gu, 0 : !X
  %w = tile.dim %y, 1 : !X
  %g = tile.subview %gu[%c0, %c0] [%rows, %w] : !X -> !tile.view<?x?xbf16, strides=[?, 1]>
  %u = tile.subview %gu[%c0, %w] [%rows, %w] : !X -> !tile.view<?x?xbf16, strides=[?, 1]>
  %gt = tile.load %g[%m, %n] [1, BN] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<1x?xbf16>
  %ut = tile.load %u[%m, %n] [1, BN] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<1x?xbf16>
  %gf = tile.cast %gt : tensor<1x?xbf16> to tensor<1x?xf32>
  %uf = tile.cast %ut : tensor<1x?xbf16> to tensor<1x?xf32>
  %ng = arith.negf %gf : tensor<1x?xf32>
  %e = math.exp %ng : tensor<1x?xf32>
  %one = arith.constant 1.0 : f32
  %ones = tile.splat %one [1, BN] : f32 -> tensor<1x?xf32>
  %d = arith.addf %e, %ones : tensor<1x?xf32>
  %s = arith.divf %gf, %d : tensor<1x?xf32>
  %r = arith.mulf %s, %uf : tensor<1x?xf32>
  %c = tile.cast %r : tensor<1x?xf32> to tensor<1x?xbf16>
  tile.store %c, %y[%m, %n] : tensor<1x?xbf16>, !X
}
