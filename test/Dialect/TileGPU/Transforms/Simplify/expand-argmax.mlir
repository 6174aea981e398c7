// RUN: tilegpt-opt %s --tile-gpu-expand-argmax --split-input-file | FileCheck %s

// CHECK-LABEL: tile.kernel @of_a_long_row
// CHECK:         %[[X:.*]] = tile.load
// CHECK:         %[[I:.*]] = tile.iota [4096]
// CHECK:         %[[IB:.*]] = tile.broadcast %[[I]] [1, 4096]
// CHECK:         %[[P:.*]]:2 = tile.reduce %[[X]], %[[IB]] axis 1 identities [0xFF800000 : f32, 2147483647 : i32] {
// CHECK:         ^bb0(%[[A:.*]]: f32, %[[AI:.*]]: i32, %[[B:.*]]: f32, %[[BI:.*]]: i32):
// CHECK:           %[[GREATER:.*]] = arith.cmpf ogt, %[[B]], %[[A]]
// CHECK-DAG:       %[[NAN:.*]] = arith.cmpf uno, %[[B]], %[[B]]
// CHECK-DAG:       %[[NUMBER:.*]] = arith.cmpf ord, %[[A]], %[[A]]
// CHECK:           %[[FIRST_NAN:.*]] = arith.andi %[[NAN]], %[[NUMBER]]
// CHECK:           %[[BETTER:.*]] = arith.ori %[[GREATER]], %[[FIRST_NAN]]
// CHECK:           %[[LESS:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK:           %[[WORSE:.*]] = arith.ori %[[LESS]]
// CHECK:           %[[EARLIER:.*]] = arith.cmpi slt, %[[BI]], %[[AI]]
// CHECK:           %[[EITHER:.*]] = arith.ori %[[BETTER]], %[[EARLIER]]
// CHECK:           %[[WINS:.*]] = arith.select %[[WORSE]], %[[BETTER]], %[[EITHER]]
// CHECK-DAG:       %[[V:.*]] = arith.select %[[WINS]], %[[B]], %[[A]]
// CHECK-DAG:       %[[VI:.*]] = arith.select %[[WINS]], %[[BI]], %[[AI]]
// CHECK:           tile.yield %[[V]], %[[VI]]
// CHECK:         tile.store %[[P]]#1
tile.kernel @of_a_long_row(%x: !tile.view<9x4096xf32>) outs(%y: !tile.view<9xi32>) grid [9] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 4096] : !tile.view<9x4096xf32> -> tensor<1x4096xf32>
  %p = tile.reduce argmax %t axis 1 : tensor<1x4096xf32> -> tensor<1xi32>
  tile.store %p, %y[%m] : tensor<1xi32>, !tile.view<9xi32>
}

// -----

// Integers, and NaN that is ignored, which a tile of bf16 starts from.
// CHECK-LABEL: tile.kernel @kinds
// CHECK:         tile.reduce %{{.*}}, %{{.*}} axis 1 keepdims identities [2147483647 : i32, 2147483647 : i32] {
// CHECK:           arith.cmpi slt
// CHECK:         tile.reduce %{{.*}}, %{{.*}} axis 1 keepdims identities [0x7FC0 : bf16, 2147483647 : i32] {
// CHECK:         ^bb0(%[[A:.*]]: bf16, %{{.*}}: i32, %[[B:.*]]: bf16, %{{.*}}: i32):
// CHECK:           arith.cmpf ogt, %[[B]], %[[A]]
// CHECK:           arith.cmpf uno, %[[A]], %[[A]]
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

// An extension keeps the order of the elements, so the narrow ones are reduced; a conversion from f32 does not.
// CHECK-LABEL: tile.kernel @extended
// CHECK:         %[[X:.*]] = tile.load
// CHECK:         tile.reduce %[[X]], %{{.*}} axis 1 identities [0xFF80 : bf16, 2147483647 : i32] {
// CHECK:         %[[R:.*]] = tile.cast %{{.*}} : tensor<1x4096xf32> to tensor<1x4096xbf16>
// CHECK:         tile.reduce %[[R]], %{{.*}} axis 1 identities [0xFF80 : bf16, 2147483647 : i32] {
tile.kernel @extended(%x: !tile.view<9x4096xbf16>, %z: !tile.view<9x4096xf32>) outs(%y: !tile.view<9xi32>, %w: !tile.view<9xi32>) grid [9] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 4096] : !tile.view<9x4096xbf16> -> tensor<1x4096xbf16>
  %f = tile.cast %t : tensor<1x4096xbf16> to tensor<1x4096xf32>
  %p = tile.reduce argmax %f axis 1 : tensor<1x4096xf32> -> tensor<1xi32>
  tile.store %p, %y[%m] : tensor<1xi32>, !tile.view<9xi32>
  %u = tile.load %z[%m, %c0] [1, 4096] : !tile.view<9x4096xf32> -> tensor<1x4096xf32>
  %r = tile.cast %u : tensor<1x4096xf32> to tensor<1x4096xbf16>
  %q = tile.reduce argmax %r axis 1 : tensor<1x4096xbf16> -> tensor<1xi32>
  tile.store %q, %w[%m] : tensor<1xi32>, !tile.view<9xi32>
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
