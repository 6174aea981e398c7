// RUN: tilegpt-opt %s --tile-gpu-expand-argmax --split-input-file | FileCheck %s

// CHECK-LABEL: tile.kernel @of_a_long_row
// CHECK:         %[[X:.*]] = tile.load
// CHECK:         %[[M:.*]] = tile.reduce max %[[X]] axis 1 keepdims : tensor<1x4096xf32> -> tensor<1x1xf32>
// CHECK:         %[[MB:.*]] = tile.broadcast %[[M]] [1, 4096]
// CHECK-DAG:     %[[SAME:.*]] = arith.cmpf oeq, %[[X]], %[[MB]]
// CHECK-DAG:     %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK:         %[[HOLDS:.*]] = arith.ori %[[SAME]], %[[NAN]]
// CHECK:         %[[I:.*]] = tile.iota [4096]
// CHECK:         %[[IB:.*]] = tile.broadcast %[[I]] [1, 4096]
// CHECK:         %[[NONE:.*]] = arith.constant dense<2147483647>
// CHECK:         %[[AT:.*]] = arith.select %[[HOLDS]], %[[IB]], %[[NONE]]
// CHECK:         %[[P:.*]] = tile.reduce min %[[AT]] axis 1 : tensor<1x4096xi32> -> tensor<1xi32>
// CHECK:         tile.store %[[P]]
tile.kernel @of_a_long_row(%x: !tile.view<9x4096xf32>) outs(%y: !tile.view<9xi32>) grid [9] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 4096] : !tile.view<9x4096xf32> -> tensor<1x4096xf32>
  %p = tile.reduce argmax %t axis 1 : tensor<1x4096xf32> -> tensor<1xi32>
  tile.store %p, %y[%m] : tensor<1xi32>, !tile.view<9xi32>
}

// -----

// Integers, and NaN that is ignored.
// CHECK-LABEL: tile.kernel @kinds
// CHECK:         tile.reduce min %[[X:.*]] axis 1 keepdims : tensor<1x4096xi32>
// CHECK:         arith.cmpi eq, %[[X]]
// CHECK:         tile.reduce min %{{.*}} axis 1 keepdims : tensor<1x4096xi32> -> tensor<1x1xi32>
// CHECK:         %[[M:.*]] = tile.reduce max %{{.*}} axis 1 keepdims nan(ignore)
// CHECK:         %[[MB:.*]] = tile.broadcast %[[M]]
// CHECK:         arith.cmpf uno, %[[MB]], %[[MB]]
tile.kernel @kinds(%x: !tile.view<9x4096xi32>, %z: !tile.view<9x4096xbf16>) outs(%y: !tile.view<9x1xi32>, %w: !tile.view<9x1xi32>) grid [9] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 4096] : !tile.view<9x4096xi32> -> tensor<1x4096xi32>
  %p = tile.reduce argmin %t axis 1 keepdims : tensor<1x4096xi32> -> tensor<1x1xi32>
  tile.store %p, %y[%m, %c0] : tensor<1x1xi32>, !tile.view<9x1xi32>
  %u = tile.load %z[%m, %c0] [1, 4096] : !tile.view<9x4096xbf16> -> tensor<1x4096xbf16>
  %q = tile.reduce argmax %u axis 1 keepdims nan(ignore) : tensor<1x4096xbf16> -> tensor<1x1xi32>
  tile.store %q, %w[%m, %c0] : tensor<1x1xi32>, !tile.view<9x1xi32>
}

// -----

// Short rows, several rows and columns stay.
// CHECK-LABEL: tile.kernel @near_misses
// CHECK-COUNT-3: tile.reduce argmax
// CHECK-NOT:     tile.reduce max
tile.kernel @near_misses(%x: !tile.view<9x2047xf32>, %z: !tile.view<4096x2xf32>) outs(%y: !tile.view<9xi32>, %v: !tile.view<1xi32>) grid [9] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 2047] : !tile.view<9x2047xf32> -> tensor<1x2047xf32>
  %p = tile.reduce argmax %t axis 1 : tensor<1x2047xf32> -> tensor<1xi32>
  tile.store %p, %y[%m] : tensor<1xi32>, !tile.view<9xi32>
  %u = tile.load %x[%m, %c0] [2, 4096] : !tile.view<9x2047xf32> -> tensor<2x4096xf32>
  %q = tile.reduce argmax %u axis 1 : tensor<2x4096xf32> -> tensor<2xi32>
  tile.store %q, %y[%m] : tensor<2xi32>, !tile.view<9xi32>
  %w = tile.load %z[%c0, %c0] [4096, 1] : !tile.view<4096x2xf32> -> tensor<4096x1xf32>
  %r = tile.reduce argmax %w axis 0 : tensor<4096x1xf32> -> tensor<1xi32>
  tile.store %r, %v[%c0] : tensor<1xi32>, !tile.view<1xi32>
}
