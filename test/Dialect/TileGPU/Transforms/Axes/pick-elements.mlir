// Tiles of which only single elements are used become loads of these.
// RUN: tilegpt-opt %s --tile-gpu-pick-elements --canonicalize | FileCheck %s

!W = !tile.view<?x5xi64>

// CHECK-LABEL: tile.kernel @described(
// CHECK-SAME:    %[[TABLE:[^:]*]]: !tile.view<?x5xi64>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK:         %[[G:.*]] = tile.block_id 0
// CHECK-DAG:     tile.load %[[TABLE]][%[[G]], %[[C0]]] [1, 1] {tile.settled} : !tile.view<?x5xi64> -> tensor<1x1xi64>
// CHECK-DAG:     tile.load %[[TABLE]][%[[G]], %[[C3]]] [1, 1] {tile.settled} : !tile.view<?x5xi64> -> tensor<1x1xi64>
// CHECK-NOT:     tile.extract
tile.kernel @described(%table: !W) outs(%y: !tile.view<?x2xi64>) grid [8] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = tile.block_id 0
  %t = tile.load %table[%g, %c0] [1, 8] {tile.settled} : !W -> tensor<1x8xi64>
  %a = tile.extract %t[%c0, %c0] [1, 1] : tensor<1x8xi64> -> tensor<1x1xi64>
  %s = tile.extract %t[%c0, %c3] [1, 1] : tensor<1x8xi64> -> tensor<1x1xi64>
  tile.store %a, %y[%g, %c0] : tensor<1x1xi64>, !tile.view<?x2xi64>
  tile.store %s, %y[%g, %c1] : tensor<1x1xi64>, !tile.view<?x2xi64>
}

// Elements of later tiles.
// CHECK-LABEL: tile.kernel @behind(
// CHECK:         %[[G:.*]] = tile.block_id 0
// CHECK:         %[[FIRST:.*]] = arith.muli %[[G]], %c4
// CHECK:         %[[PLACE:.*]] = arith.addi %[[FIRST]], %c1
// CHECK:         tile.load %{{.*}}[%[[PLACE]]] [1] pad(minus_one)
tile.kernel @behind(%x: !tile.view<?xi32>) outs(%y: !tile.view<?xi32>) grid [8] {
  %c1 = arith.constant 1 : index
  %g = tile.block_id 0
  %t = tile.load %x[%g] [4] pad(minus_one) : !tile.view<?xi32> -> tensor<4xi32>
  %a = tile.extract %t[%c1] [1] : tensor<4xi32> -> tensor<1xi32>
  tile.store %a, %y[%g] : tensor<1xi32>, !tile.view<?xi32>
}

// A tile that is also used as a whole stays, as do halves of tiles and elements at computed places.
// CHECK-LABEL: tile.kernel @whole(
// CHECK:         tile.load %{{.*}} [4]
// CHECK:         tile.load %{{.*}} [8]
// CHECK:         tile.load %{{.*}} [2]
// CHECK-COUNT-3: tile.extract
tile.kernel @whole(%x: !tile.view<?xi32>) outs(%y: !tile.view<?xi32>) grid [8] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = tile.block_id 0
  %t = tile.load %x[%g] [4] : !tile.view<?xi32> -> tensor<4xi32>
  %u = tile.load %x[%g] [8] : !tile.view<?xi32> -> tensor<8xi32>
  %v = tile.load %x[%g] [2] : !tile.view<?xi32> -> tensor<2xi32>
  %a = tile.extract %t[%c1] [1] : tensor<4xi32> -> tensor<1xi32>
  %b = tile.extract %u[%c1] [4] : tensor<8xi32> -> tensor<4xi32>
  %c = tile.extract %v[%g] [1] : tensor<2xi32> -> tensor<1xi32>
  tile.store %t, %y[%c0] : tensor<4xi32>, !tile.view<?xi32>
  tile.store %a, %y[%g] : tensor<1xi32>, !tile.view<?xi32>
  tile.store %b, %y[%g] : tensor<4xi32>, !tile.view<?xi32>
  tile.store %c, %y[%g] : tensor<1xi32>, !tile.view<?xi32>
}
