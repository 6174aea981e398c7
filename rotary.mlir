
!X = !tile.view<?x?x?xbf16>
!P = !tile.view<?xi32>
tile.kernel @rotary(%x: !X, %pos: !P) outs(%y: !X) params {BM = 4 in [1, 2, 4, 8], D = dim(%x, 2), HALF = floordiv(dim(%x, 2), 2)} grid [ceildiv(dim(%x, 0), BM), dim(%x, 1)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.load %x[%m, %h, %c0] [BM, 1, HALF] : !X -> tensor<?x1x?xbf16>
  %b = tile.load %x[%m, %h, %c1] [BM, 1, HALF] : !X -> tensor<?x1x?xbf16>
  %a2 = tile.reshape %a [BM, HALF] : tensor<?x1x?xbf16> -> tensor<?x?xbf16>
  %b2 = tile.reshape %b [BM, HALF] : tensor<?x1x?xbf16> -> tensor<?x?xbf16>
  %af = tile.cast %a2 : tensor<?x?xbf16> to tensor<?x?xf32>
  %bf = tile.cast %b2 : tensor<?x?xbf16> to tensor<?x?xf32>
  %p = tile.load %pos[%m] [BM] : !P -> tensor<?xi32>
  %pf = arith.sitofp %p : tensor<?xi32> to tensor<?xf32>
  %pc = tile.expand_dims %pf, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %pb = tile.broadcast %pc [BM, HALF] : tensor<?x1xf32> -> tensor<?x?xf32>
  %i = tile.iota [HALF] : tensor<?xi32>
  %if = arith.sitofp %i : tensor<?xi32> to tensor<?xf32>
  %half = tile.param HALF
  %hi = arith.index_cast %half : index to i32
  %hf = arith.sitofp %hi : i32 to f32
  %k = arith.constant -13.28771238 : f32
  %ks = arith.divf %k, %hf : f32
  %kt = tile.splat %ks [HALF] : f32 -> tensor<?xf32>
  %ex = arith.mulf %if, %kt : tensor<?xf32>
  %fr = math.exp2 %ex : tensor<?xf32>
  %fb = tile.broadcast %fr [BM, HALF] : tensor<?xf32> -> tensor<?x?xf32>
  %ang = arith.mulf %pb, %fb : tensor<?x?xf32>
  %co = math.cos %ang : tensor<?x?xf32>
  %si = math.sin %ang : tensor<?x?xf32>
  %ac = arith.mulf %af, %co : tensor<?x?xf32>
  %bs = arith.mulf %bf, %si : tensor<?x?xf32>
  %as = arith.mulf %af, %si : tensor<?x?xf32>
  %bc = arith.mulf %bf, %co : tensor<?x?xf32>
  %r1 = arith.subf %ac, %bs : tensor<?x?xf32>
  %r2 = arith.addf %as, %bc : tensor<?x?xf32>
  %o1 = tile.cast %r1 : tensor<?x?xf32> to tensor<?x?xbf16>
  %o2 = tile.cast %r2 : tensor<?x?xf32> to tensor<?x?xbf16>
  %s1 = tile.reshape %o1 [BM, 1, HALF] : tensor<?x?xbf16> -> tensor<?x1x?xbf16>
  %s2 = tile.reshape %o2 [BM, 1, HALF] : tensor<?x?xbf16> -> tensor<?x1x?xbf16>
  tile.store %s1, %y[%m, %h, %c0] : tensor<?x1x?xbf16>, !X
  tile.store %s2, %y[%m, %h, %c1] : tensor<?x1x?xbf16>, !X
}
