
!X = !tile.view<?x?xbf16>
!Y = !tile.view<?xf32>
tile.kernel @colsum(%x: !X) outs(%y: !Y) params {BM = 32 in [8, 32, 128], BN = 128 in [32, 128, 256]} grid [ceildiv(dim(%x, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %z = tile.splat %zero [BN] : f32 -> tensor<?xf32>
  %steps = tile.num_tiles %x, 0 by [BM] : !X
  %s = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %z) -> (tensor<?xf32>) {
    %t = tile.load %x[%i, %n] [BM, BN] : !X -> tensor<?x?xbf16>
    %f = tile.cast %t : tensor<?x?xbf16> to tensor<?x?xf32>
    %r = tile.reduce add %f axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %q = arith.addf %a, %r : tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  tile.store %s, %y[%n] : tensor<?xf32>, !Y
}
