// RUN: tilegpt-opt %s --tile-gpu-swap-operands --split-input-file | FileCheck %s

!X = !tile.view<256x256xbf16>
!Q = !tile.view<256x256xi8>
!F = !tile.view<256x256xf32>

// The right operand is computed, so the product is made transposed: its weights go to registers.
// CHECK-LABEL: tile.kernel @computed(
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} -> (tensor<64x32xf32>)
// CHECK:           %[[X:.*]] = tile.load {{.*}} -> tensor<32x64xbf16>
// CHECK:           %[[W:.*]] = arith.sitofp %{{.*}} : tensor<64x64xi8> to tensor<64x64xbf16>
// CHECK:           tile.dot %[[W]], %[[X]], %{{.*}} transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>
// CHECK:         tile.permute %[[SUM]] [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
tile.kernel @computed(%x: !X, %q: !Q) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %qt = tile.load %q[%n, %k] [64, 64] : !Q -> tensor<64x64xi8>
    %w = arith.sitofp %qt : tensor<64x64xi8> to tensor<64x64xbf16>
    %p = tile.dot %xt, %w, %acc transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %p : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !F
}

// -----

!X = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// Two loads stay where they are.
// CHECK-LABEL: tile.kernel @loaded(
// CHECK-NOT:     tile.permute
tile.kernel @loaded(%x: !X, %w: !X) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %wt = tile.load %w[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %p : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !F
}
