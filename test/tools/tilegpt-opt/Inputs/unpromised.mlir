// y = x·x for x of [m, m], rows `s` elements apart.
!V = !tile.view<?x?xbf16, strides=[?, 1]>
tile.kernel @square(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>, %m: i32, %s: i32) grid launch {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %rows = arith.index_cast %m : i32 to index
  %step = arith.index_cast %s : i32 to index
  %xs = tile.view_at %x sizes [%rows, %rows] strides [%step, 1] : !tile.ptr<bf16> -> !V
  %ys = tile.view_at %y sizes [%rows, %rows] strides [%step, 1] : !tile.ptr<bf16> -> !V
  %d = scf.for %k = %c0 to %rows step %c1 iter_args(%sum = %zero) -> tensor<64x64xf32> {
    %a = tile.load %xs[%i, %k] [64, 64] : !V -> tensor<64x64xbf16>
    %b = tile.load %xs[%k, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %next = tile.dot %a, %b, %sum : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %r = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %r, %ys[%i, %c0] : tensor<64x64xbf16>, !V
}
