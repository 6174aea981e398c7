// RUN: tilegpt-opt %s --tile-gpu-make-plan --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-make-plan --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// 34 tiles of 16 x 8, whose blocks split K in pairs: each copies 4 KB for each of 88 steps, so two steps become one. The last
// step reads zeros past the end of K.
// CHECK:       parts = 2
// CHECK-LABEL: tile.kernel @many_short_steps
// CHECK:         %[[STEPS:.*]] = arith.constant 88 : index
// CHECK:         scf.for {{.*}} to %[[STEPS]]
// CHECK:           tile.load {{.*}} [16, 128]
// CHECK:           tile.load {{.*}} [8, 128]
// WHY: @many_short_steps: tile: two short steps along K become one
!X = !tile.view<15x11192xbf16>
!W = !tile.view<272x11192xbf16>
!Y = !tile.view<15x272xf32>
tile.kernel @many_short_steps(%x: !X, %w: !W) outs(%y: !Y) grid [34] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 175 : index
  %init = arith.constant dense<0.0> : tensor<16x8xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<16x8xf32>) {
    %xt = tile.load %x[%c0, %k] [16, 64] : !X -> tensor<16x64xbf16>
    %wt = tile.load %w[%n, %k] [8, 64] : !W -> tensor<8x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<16x64xbf16>, tensor<8x64xbf16>, tensor<16x8xf32> -> tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }
  tile.store %sum, %y[%c0, %n] : tensor<16x8xf32>, !Y
}

// -----

// Too few steps for two rounds of stages.
// CHECK-LABEL: tile.kernel @few_steps
// CHECK:           tile.load {{.*}} [16, 64]
// CHECK:           tile.load {{.*}} [8, 64]
// WHY-NOT: @few_steps: tile: two short steps
!X = !tile.view<15x2048xbf16>
!W = !tile.view<272x2048xbf16>
!Y = !tile.view<15x272xf32>
tile.kernel @few_steps(%x: !X, %w: !W) outs(%y: !Y) grid [34] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 32 : index
  %init = arith.constant dense<0.0> : tensor<16x8xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<16x8xf32>) {
    %xt = tile.load %x[%c0, %k] [16, 64] : !X -> tensor<16x64xbf16>
    %wt = tile.load %w[%n, %k] [8, 64] : !W -> tensor<8x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<16x64xbf16>, tensor<8x64xbf16>, tensor<16x8xf32> -> tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }
  tile.store %sum, %y[%c0, %n] : tensor<16x8xf32>, !Y
}

// -----

// Steps of 18 KB have work for their synchronization.
// CHECK-LABEL: tile.kernel @large_steps
// CHECK:           tile.load {{.*}} [16, 64]
// CHECK:           tile.load {{.*}} [128, 64]
// WHY-NOT: @large_steps: tile: two short steps
!X = !tile.view<15x11192xbf16>
!W = !tile.view<12800x11192xbf16>
!Y = !tile.view<15x12800xf32>
tile.kernel @large_steps(%x: !X, %w: !W) outs(%y: !Y) grid [100] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 175 : index
  %init = arith.constant dense<0.0> : tensor<16x128xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<16x128xf32>) {
    %xt = tile.load %x[%c0, %k] [16, 64] : !X -> tensor<16x64xbf16>
    %wt = tile.load %w[%n, %k] [128, 64] : !W -> tensor<128x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<16x64xbf16>, tensor<128x64xbf16>, tensor<16x128xf32> -> tensor<16x128xf32>
    scf.yield %next : tensor<16x128xf32>
  }
  tile.store %sum, %y[%c0, %n] : tensor<16x128xf32>, !Y
}
