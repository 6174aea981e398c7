// Loops whose results are stored in windows run only in blocks that begin within them.
// RUN: tilegpt-opt %s --tile-gpu-bound-iterations --split-input-file | FileCheck %s

!X = !tile.view<?x64xf32>
!T = tensor<16x64xf32>

// CHECK-LABEL: tile.kernel @one_window(
// CHECK-SAME:    %{{[^:]*}}: !tile.view<?x64xf32>, %[[N:[^:]*]]: index, %[[ROWS:[^:]*]]: index)
// CHECK:         %[[M:.*]] = tile.block_id 0
// CHECK:         %[[BEGIN:.*]] = arith.muli %[[M]], %c16
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[BEGIN]], %[[ROWS]] : index
// CHECK:         %[[TO:.*]] = arith.select %[[INSIDE]], %[[N]], %c0
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[TO]]
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[SUM]]
// CHECK:         scf.if %[[INSIDE]] {
// CHECK-NEXT:      tile.store %[[ROOT]]
tile.kernel @one_window(%x: !X, %n: index, %rows: index) outs(%y: !X) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %c0] [16, 64] : !X -> !T
    %a = tile.load %x[%i, %i] [16, 16] : !X -> tensor<16x16xf32>
    %r = tile.dot %a, %t, %acc : tensor<16x16xf32>, !T, !T -> !T
    scf.yield %r : !T
  }
  %root = math.sqrt %sum : !T
  %w = tile.subview %y[0, 0] [%rows, 64] : !X -> !X
  tile.store %root, %w[%m, %c0] : !T, !X
}

// -----

!X = !tile.view<?x?xf32, strides=[?, 1]>
!T = tensor<16x64xf32>

// Either store may keep results, each only if the tile begins within both sizes of its window, which are computed after the
// loop from an input.
// CHECK-LABEL: tile.kernel @two_windows(
// CHECK:         %[[NUMBER:.*]] = tensor.extract
// CHECK:         %[[ROWS:.*]] = arith.index_cast %[[NUMBER]]
// CHECK:         %[[FIRST:.*]] = arith.cmpi slt, %{{.*}}, %[[ROWS]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[FIRST]], %{{.*}} : i1
// CHECK:         %[[SECOND:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}}
// CHECK:         %[[ANY:.*]] = arith.ori %[[BOTH]], %[[SECOND]] : i1
// CHECK:         %[[TO:.*]] = arith.select %[[ANY]], %{{.*}}, %c0
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[TO]]
// CHECK:         scf.if %[[BOTH]] {
// CHECK-NEXT:      tile.store %[[SUM]]
// CHECK:         scf.if %[[SECOND]] {
// CHECK-NEXT:      tile.store %[[SUM]]
tile.kernel @two_windows(%x: !X, %n: index, %h: index, %ns: !tile.view<8xi32>) outs(%y: !X, %z: !X) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %c0] [16, 64] : !X -> !T
    %a = tile.load %x[%i, %i] [16, 16] : !X -> tensor<16x16xf32>
    %r = tile.dot %a, %t, %acc : tensor<16x16xf32>, !T, !T -> !T
    scf.yield %r : !T
  }
  %one = tile.load %ns[%m] [1] : !tile.view<8xi32> -> tensor<1xi32>
  %number = tensor.extract %one[%c0] : tensor<1xi32>
  %rows = arith.index_cast %number : i32 to index
  %w = tile.subview %y[0, 0] [%rows, %h] : !X -> !X
  %v = tile.subview %z[%m, 0] [%h, 64] : !X -> !X
  tile.store %sum, %w[%m, %c0] : !T, !X
  tile.store %sum, %v[%m, %c0] : !T, !X
}

// -----

!X = !tile.view<?x64xf32>
!T = tensor<16x64xf32>

// One store is to the whole view.
// CHECK-LABEL: tile.kernel @also_whole(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @also_whole(%n: index, %rows: index, %x: !X) outs(%y: !X, %z: !X) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %c0] [16, 64] : !X -> !T
    %a = tile.load %x[%i, %i] [16, 16] : !X -> tensor<16x16xf32>
    %r = tile.dot %a, %t, %acc : tensor<16x16xf32>, !T, !T -> !T
    scf.yield %r : !T
  }
  %w = tile.subview %y[0, 0] [%rows, 64] : !X -> !X
  tile.store %sum, %w[%m, %c0] : !T, !X
  tile.store %sum, %z[%m, %c0] : !T, !X
}

// -----

!X = !tile.view<?x64xf32>
!T = tensor<16x64xf32>

// The loop writes itself.
// CHECK-LABEL: tile.kernel @loop_writes(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @loop_writes(%n: index, %rows: index, %x: !X) outs(%y: !X, %z: !X) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %w = tile.subview %y[0, 0] [%rows, 64] : !X -> !X
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %c0] [16, 64] : !X -> !T
    %a = tile.load %x[%i, %i] [16, 16] : !X -> tensor<16x16xf32>
    %r = tile.dot %a, %t, %acc : tensor<16x16xf32>, !T, !T -> !T
    tile.store %r, %z[%i, %c0] : !T, !X
    scf.yield %r : !T
  }
  tile.store %sum, %w[%m, %c0] : !T, !X
}

// -----

!X = !tile.view<?x64xf32>
!T = tensor<16x64xf32>

// The result decides whether something else is stored.
// CHECK-LABEL: tile.kernel @decides(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @decides(%n: index, %rows: index, %x: !X) outs(%y: !X, %z: !X) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %one = arith.constant 1.0 : f32
  %w = tile.subview %y[0, 0] [%rows, 64] : !X -> !X
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %c0] [16, 64] : !X -> !T
    %a = tile.load %x[%i, %i] [16, 16] : !X -> tensor<16x16xf32>
    %r = tile.dot %a, %t, %acc : tensor<16x16xf32>, !T, !T -> !T
    scf.yield %r : !T
  }
  tile.store %sum, %w[%m, %c0] : !T, !X
  %number = tensor.extract %sum[%c0, %c0] : !T
  %large = arith.cmpf ogt, %number, %one : f32
  scf.if %large {
    tile.store %zero, %z[%m, %c0] : !T, !X
  }
}

// -----

!X = !tile.view<?x64xf32>
!T = tensor<16x64xf32>

// Without a product, so little is saved that the store stays as it is.
// CHECK-LABEL: tile.kernel @no_product(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         scf.for %{{.*}} = %c0 to %[[N]]
// CHECK-NOT:     scf.if
tile.kernel @no_product(%n: index, %rows: index, %x: !X) outs(%y: !X) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %w = tile.subview %y[0, 0] [%rows, 64] : !X -> !X
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %c0] [16, 64] : !X -> !T
    %r = arith.addf %acc, %t : !T
    scf.yield %r : !T
  }
  tile.store %sum, %w[%m, %c0] : !T, !X
}

// -----

!X = !tile.view<?x4x64xf32>
!W = !tile.view<?x1x64xf32, strides=[256, 64, 1]>
!V = !tile.view<1x?x64xf32, strides=[64, 256, 1]>
!E = !tile.view<?x64xf32, strides=[256, 1]>
!T = tensor<16x64xf32>

// The window of a sequence in one of several heads, without the unit axis of the head.
// CHECK-LABEL: tile.kernel @entry_of_window(
// CHECK-SAME:    %[[N:[^:]*]]: index, %{{[^:]*}}: index, %[[ROWS:[^:]*]]: index)
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %[[ROWS]] : index
// CHECK:         %[[TO:.*]] = arith.select %[[INSIDE]], %[[N]], %c0
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[TO]]
// CHECK:         scf.if %[[INSIDE]] {
// CHECK-NEXT:      tile.store %[[SUM]]
tile.kernel @entry_of_window(%x: !X, %n: index, %first: index, %rows: index) outs(%y: !X) grid [8, 4] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
    %t = tile.load %x[%i, %h, %c0] [16, 1, 64] : !X -> tensor<16x1x64xf32>
    %t2 = tile.reshape %t [16, 64] : tensor<16x1x64xf32> -> !T
    %a = tile.load %x[%i, %h, %i] [16, 1, 16] : !X -> tensor<16x1x16xf32>
    %a2 = tile.reshape %a [16, 16] : tensor<16x1x16xf32> -> tensor<16x16xf32>
    %r = tile.dot %a2, %t2, %acc : tensor<16x16xf32>, !T, !T -> !T
    scf.yield %r : !T
  }
  %w = tile.subview %y[%first, %h, 0] [%rows, 1, 64] : !X -> !W
  %v = tile.transpose %w [1, 0, 2] : !W -> !V
  %e = tile.select %v[%c0] : !V -> !E
  tile.store %sum, %e[%m, %c0] : !T, !E
}
