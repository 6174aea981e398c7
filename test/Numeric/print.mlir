// Kernels with prints compute the same; test/tools/tilegpt-run/print.test checks the output.
// TYPES: i1 i8 i16 i32 i64
!V = !tile.view<?x!T>
!X = tensor<4x!T>

// CASE @watch: 6xT=1,0,1,1,0,1 -> 6xT=1,0,1,1,0,1
tile.kernel @watch(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  tile.print "block %d\0A", %i : index
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.iota [4] : tensor<4xi32>
  tile.print "%d of %2u in %d\0A", %1, %0, %i : tensor<4xi32>, !X, index
  tile.store %0, %y[%i] : !X, !V
}
