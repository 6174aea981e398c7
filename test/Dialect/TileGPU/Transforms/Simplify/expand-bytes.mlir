// RUN: tilegpt-opt %s --tile-gpu-expand-bytes --split-input-file | FileCheck %s

// CHECK-LABEL: tile.kernel @unpack(
// CHECK:         %[[C:.*]] = tile.reshape %{{.*}} [8, 1] : tensor<8xi32> -> tensor<8x1xi32>
// CHECK:         %[[W:.*]] = tile.broadcast %[[C]] [8, 4]
// CHECK:         %[[S:.*]] = arith.shrui %[[W]], %{{.*}} : tensor<8x4xi32>
// CHECK:         %[[B:.*]] = arith.trunci %[[S]] : tensor<8x4xi32> to tensor<8x4xi8>
// CHECK:         tile.reshape %[[B]] [32]
tile.kernel @unpack(%a: !tile.view<8xf32>) outs(%y: !tile.view<32xi8>) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [8] : !tile.view<8xf32> -> tensor<8xf32>
  %1 = tile.bytes %0 : tensor<8xf32> -> tensor<32xi8>
  tile.store %1, %y[%i] : tensor<32xi8>, !tile.view<32xi8>
}

// -----

// CHECK-LABEL: tile.kernel @pack(
// CHECK:         arith.extui %{{.*}} : tensor<4x8xi8> to tensor<4x8xi64>
// CHECK:         arith.shli
// CHECK:         %[[R:.*]] = tile.reduce or %{{.*}} axis 1 : tensor<4x8xi64> -> tensor<4xi64>
// CHECK:         tile.store %[[R]]
tile.kernel @pack(%a: !tile.view<32xi8>) outs(%y: !tile.view<4xi64>) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [32] : !tile.view<32xi8> -> tensor<32xi8>
  %1 = tile.bytes %0 : tensor<32xi8> -> tensor<4xi64>
  tile.store %1, %y[%i] : tensor<4xi64>, !tile.view<4xi64>
}
