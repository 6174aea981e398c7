// RUN: tilegpt-opt %s --tile-specialize --split-input-file | FileCheck %s

!V = !tile.view<?x?xf32>

// What only the last iteration stores is stored behind the loop, if that runs at all.
// CHECK-LABEL: tile.kernel @last(
// CHECK:       %[[N:.*]] = tile.num_tiles
// CHECK:       %[[SUM:.*]] = scf.for %{{.*}} = %c0{{.*}} to %[[N]]
// CHECK-NOT:   tile.store
// CHECK:         scf.yield
// CHECK:       }
// CHECK:       %[[RUNS:.*]] = arith.cmpi sgt, %[[N]], %c0
// CHECK:       scf.if %[[RUNS]] {
// CHECK:         %[[NEGATED:.*]] = arith.negf %[[SUM]]
// CHECK:         tile.store %[[NEGATED]]
tile.kernel @last(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %last = arith.subi %n, %c1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<8x8xf32>) {
    %t = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %s, %t : tensor<8x8xf32>
    %negated = arith.negf %more : tensor<8x8xf32>
    %ends = arith.cmpi eq, %k, %last : index
    scf.if %ends {
      tile.store %negated, %y[%c0, %c0] : tensor<8x8xf32>, !V
    }
    scf.yield %more : tensor<8x8xf32>
  }
}

// -----

!V = !tile.view<?x?xf32>

// Not another iteration's, nor what reads a tile that the loop does not hand on.
// CHECK-LABEL: tile.kernel @others(
// CHECK-COUNT-2: scf.if
// CHECK-NOT:   scf.if
tile.kernel @others(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %last = arith.subi %n, %c1 : index
  %before = arith.subi %last, %c1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<8x8xf32>) {
    %t = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %s, %t : tensor<8x8xf32>
    %ends = arith.cmpi eq, %k, %before : index
    scf.if %ends {
      tile.store %more, %y[%c0, %c0] : tensor<8x8xf32>, !V
    }
    scf.yield %more : tensor<8x8xf32>
  }
  scf.for %k = %c0 to %n step %c1 {
    %t = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %ends = arith.cmpi sge, %k, %last : index
    scf.if %ends {
      tile.store %t, %y[%c0, %c1] : tensor<8x8xf32>, !V
    }
  }
}
