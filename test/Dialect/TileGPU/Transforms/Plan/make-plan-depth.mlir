// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_80 | FileCheck %s

// Tiles over the full depth, if that is no multiple of the instruction's, are padded with zeros, up to 16 elements of
// bf16 or f16, 32 of i8, 8 of tf32.
// CHECK-LABEL: tile.kernel @heads(
// CHECK:         tile.load %{{.*}} [64, 80]
// CHECK:         tile.load %{{.*}} [32, 80]
// CHECK:         tile.dot %{{.*}} transpose_b : tensor<64x80xbf16>, tensor<32x80xbf16>, tensor<64x32xf32>
tile.kernel @heads(%q: !tile.view<?x72xbf16>, %k: !tile.view<?x72xbf16>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %a = tile.load %q[%m, %c0] [64, 72] : !tile.view<?x72xbf16> -> tensor<64x72xbf16>
  %b = tile.load %k[%n, %c0] [32, 72] : !tile.view<?x72xbf16> -> tensor<32x72xbf16>
  %d = tile.dot %a, %b, %z transpose_b : tensor<64x72xbf16>, tensor<32x72xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  tile.store %d, %y[%m, %n] : tensor<64x32xf32>, !tile.view<?x?xf32>
}

// Both operands are padded, in any orientation; also a tile with itself.
// CHECK-LABEL: tile.kernel @across(
// CHECK:         %[[A:.*]] = tile.load %{{.*}} [48, 64]
// CHECK:         tile.load %{{.*}} [48, 32]
// CHECK:         tile.dot %[[A]], %{{.*}} transpose_a
// CHECK:         %[[B:.*]] = tile.load %{{.*}} [64, 96]
// CHECK:         tile.dot %[[B]], %[[B]], %{{.*}} transpose_b : tensor<64x96xi8>
tile.kernel @across(%x: !tile.view<40x64xf16>, %w: !tile.view<40x32xf16>, %i: !tile.view<64x70xi8>) outs(%y: !tile.view<64x32xf32>, %g: !tile.view<64x64xi32>)
    grid [1] {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %zi = arith.constant dense<0> : tensor<64x64xi32>
  %a = tile.load %x[%c0, %c0] [40, 64] : !tile.view<40x64xf16> -> tensor<40x64xf16>
  %b = tile.load %w[%c0, %c0] [40, 32] : !tile.view<40x32xf16> -> tensor<40x32xf16>
  %d = tile.dot %a, %b, %z transpose_a : tensor<40x64xf16>, tensor<40x32xf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %t = tile.load %i[%c0, %c0] [64, 70] : !tile.view<64x70xi8> -> tensor<64x70xi8>
  %s = tile.dot %t, %t, %zi transpose_b : tensor<64x70xi8>, tensor<64x70xi8>, tensor<64x64xi32> -> tensor<64x64xi32>
  tile.store %d, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
  tile.store %s, %g[%c0, %c0] : tensor<64x64xi32>, !tile.view<64x64xi32>
}

// Less than one instruction: multiply-adds.
// CHECK-LABEL: tile.kernel @shallow(
// CHECK-NOT:     tensor<32x16xbf16>
// CHECK:         tile.store
tile.kernel @shallow(%q: !tile.view<32x8xbf16>, %k: !tile.view<32x8xbf16>) outs(%y: !tile.view<32x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile.load %q[%c0, %c0] [32, 8] : !tile.view<32x8xbf16> -> tensor<32x8xbf16>
  %b = tile.load %k[%c0, %c0] [32, 8] : !tile.view<32x8xbf16> -> tensor<32x8xbf16>
  %d = tile.dot %a, %b, %z transpose_b : tensor<32x8xbf16>, tensor<32x8xbf16>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %d, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}

// Near misses: more of the axis follows the tile, an operand with another use, a computed operand, and one with other
// padding.
// CHECK-LABEL: tile.kernel @as_they_are(
// CHECK-NOT:     80
// CHECK:         tile.store
tile.kernel @as_they_are(%q: !tile.view<64x76xbf16>, %k: !tile.view<32x72xbf16>) outs(%y: !tile.view<256x32xf32>, %z: !tile.view<64x72xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %q0 = tile.load %q[%c0, %c0] [64, 72] : !tile.view<64x76xbf16> -> tensor<64x72xbf16>
  %k0 = tile.load %k[%c0, %c0] [32, 72] : !tile.view<32x72xbf16> -> tensor<32x72xbf16>
  %d0 = tile.dot %q0, %k0, %zero transpose_b : tensor<64x72xbf16>, tensor<32x72xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %w = tile.subview %q[0, 0] [64, 72] : !tile.view<64x76xbf16> -> !tile.view<64x72xbf16, strides=[76, 1]>
  %q1 = tile.load %w[%c0, %c0] [64, 72] : !tile.view<64x72xbf16, strides=[76, 1]> -> tensor<64x72xbf16>
  %k1 = tile.load %k[%c0, %c0] [32, 72] : !tile.view<32x72xbf16> -> tensor<32x72xbf16>
  %d1 = tile.dot %q1, %k1, %zero transpose_b : tensor<64x72xbf16>, tensor<32x72xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  tile.store %q1, %z[%c0, %c0] : tensor<64x72xbf16>, !tile.view<64x72xbf16>
  %q2 = arith.negf %q1 : tensor<64x72xbf16>
  %k2 = tile.load %k[%c0, %c0] [32, 72] : !tile.view<32x72xbf16> -> tensor<32x72xbf16>
  %d2 = tile.dot %q2, %k2, %zero transpose_b : tensor<64x72xbf16>, tensor<32x72xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %q3 = tile.load %w[%c0, %c0] [64, 72] pad(nan) : !tile.view<64x72xbf16, strides=[76, 1]> -> tensor<64x72xbf16>
  %k3 = tile.load %k[%c0, %c0] [32, 72] : !tile.view<32x72xbf16> -> tensor<32x72xbf16>
  %d3 = tile.dot %q3, %k3, %zero transpose_b : tensor<64x72xbf16>, tensor<32x72xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  tile.store %d0, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<256x32xf32>
  tile.store %d1, %y[%c1, %c0] : tensor<64x32xf32>, !tile.view<256x32xf32>
  tile.store %d2, %y[%c2, %c0] : tensor<64x32xf32>, !tile.view<256x32xf32>
  tile.store %d3, %y[%c3, %c0] : tensor<64x32xf32>, !tile.view<256x32xf32>
}
