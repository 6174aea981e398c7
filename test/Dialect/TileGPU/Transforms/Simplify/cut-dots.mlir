// RUN: tilegpt-opt %s --tile-gpu-cut-dots --cse | FileCheck %s

// Sixteen rows are enough for matrix instructions: a load of whole rows becomes a loop over pieces of the depth.
// CHECK-LABEL: @sixteen_rows
// CHECK:       %[[C:.*]] = arith.constant 12 : index
// CHECK:       scf.for {{.*}} to %[[C]] {{.*}} -> (tensor<16x32xf32>)
// CHECK:         tile.dot {{.*}} transpose_b : tensor<16x64xbf16>, tensor<32x64xbf16>, tensor<16x32xf32>
tile.kernel @sixteen_rows(%x: !tile.view<?x768xbf16>, %w: !tile.view<?x768xbf16>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 1), 32)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<16x32xf32>
  %xt = tile.load %x[%c0, %c0] [16, 768] : !tile.view<?x768xbf16> -> tensor<16x768xbf16>
  %wt = tile.load %w[%n, %c0] [32, 768] : !tile.view<?x768xbf16> -> tensor<32x768xbf16>
  %sum = tile.dot %xt, %wt, %init transpose_b : tensor<16x768xbf16>, tensor<32x768xbf16>, tensor<16x32xf32> -> tensor<16x32xf32>
  tile.store %sum, %y[%c0, %n] : tensor<16x32xf32>, !tile.view<?x?xf32>
}

// Eight are not, and a depth of 256 is one piece.
// CHECK-LABEL: @eight_rows
// CHECK-NOT:   scf.for
// CHECK-LABEL: @short
// CHECK-NOT:   scf.for
tile.kernel @eight_rows(%x: !tile.view<?x768xbf16>, %w: !tile.view<?x768xbf16>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 1), 32)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %xt = tile.load %x[%c0, %c0] [8, 768] : !tile.view<?x768xbf16> -> tensor<8x768xbf16>
  %wt = tile.load %w[%n, %c0] [32, 768] : !tile.view<?x768xbf16> -> tensor<32x768xbf16>
  %sum = tile.dot %xt, %wt, %init transpose_b : tensor<8x768xbf16>, tensor<32x768xbf16>, tensor<8x32xf32> -> tensor<8x32xf32>
  tile.store %sum, %y[%c0, %n] : tensor<8x32xf32>, !tile.view<?x?xf32>
}
tile.kernel @short(%x: !tile.view<?x256xbf16>, %w: !tile.view<?x256xbf16>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 1), 32)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<16x32xf32>
  %xt = tile.load %x[%c0, %c0] [16, 256] : !tile.view<?x256xbf16> -> tensor<16x256xbf16>
  %wt = tile.load %w[%n, %c0] [32, 256] : !tile.view<?x256xbf16> -> tensor<32x256xbf16>
  %sum = tile.dot %xt, %wt, %init transpose_b : tensor<16x256xbf16>, tensor<32x256xbf16>, tensor<16x32xf32> -> tensor<16x32xf32>
  tile.store %sum, %y[%c0, %n] : tensor<16x32xf32>, !tile.view<?x?xf32>
}

// Two products that share an operand become one loop, in which it is loaded once.
// CHECK-LABEL: @gated
// CHECK-NOT:   [16, 768]
// CHECK:       %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[G:.*]] = %[[I:.*]], %[[U:.*]] = %[[I]])
// CHECK-COUNT-2: tile.load
// CHECK-NEXT:    tile.dot %[[X:.*]], %{{.*}}, %[[G]] transpose_b
// CHECK-NEXT:    tile.load
// CHECK-NEXT:    tile.dot %[[X]], %{{.*}}, %[[U]] transpose_b
// CHECK:       arith.mulf %[[SUMS]]#0, %[[SUMS]]#1
tile.kernel @gated(%x: !tile.view<?x768xbf16>, %g: !tile.view<?x768xbf16>, %u: !tile.view<?x768xbf16>)
    outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y, 1), 32)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<16x32xf32>
  %xt = tile.load %x[%c0, %c0] [16, 768] : !tile.view<?x768xbf16> -> tensor<16x768xbf16>
  %gt = tile.load %g[%n, %c0] [32, 768] : !tile.view<?x768xbf16> -> tensor<32x768xbf16>
  %ut = tile.load %u[%n, %c0] [32, 768] : !tile.view<?x768xbf16> -> tensor<32x768xbf16>
  %gate = tile.dot %xt, %gt, %init transpose_b : tensor<16x768xbf16>, tensor<32x768xbf16>, tensor<16x32xf32> -> tensor<16x32xf32>
  %up = tile.dot %xt, %ut, %init transpose_b : tensor<16x768xbf16>, tensor<32x768xbf16>, tensor<16x32xf32> -> tensor<16x32xf32>
  %r = arith.mulf %gate, %up : tensor<16x32xf32>
  tile.store %r, %y[%c0, %n] : tensor<16x32xf32>, !tile.view<?x?xf32>
}

// Operands with other uses stay whole.
// CHECK-LABEL: @read_besides
// CHECK-NOT:   scf.for
tile.kernel @read_besides(%x: !tile.view<?x768xbf16>, %w: !tile.view<?x768xbf16>)
    outs(%y: !tile.view<?x?xf32>, %z: !tile.view<?x768xbf16>) grid [ceildiv(dim(%y, 1), 32)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<16x32xf32>
  %xt = tile.load %x[%c0, %c0] [16, 768] : !tile.view<?x768xbf16> -> tensor<16x768xbf16>
  %wt = tile.load %w[%n, %c0] [32, 768] : !tile.view<?x768xbf16> -> tensor<32x768xbf16>
  %sum = tile.dot %xt, %wt, %init transpose_b : tensor<16x768xbf16>, tensor<32x768xbf16>, tensor<16x32xf32> -> tensor<16x32xf32>
  tile.store %sum, %y[%c0, %n] : tensor<16x32xf32>, !tile.view<?x?xf32>
  tile.store %xt, %z[%c0, %c0] : tensor<16x768xbf16>, !tile.view<?x768xbf16>
}
