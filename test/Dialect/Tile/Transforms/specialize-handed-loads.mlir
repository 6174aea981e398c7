// RUN: tilegpt-opt %s --tile-specialize --split-input-file | FileCheck %s

!V = !tile.view<?x?xf32>

// Tiles that an iteration loads for the next one are loaded where they are used.
// CHECK-LABEL: tile.kernel @ahead(
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %{{.*}} step %c1{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<8x8xf32>) {
// CHECK:         %[[N:.*]] = arith.subi %[[K]], %c1{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.addi %[[N]], %c1{{.*}} : index
// CHECK:         %[[T:.*]] = tile.load %arg0[%c0{{.*}}, %[[AT]]] [8, 8]
// CHECK:         arith.addf %[[S]], %[[T]]
tile.kernel @ahead(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %first = tile.load %x[%c0, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %end, %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %first, %s = %zero) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %after = arith.addi %k, %c1 : index
    %next = tile.load %x[%c0, %after] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %s, %t : tensor<8x8xf32>
    scf.yield %next, %more : tensor<8x8xf32>, tensor<8x8xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<8x8xf32>, !V
}

// -----

!V = !tile.view<?x?xf32>

// Not what the first iteration uses, or in memory that the loop writes.
// CHECK-LABEL: tile.kernel @kept(
// CHECK:       scf.for {{.*}} -> (tensor<8x8xf32>, tensor<8x8xf32>)
// CHECK:       scf.for {{.*}} -> (tensor<8x8xf32>, tensor<8x8xf32>)
tile.kernel @kept(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %first = tile.load %x[%c0, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %end, %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %first, %s = %zero) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %next = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %s, %t : tensor<8x8xf32>
    scf.yield %next, %more : tensor<8x8xf32>, tensor<8x8xf32>
  }
  %u, %other = scf.for %k = %c0 to %n step %c1 iter_args(%v = %first, %s = %sum) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %after = arith.addi %k, %c1 : index
    %next = tile.load %x[%c0, %after] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %s, %v : tensor<8x8xf32>
    tile.store %more, %y[%c0, %k] : tensor<8x8xf32>, !V
    scf.yield %next, %more : tensor<8x8xf32>, tensor<8x8xf32>
  }
  tile.store %other, %y[%c0, %c0] : tensor<8x8xf32>, !V
}

// -----

!V = !tile.view<?x?xf32>

// What the last iteration loads for the next one is loaded behind the loop.
// CHECK-LABEL: tile.kernel @behind(
// CHECK:       %[[N:.*]] = tile.num_tiles
// CHECK:       scf.for %{{.*}} = %c1{{.*}} to %[[N]] step %c1{{.*}} {
// CHECK:       %[[LENGTH:.*]] = arith.subi %[[N]], %c1
// CHECK:       %[[COUNT:.*]] = arith.maxsi %[[LENGTH]], %c0
// CHECK:       %[[LAST:.*]] = tile.load %arg0[%c0{{.*}}, %[[COUNT]]] [8, 8]
// CHECK:       tile.store %[[LAST]]
tile.kernel @behind(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %first = tile.load %x[%c0, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %last = scf.for %k = %c1 to %n step %c1 iter_args(%w = %first) -> (tensor<8x8xf32>) {
    %next = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  tile.store %last, %y[%c0, %c0] : tensor<8x8xf32>, !V
}
