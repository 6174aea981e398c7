// Loops that multiply leave the conditions that guard a block's work.
// RUN: tilegpt-opt %s --tile-gpu-flatten-guards --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-flatten-guards --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// The window that the first tile is loaded from ends before it begins unless the condition holds.
// CHECK-LABEL: tile.kernel @guarded(
// CHECK-SAME:    %{{[^:]*}}: !tile.view<?x64xbf16>, %{{[^:]*}}: !tile.view<?x64xbf16>, %[[N:[^:]*]]: index, %[[ROWS:[^:]*]]: index)
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt
// CHECK:         %[[END:.*]] = arith.select %[[INSIDE]], %[[ROWS]], %c0
// CHECK-NEXT:    %[[WINDOW:.*]] = tile.subview %{{.*}}[8, 0] [%[[END]], 64]
// CHECK-NEXT:    %[[Q:.*]] = tile.load %[[WINDOW]]
// CHECK-NEXT:    %[[TO:.*]] = arith.select %[[INSIDE]], %[[N]], %c0
// CHECK-NEXT:    %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[TO]]
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[SUM]]
// CHECK:         scf.if %[[INSIDE]] {
// CHECK-NEXT:      tile.store %[[ROOT]]
// CHECK-NEXT:    }
tile.kernel @guarded(%x: !X, %k: !X, %n: index, %rows: index) outs(%y: !tile.view<?x64xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !T
  %begin = arith.muli %m, %c64 : index
  %inside = arith.cmpi slt, %begin, %rows : index
  scf.if %inside {
    %w = tile.subview %x[8, 0] [%rows, 64] : !X -> !X
    %q = tile.load %w[%m, %c0] [64, 64] : !X -> !A
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
      %t = tile.load %k[%i, %c0] [64, 64] : !X -> !A
      %r = tile.dot %q, %t, %acc : !A, !A, !T -> !T
      scf.yield %r : !T
    }
    %root = math.sqrt %sum : !T
    tile.store %root, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  }
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// Nested guards: both hold for the loop, and each store keeps its own.
// CHECK-LABEL: tile.kernel @nested(
// CHECK:         %[[OUTER:.*]] = arith.cmpi slt, %[[M:.*]], %
// CHECK:         %[[INNER:.*]] = arith.cmpi ne, %[[M]], %
// CHECK:         %[[FIRST:.*]] = arith.select %[[INNER]], %{{.*}}, %c0
// CHECK:         %[[BOTH:.*]] = arith.select %[[OUTER]], %[[FIRST]], %c0
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[BOTH]]
// CHECK:         scf.if %[[OUTER]] {
// CHECK-NEXT:      scf.if %[[INNER]] {
// CHECK-NEXT:        tile.store %[[SUM]]
tile.kernel @nested(%x: !X, %k: !X, %n: index, %rows: index) outs(%y: !tile.view<?x64xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %outer = arith.cmpi slt, %m, %rows : index
  scf.if %outer {
    %inner = arith.cmpi ne, %m, %c1 : index
    scf.if %inner {
      %q = tile.load %x[%m, %c0] [64, 64] : !X -> !A
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
        %t = tile.load %k[%i, %c0] [64, 64] : !X -> !A
        %r = tile.dot %q, %t, %acc : !A, !A, !T -> !T
        scf.yield %r : !T
      }
      tile.store %sum, %y[%m, %c0] : !T, !tile.view<?x64xf32>
    }
  }
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>
!W = !tile.view<64x?xbf16, strides=[1, 64]>

// A window made outside of the guard, which others may read: the guard's loads read a copy that is empty unless the
// condition holds.
// CHECK-LABEL: tile.kernel @window_outside(
// CHECK:         %[[W:.*]] = tile.subview %{{.*}}[%[[ROWS:.*]], 0] [%[[N:.*]], 64]
// CHECK:         tile.transpose %[[W]]
// CHECK:         %[[LEFT:.*]] = arith.select %[[SOME:.*]], %[[N]], %c0
// CHECK:         %[[COPY:.*]] = tile.subview %{{.*}}[%[[ROWS]], 0] [%[[LEFT]], 64]
// CHECK:         %[[T:.*]] = tile.transpose %[[COPY]]
// CHECK:         tile.load %[[T]]
// CHECK:         scf.for
// CHECK:         scf.if %[[SOME]] {
// CHECK-NEXT:      tile.store
// CHECK:         tile.load %[[W]]
tile.kernel @window_outside(%x: !X, %k: !X, %n: index, %rows: index)
    outs(%y: !tile.view<?x64xf32>, %z: !tile.view<?x64xbf16>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %w = tile.subview %x[%rows, 0] [%n, 64] : !X -> !X
  %t = tile.transpose %w [1, 0] : !X -> !W
  %some = arith.cmpi ne, %rows, %c0 : index
  scf.if %some {
    %q = tile.load %t[%c0, %c0] [64, 64] : !W -> !A
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
      %e = tile.load %k[%i, %c0] [64, 64] : !X -> !A
      %r = tile.dot %q, %e, %acc : !A, !A, !T -> !T
      scf.yield %r : !T
    }
    tile.store %sum, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  }
  %o = tile.load %w[%c0, %c0] [64, 64] : !X -> !A
  tile.store %o, %z[%m, %c0] : !A, !tile.view<?x64xbf16>
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// The window may be beyond the view unless the condition holds, and cannot be empty.
// WHY: @fixed_window: guard missed: a tile is loaded in the condition around the loop, from a window whose size is fixed
// CHECK-LABEL: tile.kernel @fixed_window(
// CHECK:         scf.if
// CHECK-NEXT:      tile.load
// CHECK:           scf.for
tile.kernel @fixed_window(%x: !X, %k: !X, %n: index, %rows: index) outs(%y: !tile.view<?x64xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %w = tile.subview %x[%rows, 0] [8, 64] : !X -> !tile.view<8x64xbf16>
  %some = arith.cmpi ne, %rows, %c0 : index
  scf.if %some {
    %q = tile.load %w[%c0, %c0] [64, 64] : !tile.view<8x64xbf16> -> !A
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
      %t = tile.load %k[%i, %c0] [64, 64] : !X -> !A
      %r = tile.dot %q, %t, %acc : !A, !A, !T -> !T
      scf.yield %r : !T
    }
    tile.store %sum, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  }
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// The condition is computed from a tile.
// WHY: @of_data: guard missed: the condition around the loop depends on more than sizes and single elements of inputs
// CHECK-LABEL: tile.kernel @of_data(
// CHECK:         scf.if
// CHECK:           scf.for
tile.kernel @of_data(%x: !X, %k: !X, %n: index) outs(%y: !tile.view<?x64xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : !T
  %q = tile.load %x[%m, %c0] [64, 64] : !X -> !A
  %f = tile.cast %q : !A to !T
  %most = tile.reduce max %f axis 1 : !T -> tensor<64xf32>
  %first = tensor.extract %most[%c0] : tensor<64xf32>
  %some = arith.cmpf ogt, %first, %none : f32
  scf.if %some {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
      %t = tile.load %k[%i, %c0] [64, 64] : !X -> !A
      %r = tile.dot %q, %t, %acc : !A, !A, !T -> !T
      scf.yield %r : !T
    }
    tile.store %sum, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  }
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// Something else happens where the condition does not hold.
// CHECK-LABEL: tile.kernel @two_ways(
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:         } else {
tile.kernel @two_ways(%x: !X, %k: !X, %n: index, %rows: index) outs(%y: !tile.view<?x64xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !T
  %some = arith.cmpi slt, %m, %rows : index
  scf.if %some {
    %q = tile.load %x[%m, %c0] [64, 64] : !X -> !A
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
      %t = tile.load %k[%i, %c0] [64, 64] : !X -> !A
      %r = tile.dot %q, %t, %acc : !A, !A, !T -> !T
      scf.yield %r : !T
    }
    tile.store %sum, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  } else {
    tile.store %zero, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  }
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// The rows are gathered, at places that may be anywhere unless the condition holds.
// WHY: @gathers: guard missed: the condition around the loop guards effects on which others depend
// CHECK-LABEL: tile.kernel @gathers(
// CHECK:         scf.if
// CHECK:           scf.for
tile.kernel @gathers(%x: !X, %k: !X, %n: index, %rows: index) outs(%y: !tile.view<?x64xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ids = tile.iota [64] : tensor<64xi32>
  %zero = arith.constant dense<0.0> : !T
  %some = arith.cmpi slt, %m, %rows : index
  scf.if %some {
    %q = tile.gather %x[%c0] at %ids axis 0 [64, 64] : !X, tensor<64xi32> -> !A
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!T) {
      %t = tile.load %k[%i, %c0] [64, 64] : !X -> !A
      %r = tile.dot %q, %t, %acc : !A, !A, !T -> !T
      scf.yield %r : !T
    }
    tile.store %sum, %y[%m, %c0] : !T, !tile.view<?x64xf32>
  }
}
