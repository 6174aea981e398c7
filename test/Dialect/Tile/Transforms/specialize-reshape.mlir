// RUN: tilegpt-opt %s --tile-specialize | FileCheck %s

// Reshapes of integers that only insert unit axes become expand_dims, whose positions analyses follow.
// CHECK-LABEL: tile.kernel @positions_0(
// CHECK:       %[[I:.*]] = tile.iota [8]
// CHECK:       tile.expand_dims %[[I]], 0 : tensor<8xi32> -> tensor<1x8xi32>
// CHECK:       %[[A:.*]] = tile.expand_dims %[[I]], 0 : tensor<8xi32> -> tensor<1x8xi32>
// CHECK:       tile.expand_dims %[[A]], 2 : tensor<1x8xi32> -> tensor<1x8x1xi32>
// Axes that are cut, joined or dropped, and data, stay reshapes.
// CHECK:       tile.reshape %[[I]] [2, 4]
// CHECK:       tile.reshape %{{.*}} [8] : tensor<1x8xi32>
// CHECK:       tile.reshape %{{.*}} [1, 8] : tensor<8xf32>
tile.kernel @positions(%x: !tile.view<?xf32>)
    outs(%a: !tile.view<1x?xi32>, %b: !tile.view<1x?x1xi32>, %c: !tile.view<2x4xi32>, %d: !tile.view<?xi32>, %y: !tile.view<1x?xf32>)
    params {BN = 8} grid [1] {
  %c0 = arith.constant 0 : index
  %i = tile.iota [BN] : tensor<?xi32>
  %0 = tile.reshape %i [1, BN] : tensor<?xi32> -> tensor<1x?xi32>
  tile.store %0, %a[%c0, %c0] : tensor<1x?xi32>, !tile.view<1x?xi32>
  %1 = tile.reshape %i [1, BN, 1] : tensor<?xi32> -> tensor<1x?x1xi32>
  tile.store %1, %b[%c0, %c0, %c0] : tensor<1x?x1xi32>, !tile.view<1x?x1xi32>
  %2 = tile.reshape %i [2, 4] : tensor<?xi32> -> tensor<2x4xi32>
  tile.store %2, %c[%c0, %c0] : tensor<2x4xi32>, !tile.view<2x4xi32>
  %l = tile.load %a[%c0, %c0] [1, BN] : !tile.view<1x?xi32> -> tensor<1x?xi32>
  %3 = tile.reshape %l [BN] : tensor<1x?xi32> -> tensor<?xi32>
  tile.store %3, %d[%c0] : tensor<?xi32>, !tile.view<?xi32>
  %t = tile.load %x[%c0] [BN] : !tile.view<?xf32> -> tensor<?xf32>
  %4 = tile.reshape %t [1, BN] : tensor<?xf32> -> tensor<1x?xf32>
  tile.store %4, %y[%c0, %c0] : tensor<1x?xf32>, !tile.view<1x?xf32>
}
func.func @graph(%x: tensor<?xf32>, %a: tensor<1x8xi32>, %b: tensor<1x8x1xi32>, %c: tensor<2x4xi32>, %d: tensor<8xi32>, %y: tensor<1x8xf32>) {
  tile.launch @positions ins(%x) outs(%a, %b, %c, %d, %y) : (tensor<?xf32>, tensor<1x8xi32>, tensor<1x8x1xi32>, tensor<2x4xi32>, tensor<8xi32>, tensor<1x8xf32>) -> (tensor<1x8xi32>, tensor<1x8x1xi32>, tensor<2x4xi32>, tensor<8xi32>, tensor<1x8xf32>)
  return
}
