// RUN: tilegpt-opt %s --tile-gpu-resize-tiles --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-resize-tiles --split-input-file --explain 2>&1 | FileCheck %s --check-prefix=WHY

!A = !tile.view<200x100xbf16>
!B = !tile.view<100x160xbf16>
!Y = !tile.view<200x160xf32>
!S = tensor<40x80xf32>

// Two tiles of 24 elements are three MMA instructions; five iterations become three, whose last tile ends with zeros.
// CHECK-LABEL: tile.kernel @narrow
// CHECK:         %[[END:.*]] = arith.constant 3 : index
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %[[END]]
// CHECK:           tile.load %{{.*}}[%{{.*}}, %[[K]]] [40, 48] {{.*}} -> tensor<40x48xbf16>
// CHECK:           tile.load %{{.*}}[%[[K]], %{{.*}}] [48, 80] {{.*}} -> tensor<48x80xbf16>
// CHECK:           tile.dot {{.*}} : tensor<40x48xbf16>, tensor<48x80xbf16>, tensor<40x80xf32>
// WHY: tile: one iteration does the work of 2, whose K together is a multiple of the MMA instruction's
tile.kernel @narrow(%a: !A, %b: !B) outs(%y: !Y) grid [5, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%m, %k] [40, 24] : !A -> tensor<40x24xbf16>
    %bt = tile.load %b[%k, %n] [24, 80] : !B -> tensor<24x80xbf16>
    %d = tile.dot %at, %bt, %acc : tensor<40x24xbf16>, tensor<24x80xbf16>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// -----

// Two dots of one sum, and two of an operand: all tiles grow.
!A = !tile.view<64x160xi8>
!B = !tile.view<16x160xi8>
!S = tensor<64x16xi32>
// CHECK-LABEL: tile.kernel @several
// CHECK-COUNT-3: tile.load {{.*}} [{{64|16}}, 160]
// CHECK:         tile.dot {{.*}} transpose_b : tensor<64x160xi8>, tensor<16x160xi8>
// CHECK:         tile.dot {{.*}} transpose_b : tensor<64x160xi8>, tensor<16x160xi8>
tile.kernel @several(%a: !A, %b: !B, %c: !B) outs(%y: !tile.view<64x16xi32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0> : !S
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%c0, %k] [64, 40] : !A -> tensor<64x40xi8>
    %bt = tile.load %b[%c0, %k] [16, 40] : !B -> tensor<16x40xi8>
    %ct = tile.load %c[%c0, %k] [16, 40] : !B -> tensor<16x40xi8>
    %d = tile.dot %at, %bt, %acc transpose_b : tensor<64x40xi8>, tensor<16x40xi8>, !S -> !S
    %e = tile.dot %at, %ct, %d transpose_b : tensor<64x40xi8>, tensor<16x40xi8>, !S -> !S
    scf.yield %e : !S
  }
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<64x16xi32>
}

// -----

// The loop ends before the data: a last tile of 48 elements would sum more.
!A = !tile.view<64x160xbf16>
!S = tensor<64x64xf32>
// CHECK-LABEL: tile.kernel @prefix
// CHECK-COUNT-2: tile.load {{.*}} [64, 24]
tile.kernel @prefix(%a: !A) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%c0, %k] [64, 24] : !A -> tensor<64x24xbf16>
    %bt = tile.load %a[%c1, %k] [64, 24] : !A -> tensor<64x24xbf16>
    %d = tile.dot %at, %bt, %acc transpose_b : tensor<64x24xbf16>, tensor<64x24xbf16>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<64x64xf32>
}

// -----

// The number of the iteration, or a tile, has another use.
!A = !tile.view<64x120xbf16>
!S = tensor<64x64xf32>
// CHECK-LABEL: tile.kernel @counted
// CHECK-COUNT-2: tile.load {{.*}} [64, 24]
tile.kernel @counted(%a: !A) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%c0, %k] [64, 24] : !A -> tensor<64x24xbf16>
    %bt = tile.load %a[%k, %k] [64, 24] : !A -> tensor<64x24xbf16>
    %d = tile.dot %at, %bt, %acc transpose_b : tensor<64x24xbf16>, tensor<64x24xbf16>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<64x64xf32>
}
// CHECK-LABEL: tile.kernel @scaled
// CHECK-COUNT-2: tile.load {{.*}} [64, 24]
tile.kernel @scaled(%a: !A) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%c0, %k] [64, 24] : !A -> tensor<64x24xbf16>
    %bt = tile.load %a[%c0, %k] [64, 24] : !A -> tensor<64x24xbf16>
    %half = arith.addf %acc, %acc : !S
    %d = tile.dot %at, %bt, %half transpose_b : tensor<64x24xbf16>, tensor<64x24xbf16>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<64x64xf32>
}

// -----

// Whole instructions need nothing, FMA takes any K, and eight tiles of 49 elements would be too deep.
!A = !tile.view<64x490xf32>
!H = !tile.view<64x490xf16>
!S = tensor<64x64xf32>
// CHECK-LABEL: tile.kernel @others
// CHECK:         tile.load {{.*}} [64, 49] {{.*}} -> tensor<64x49xf32>
// CHECK:         tile.load {{.*}} [64, 49] {{.*}} -> tensor<64x49xf16>
// CHECK:         tile.load {{.*}} [64, 16] {{.*}} -> tensor<64x16xf16>
tile.kernel @others(%a: !A, %h: !H) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c31 = arith.constant 31 : index
  %zero = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%c0, %k] [64, 49] : !A -> tensor<64x49xf32>
    %d = tile.dot %at, %at, %acc transpose_b : tensor<64x49xf32>, tensor<64x49xf32>, !S -> !S
    scf.yield %d : !S
  }
  %s = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %r) -> (!S) {
    %at = tile.load %h[%c0, %k] [64, 49] : !H -> tensor<64x49xf16>
    %d = tile.dot %at, %at, %acc transpose_b : tensor<64x49xf16>, tensor<64x49xf16>, !S -> !S
    scf.yield %d : !S
  }
  %t = scf.for %k = %c0 to %c31 step %c1 iter_args(%acc = %s) -> (!S) {
    %at = tile.load %h[%c0, %k] [64, 16] : !H -> tensor<64x16xf16>
    %d = tile.dot %at, %at, %acc transpose_b : tensor<64x16xf16>, tensor<64x16xf16>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %t, %y[%c0, %c0] : !S, !tile.view<64x64xf32>
}

// -----

// Batched dots keep their tiles.
!A = !tile.view<4x64x96xbf16>
!S = tensor<4x64x64xf32>
// CHECK-LABEL: tile.kernel @batched
// CHECK:         tile.load {{.*}} [4, 64, 24]
tile.kernel @batched(%a: !A) outs(%y: !tile.view<4x64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (!S) {
    %at = tile.load %a[%c0, %c0, %k] [4, 64, 24] : !A -> tensor<4x64x24xbf16>
    %d = tile.dot %at, %at, %acc transpose_b : tensor<4x64x24xbf16>, tensor<4x64x24xbf16>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%c0, %c0, %c0] : !S, !tile.view<4x64x64xf32>
}
