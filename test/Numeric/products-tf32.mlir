// Products in tf32 whose operands are contiguous across K: threads round and transpose them.
// TYPES: f32
!V = !tile.view<?x?x!T>

// Few tiles with a large K, which blocks of the grid split. 1.0004 is rounded to 1.
// CASE @deep K=8200: 8200x20xT=0.5 8200x68xT=1.0004 -> 20x68xT=4100
tile.kernel @deep(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %steps = tile.num_tiles %a, 0 by [32] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%k, %m] [32, 64] : !V -> tensor<32x64xf32>
    %w = tile.load %b[%k, %n] [32, 64] : !V -> tensor<32x64xf32>
    %d = tile.dot %x, %w, %acc transpose_a precision(tf32) : tensor<32x64xf32>, tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf32>, !V
}
// The same where only the right operand is, which becomes the left one.
// CASE @deep_right K=8200: 20x8200xT=0.5 8200x68xT=1.0004 -> 20x68xT=4100
tile.kernel @deep_right(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %steps = tile.num_tiles %a, 1 by [32] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %x = tile.load %a[%m, %k] [32, 32] : !V -> tensor<32x32xf32>
    %w = tile.load %b[%k, %n] [32, 64] : !V -> tensor<32x64xf32>
    %d = tile.dot %x, %w, %acc precision(tf32) : tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<32x64xf32>, !V
}
