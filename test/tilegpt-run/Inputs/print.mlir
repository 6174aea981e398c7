!V = !tile.view<?xf32>
tile.kernel @watch(%x: !V, %n: i8) outs(%y: !V) grid [ceildiv(dim(%y, 0), 2)] {
  %i = tile.block_id 0
  tile.print "block %d of 100%%: n = %d = %u = 0x%X\0A", %i, %n, %n, %n : index, i8, i8, i8
  %t = tile.load %x[%i] [2] : !V -> tensor<2xf32>
  %r = tile.reshape %t [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
  %o = tile.iota [2] : tensor<2xi64>
  %p = tile.reshape %o [2, 1] : tensor<2xi64> -> tensor<2x1xi64>
  tile.print "%+7.2f and %d in %d\0A", %r, %p, %i : tensor<2x1xf32>, tensor<2x1xi64>, index
  tile.store %t, %y[%i] : tensor<2xf32>, !V
}
