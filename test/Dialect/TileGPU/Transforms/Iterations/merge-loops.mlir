// RUN: tilegpt-opt %s --tile-gpu-merge-loops --canonicalize | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-merge-loops --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

!X = !tile.view<8x3x50176xf32>
!F = !tile.view<3xf32>

// The inner loop continues one sum of the outer loop, and starts another, which the outer loop adds.
// CHECK-LABEL: tile.kernel @statistics
// CHECK:         scf.for %[[I:.*]] = %c0 to %c200 step %c1 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (tensor<1xf32>, tensor<1xf32>) {
// CHECK-DAG:       %[[IMAGE:.*]] = arith.divui %[[I]], %c25
// CHECK-DAG:       %[[TILE:.*]] = arith.remui %[[I]], %c25
// CHECK:           tile.load %arg0[%[[IMAGE]], %{{.*}}, %[[TILE]]] [1, 1, 2048]
// CHECK:           %[[C:.*]] = arith.addf %[[A]]
// CHECK:           %[[D:.*]] = arith.addf %[[B]]
// CHECK:           scf.yield %[[C]], %[[D]]
// CHECK-NOT:     scf.for
// WHY: @statistics: loop: nested loops become one of 200 iterations
tile.kernel @statistics(%x: !X) outs(%s: !F, %q: !F) grid [3] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z, %b = %z) -> (tensor<1xf32>, tensor<1xf32>) {
    %o:2 = scf.for %j = %c0 to %c25 step %c1 iter_args(%d = %a, %e = %z) -> (tensor<1xf32>, tensor<1xf32>) {
      %t = tile.load %x[%i, %c, %j] [1, 1, 2048] : !X -> tensor<1x1x2048xf32>
      %f = tile.reshape %t [1, 2048] : tensor<1x1x2048xf32> -> tensor<1x2048xf32>
      %g = arith.mulf %f, %f : tensor<1x2048xf32>
      %h = tile.reduce add %f axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %k = tile.reduce add %g axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %l = arith.addf %d, %h : tensor<1xf32>
      %m = arith.addf %e, %k : tensor<1xf32>
      scf.yield %l, %m : tensor<1xf32>, tensor<1xf32>
    }
    %n = arith.addf %b, %o#1 : tensor<1xf32>
    scf.yield %o#0, %n : tensor<1xf32>, tensor<1xf32>
  }
  tile.store %r#0, %s[%c] : tensor<1xf32>, !F
  tile.store %r#1, %q[%c] : tensor<1xf32>, !F
}

// The inner loop starts with 1 in every iteration of the outer one.
// CHECK-LABEL: tile.kernel @starts
// CHECK-COUNT-2: scf.for
tile.kernel @starts(%x: !X) outs(%s: !F) grid [3] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %u = arith.constant dense<1.0> : tensor<1xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> (tensor<1xf32>) {
    %o = scf.for %j = %c0 to %c25 step %c1 iter_args(%d = %u) -> (tensor<1xf32>) {
      %t = tile.load %x[%i, %c, %j] [1, 1, 2048] : !X -> tensor<1x1x2048xf32>
      %f = tile.reshape %t [1, 2048] : tensor<1x1x2048xf32> -> tensor<1x2048xf32>
      %h = tile.reduce add %f axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %l = arith.addf %d, %h : tensor<1xf32>
      scf.yield %l : tensor<1xf32>
    }
    %n = arith.addf %a, %o : tensor<1xf32>
    scf.yield %n : tensor<1xf32>
  }
  tile.store %r, %s[%c] : tensor<1xf32>, !F
}

// The outer loop takes the greatest of the inner loop's sums, adds another number, or runs to an argument.
// CHECK-LABEL: tile.kernel @greatest
// CHECK-COUNT-2: scf.for
// CHECK-LABEL: tile.kernel @scaled
// CHECK-COUNT-2: scf.for
// CHECK-LABEL: tile.kernel @dynamic
// CHECK-COUNT-2: scf.for
tile.kernel @greatest(%x: !X) outs(%s: !F) grid [3] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> (tensor<1xf32>) {
    %o = scf.for %j = %c0 to %c25 step %c1 iter_args(%d = %z) -> (tensor<1xf32>) {
      %t = tile.load %x[%i, %c, %j] [1, 1, 2048] : !X -> tensor<1x1x2048xf32>
      %f = tile.reshape %t [1, 2048] : tensor<1x1x2048xf32> -> tensor<1x2048xf32>
      %h = tile.reduce add %f axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %l = arith.addf %d, %h : tensor<1xf32>
      scf.yield %l : tensor<1xf32>
    }
    %n = arith.maximumf %a, %o : tensor<1xf32>
    scf.yield %n : tensor<1xf32>
  }
  tile.store %r, %s[%c] : tensor<1xf32>, !F
}
tile.kernel @scaled(%x: !X) outs(%s: !F) grid [3] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %u = arith.constant dense<0.5> : tensor<1xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> (tensor<1xf32>) {
    %less = arith.mulf %a, %u : tensor<1xf32>
    %o = scf.for %j = %c0 to %c25 step %c1 iter_args(%d = %less) -> (tensor<1xf32>) {
      %t = tile.load %x[%i, %c, %j] [1, 1, 2048] : !X -> tensor<1x1x2048xf32>
      %f = tile.reshape %t [1, 2048] : tensor<1x1x2048xf32> -> tensor<1x2048xf32>
      %h = tile.reduce add %f axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %l = arith.addf %d, %h : tensor<1xf32>
      scf.yield %l : tensor<1xf32>
    }
    scf.yield %o : tensor<1xf32>
  }
  tile.store %r, %s[%c] : tensor<1xf32>, !F
}
tile.kernel @dynamic(%x: !X, %count: index) outs(%s: !F) grid [3] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %r = scf.for %i = %c0 to %count step %c1 iter_args(%a = %z) -> (tensor<1xf32>) {
    %o = scf.for %j = %c0 to %c25 step %c1 iter_args(%d = %a) -> (tensor<1xf32>) {
      %t = tile.load %x[%i, %c, %j] [1, 1, 2048] : !X -> tensor<1x1x2048xf32>
      %f = tile.reshape %t [1, 2048] : tensor<1x1x2048xf32> -> tensor<1x2048xf32>
      %h = tile.reduce add %f axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %l = arith.addf %d, %h : tensor<1xf32>
      scf.yield %l : tensor<1xf32>
    }
    scf.yield %o : tensor<1xf32>
  }
  tile.store %r, %s[%c] : tensor<1xf32>, !F
}

// More blocks than two per multiprocessor have enough work.
// CHECK-LABEL: tile.kernel @many
// CHECK-COUNT-2: scf.for
tile.kernel @many(%x: !tile.view<8x264x50176xf32>) outs(%s: !tile.view<264xf32>) grid [264] {
  %c = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> (tensor<1xf32>) {
    %o = scf.for %j = %c0 to %c25 step %c1 iter_args(%d = %a) -> (tensor<1xf32>) {
      %t = tile.load %x[%i, %c, %j] [1, 1, 2048] : !tile.view<8x264x50176xf32> -> tensor<1x1x2048xf32>
      %f = tile.reshape %t [1, 2048] : tensor<1x1x2048xf32> -> tensor<1x2048xf32>
      %h = tile.reduce add %f axis 1 : tensor<1x2048xf32> -> tensor<1xf32>
      %l = arith.addf %d, %h : tensor<1xf32>
      scf.yield %l : tensor<1xf32>
    }
    scf.yield %o : tensor<1xf32>
  }
  tile.store %r, %s[%c] : tensor<1xf32>, !tile.view<264xf32>
}
