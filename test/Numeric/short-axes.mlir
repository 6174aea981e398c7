// Elementwise ops along axes shorter than a vector: pairs of a row, interleaved parts, small matrices.
// TYPES: f32 f64 bf16
!X = !tile.view<?x?x!T>

// Sums and differences of the halves of each run of six, five of which are a row.
// CASE @butterflies: 7x30xT=random:1 -> 7x30xT
// CASE @butterflies: 1x30xT=random:2 -> 1x30xT
tile.kernel @butterflies(%x: !X) outs(%y: !X) grid [ceildiv(dim(%x, 0), 4)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%i, %c0] [4, 30] : !X -> tensor<4x30x!T>
  %1 = tile.reshape %0 [4, 5, 2, 3] : tensor<4x30x!T> -> tensor<4x5x2x3x!T>
  %2 = tile.extract %1[%c0, %c0, %c0, %c0] [4, 5, 1, 3] : tensor<4x5x2x3x!T> -> tensor<4x5x1x3x!T>
  %3 = tile.extract %1[%c0, %c0, %c1, %c0] [4, 5, 1, 3] : tensor<4x5x2x3x!T> -> tensor<4x5x1x3x!T>
  %4 = arith.addf %2, %3 : tensor<4x5x1x3x!T>
  %5 = arith.subf %2, %3 : tensor<4x5x1x3x!T>
  %6 = tile.cat %4, %5 axis 2 : tensor<4x5x1x3x!T>, tensor<4x5x1x3x!T> -> tensor<4x5x2x3x!T>
  %7 = tile.reshape %6 [4, 30] : tensor<4x5x2x3x!T> -> tensor<4x30x!T>
  tile.store %7, %y[%i, %c0] : tensor<4x30x!T>, !X
}
// Squared magnitudes of complex numbers, whose parts are interleaved, and twice the products of the parts.
// CASE @magnitudes: 3x22xT=random:1 -> 3x22xT
tile.kernel @magnitudes(%x: !X) outs(%y: !X) grid [ceildiv(dim(%x, 0), 2)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%i, %c0] [2, 22] : !X -> tensor<2x22x!T>
  %1 = tile.reshape %0 [2, 11, 2] : tensor<2x22x!T> -> tensor<2x11x2x!T>
  %2 = tile.extract %1[%c0, %c0, %c0] [2, 11, 1] : tensor<2x11x2x!T> -> tensor<2x11x1x!T>
  %3 = tile.extract %1[%c0, %c0, %c1] [2, 11, 1] : tensor<2x11x2x!T> -> tensor<2x11x1x!T>
  %4 = arith.mulf %2, %2 : tensor<2x11x1x!T>
  %5 = arith.mulf %3, %3 : tensor<2x11x1x!T>
  %6 = arith.addf %4, %5 : tensor<2x11x1x!T>
  %7 = arith.mulf %2, %3 : tensor<2x11x1x!T>
  %8 = arith.addf %7, %7 : tensor<2x11x1x!T>
  %9 = tile.cat %6, %8 axis 2 : tensor<2x11x1x!T>, tensor<2x11x1x!T> -> tensor<2x11x2x!T>
  %10 = tile.reshape %9 [2, 22] : tensor<2x11x2x!T> -> tensor<2x22x!T>
  tile.store %10, %y[%i, %c0] : tensor<2x22x!T>, !X
}
// x + xᵀ of small matrices, with 1 added on the diagonal.
// CASE @matrices: 5x12xT=random:1 -> 5x9xT
tile.kernel @matrices(%x: !X) outs(%y: !X) grid [ceildiv(dim(%x, 0), 4)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] [4, 9] : !X -> tensor<4x9x!T>
  %1 = tile.reshape %0 [4, 3, 3] : tensor<4x9x!T> -> tensor<4x3x3x!T>
  %2 = tile.permute %1 [0, 2, 1] : tensor<4x3x3x!T> -> tensor<4x3x3x!T>
  %3 = arith.addf %1, %2 : tensor<4x3x3x!T>
  %4 = tile.iota [3] : tensor<3xi32>
  %5 = tile.expand_dims %4, 1 : tensor<3xi32> -> tensor<3x1xi32>
  %6 = tile.broadcast %5 [4, 3, 3] : tensor<3x1xi32> -> tensor<4x3x3xi32>
  %7 = tile.broadcast %4 [4, 3, 3] : tensor<3xi32> -> tensor<4x3x3xi32>
  %8 = arith.cmpi eq, %6, %7 : tensor<4x3x3xi32>
  %9 = arith.constant dense<1.0> : tensor<4x3x3x!T>
  %10 = arith.constant dense<0.0> : tensor<4x3x3x!T>
  %11 = arith.select %8, %9, %10 : tensor<4x3x3xi1>, tensor<4x3x3x!T>
  %12 = arith.addf %3, %11 : tensor<4x3x3x!T>
  %13 = tile.reshape %12 [4, 9] : tensor<4x3x3x!T> -> tensor<4x9x!T>
  tile.store %13, %y[%i, %c0] : tensor<4x9x!T>, !X
}
