// Elementwise ops on operands of which some are contiguous along another axis than the result.
// TYPES: f32 bf16 f64
!X = !tile.view<?x?x!T>
!Z = !tile.view<?x?x?x!T>

// CASE @add_transposed BM=64 BN=64: 200x130xT=random:1 130x200xT=random:2 -> 130x200xT
// CASE @add_transposed BM=64 BN=64: 128x64xT=random:1 64x128xT=random:2 -> 64x128xT
// CASE @add_transposed BM=32 BN=128: 1x77xT=random:3 77x1xT=random:4 -> 77x1xT
// CASE @add_transposed BM=8 BN=16: 33x3xT=random:5 3x33xT=random:6 -> 3x33xT
tile.kernel @add_transposed(%x: !X, %s: !X) outs(%y: !X) params {BM = 64 in [8, 32, 64], BN = 64 in [16, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%n, %m] [BN, BM] : !X -> tensor<?x?x!T>
  %xp = tile.permute %xt [1, 0] : tensor<?x?x!T> -> tensor<?x?x!T>
  %st = tile.load %s[%m, %n] [BM, BN] : !X -> tensor<?x?x!T>
  %r = arith.addf %xp, %st : tensor<?x?x!T>
  tile.store %r, %y[%m, %n] : tensor<?x?x!T>, !X
}

// Two operands are contiguous along different axes, neither of which is the last of the result.
// CASE @multiply_permuted: 20x40x70xT=random:1 70x20x40xT=random:2 -> 20x70x40xT
// CASE @multiply_permuted: 5x64x32xT=random:3 32x5x64xT=random:4 -> 5x32x64xT
tile.kernel @multiply_permuted(%a: !Z, %b: !Z) outs(%y: !Z) grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 32)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %at = tile.load %a[%i, %c0, %j] [8, 64, 32] : !Z -> tensor<8x64x32x!T>
  %ap = tile.permute %at [0, 2, 1] : tensor<8x64x32x!T> -> tensor<8x32x64x!T>
  %bt = tile.load %b[%j, %i, %c0] [32, 8, 64] : !Z -> tensor<32x8x64x!T>
  %bp = tile.permute %bt [1, 0, 2] : tensor<32x8x64x!T> -> tensor<8x32x64x!T>
  %r = arith.mulf %ap, %bp : tensor<8x32x64x!T>
  tile.store %r, %y[%i, %j, %c0] : tensor<8x32x64x!T>, !Z
}

// The first operand is contiguous along the first axis of the result.
// CASE @scale_rotated: 40x70x20xT=random:5 -> 20x40x70xT
tile.kernel @scale_rotated(%a: !Z) outs(%y: !Z) grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 8)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %at = tile.load %a[%j, %c0, %i] [8, 128, 16] : !Z -> tensor<8x128x16x!T>
  %ap = tile.permute %at [2, 0, 1] : tensor<8x128x16x!T> -> tensor<16x8x128x!T>
  %r = arith.mulf %ap, %ap : tensor<16x8x128x!T>
  tile.store %r, %y[%i, %j, %c0] : tensor<16x8x128x!T>, !Z
}
