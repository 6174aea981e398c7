// RUN: tilegpt-opt %s --tile-specialize --canonicalize --split-input-file | FileCheck %s

!V = !tile.view<8x64xf32>

// Tiles loaded an iteration ahead, and the last one used behind the loop: eight iterations.
// CHECK-LABEL: tile.kernel @ahead(
// CHECK-DAG:   %[[FIRST:.*]] = arith.constant 1 : index
// CHECK-DAG:   %[[END:.*]] = arith.constant 9 : index
// CHECK:       %[[SUM:.*]] = scf.for %[[K:.*]] = %[[FIRST]] to %[[END]] step %[[FIRST]] iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<8x8xf32>) {
// CHECK:         %[[T:.*]] = tile.load
// CHECK:         %[[MORE:.*]] = arith.addf %[[S]], %[[T]]
// CHECK:         scf.yield %[[MORE]]
// CHECK-NEXT:  }
// CHECK-NEXT:  tile.store %[[SUM]]
tile.kernel @ahead(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %first = tile.load %x[%c0, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %t, %s = scf.for %k = %c1 to %n step %c1 iter_args(%u = %first, %r = %zero) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %more = arith.addf %r, %u : tensor<8x8xf32>
    %next = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    scf.yield %next, %more : tensor<8x8xf32>, tensor<8x8xf32>
  }
  %sum = arith.addf %s, %t : tensor<8x8xf32>
  tile.store %sum, %y[%c0, %c0] : tensor<8x8xf32>, !V
}

// -----

!V = !tile.view<8x64xf32>

// Two tiles ahead, with two iterations behind the loop.
// CHECK-LABEL: tile.kernel @two_ahead(
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %c8{{.*}} step %c1{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<8x8xf32>) {
// CHECK:         arith.addf
// CHECK-NEXT:    scf.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  tile.store
tile.kernel @two_ahead(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tile.num_tiles %x, 1 by [8] : !V
  %end = arith.subi %n, %c2 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %t0 = tile.load %x[%c0, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %t1 = tile.load %x[%c0, %c1] [8, 8] : !V -> tensor<8x8xf32>
  %a, %b, %s = scf.for %k = %c0 to %end step %c1 iter_args(%u = %t0, %v = %t1, %r = %zero)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %more = arith.addf %r, %u : tensor<8x8xf32>
    %later = arith.addi %k, %c2 : index
    %next = tile.load %x[%c0, %later] [8, 8] : !V -> tensor<8x8xf32>
    scf.yield %v, %next, %more : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  %s1 = arith.addf %s, %a : tensor<8x8xf32>
  %s2 = arith.addf %s1, %b : tensor<8x8xf32>
  tile.store %s2, %y[%c0, %c0] : tensor<8x8xf32>, !V
}

// -----

!V = !tile.view<8x64xf32>

// Iterations of two carried tiles in front of the loop and behind it; a step of two.
// CHECK-LABEL: tile.kernel @both_ends(
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK-DAG:   %[[ONE:.*]] = arith.constant dense<1.0
// CHECK:       %[[R:.*]]:2 = scf.for %{{.*}} = %c0{{.*}} to %c8{{.*}} step %c2{{.*}} iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[ONE]])
// CHECK:       }
// CHECK-NEXT:  %[[ALL:.*]] = arith.addf %[[R]]#0, %[[R]]#1
// CHECK-NEXT:  tile.store %[[ALL]]
tile.kernel @both_ends(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %one = arith.constant dense<1.0> : tensor<8x8xf32>
  %t0 = tile.load %x[%c0, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %s0 = arith.addf %zero, %t0 : tensor<8x8xf32>
  %p0 = arith.mulf %one, %s0 : tensor<8x8xf32>
  %s, %p = scf.for %k = %c2 to %c6 step %c2 iter_args(%r = %s0, %q = %p0) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %t = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %r, %t : tensor<8x8xf32>
    %product = arith.mulf %q, %more : tensor<8x8xf32>
    scf.yield %more, %product : tensor<8x8xf32>, tensor<8x8xf32>
  }
  %t6 = tile.load %x[%c0, %c6] [8, 8] : !V -> tensor<8x8xf32>
  %s6 = arith.addf %s, %t6 : tensor<8x8xf32>
  %p6 = arith.mulf %p, %s6 : tensor<8x8xf32>
  %all = arith.addf %s6, %p6 : tensor<8x8xf32>
  tile.store %all, %y[%c0, %c0] : tensor<8x8xf32>, !V
}

// -----

!V = !tile.view<8x64xf32>

// Not another tile's iteration, one behind a store, or one of which more is used than its sum.
// CHECK-LABEL: tile.kernel @others(
// CHECK-COUNT-3: scf.for %{{.*}} = %c0{{.*}} to %c7{{.*}} step
tile.kernel @others(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %s = scf.for %k = %c0 to %c7 step %c1 iter_args(%r = %zero) -> (tensor<8x8xf32>) {
    %t = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %r, %t : tensor<8x8xf32>
    scf.yield %more : tensor<8x8xf32>
  }
  %t6 = tile.load %x[%c0, %c6] [8, 8] : !V -> tensor<8x8xf32>
  %s6 = arith.addf %s, %t6 : tensor<8x8xf32>
  tile.store %s6, %y[%c0, %c0] : tensor<8x8xf32>, !V
  %u = scf.for %k = %c0 to %c7 step %c1 iter_args(%r = %zero) -> (tensor<8x8xf32>) {
    %t = tile.load %y[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %more = arith.addf %r, %t : tensor<8x8xf32>
    scf.yield %more : tensor<8x8xf32>
  }
  tile.store %u, %y[%c0, %c7] : tensor<8x8xf32>, !V
  %t7 = tile.load %y[%c0, %c7] [8, 8] : !V -> tensor<8x8xf32>
  %u7 = arith.addf %u, %t7 : tensor<8x8xf32>
  tile.store %u7, %y[%c0, %c1] : tensor<8x8xf32>, !V
  %v = scf.for %k = %c0 to %c7 step %c1 iter_args(%r = %zero) -> (tensor<8x8xf32>) {
    %t = tile.load %x[%c0, %k] [8, 8] : !V -> tensor<8x8xf32>
    %minus = arith.negf %r : tensor<8x8xf32>
    %more = arith.addf %minus, %t : tensor<8x8xf32>
    scf.yield %more : tensor<8x8xf32>
  }
  %w7 = tile.load %x[%c0, %c7] [8, 8] : !V -> tensor<8x8xf32>
  %minus = arith.negf %v : tensor<8x8xf32>
  %v7 = arith.addf %minus, %w7 : tensor<8x8xf32>
  %both = arith.addf %minus, %v7 : tensor<8x8xf32>
  tile.store %both, %y[%c0, %c0] : tensor<8x8xf32>, !V
}
