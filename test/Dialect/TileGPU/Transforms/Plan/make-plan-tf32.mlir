// tf32 dots with operands whose contiguous axis is not the depth: wgmma reads 32-bit elements only along the depth, and
// truncates them. The loop rounds both, transposes those operands, and takes a transposed one as lhs, in registers.
// RUN: tilegpt-opt %s --tile-gpu-make-plan | FileCheck %s

!A = !tile.view<?x1024xf32>
!B = !tile.view<1024x4096xf32>
!F = tensor<128x128xf32>

// CHECK-LABEL: tile.kernel @right_along_n(
// CHECK:         %[[R:.*]] = scf.for
// CHECK:           %[[A:.*]] = tile.load %arg0
// CHECK:           %[[B:.*]] = tile.load %arg1
// CHECK:           %[[RIGHT:.*]] = arith.select %{{.*}}, %[[A]], %{{.*}} : tensor<128x32xi1>, tensor<128x32xf32>
// CHECK:           %[[ROUNDED:.*]] = arith.select %{{.*}}, %[[B]], %{{.*}} : tensor<32x128xi1>, tensor<32x128xf32>
// CHECK:           %[[LEFT:.*]] = tile.permute %[[ROUNDED]] [1, 0]
// CHECK:           tile.dot %[[LEFT]], %[[RIGHT]], %{{.*}} transpose_b precision(tf32)
// CHECK:         tile.permute %[[R]] [1, 0]
tile.kernel @right_along_n(%a: !A, %b: !B) outs(%y: !tile.view<?x4096xf32>) grid [ceildiv(dim(%y, 0), 128), 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : !F
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (!F) {
    %at = tile.load %a[%m, %k] [128, 32] : !A -> tensor<128x32xf32>
    %bt = tile.load %b[%k, %n] [32, 128] : !B -> tensor<32x128xf32>
    %s = tile.dot %at, %bt, %acc precision(tf32) : tensor<128x32xf32>, tensor<32x128xf32>, !F -> !F
    scf.yield %s : !F
  }
  tile.store %r, %y[%m, %n] : !F, !tile.view<?x4096xf32>
}

// The operand to transpose is already the lhs.
// CHECK-LABEL: tile.kernel @left_along_m(
// CHECK:           %[[LEFT:.*]] = tile.permute %{{.*}} [1, 0] : tensor<32x128xf32>
// CHECK:           tile.dot %[[LEFT]], %{{.*}}, %{{.*}} transpose_b precision(tf32)
// CHECK-NOT:     tile.permute
tile.kernel @left_along_m(%a: !tile.view<1024x4096xf32>, %b: !tile.view<4096x1024xf32>) outs(%y: !tile.view<4096x4096xf32>) grid [32, 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : !F
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (!F) {
    %at = tile.load %a[%k, %m] [32, 128] : !tile.view<1024x4096xf32> -> tensor<32x128xf32>
    %bt = tile.load %b[%n, %k] [128, 32] : !tile.view<4096x1024xf32> -> tensor<128x32xf32>
    %s = tile.dot %at, %bt, %acc transpose_a transpose_b precision(tf32) : tensor<32x128xf32>, tensor<128x32xf32>, !F -> !F
    scf.yield %s : !F
  }
  tile.store %r, %y[%m, %n] : !F, !tile.view<4096x4096xf32>
}

// Full precision: nothing is rounded.
// CHECK-LABEL: tile.kernel @all_digits(
// CHECK-NOT:     arith.select
// CHECK:         tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x32xf32>, tensor<32x128xf32>
tile.kernel @all_digits(%a: !A, %b: !B) outs(%y: !tile.view<?x4096xf32>) grid [ceildiv(dim(%y, 0), 128), 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : !F
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (!F) {
    %at = tile.load %a[%m, %k] [128, 32] : !A -> tensor<128x32xf32>
    %bt = tile.load %b[%k, %n] [32, 128] : !B -> tensor<32x128xf32>
    %s = tile.dot %at, %bt, %acc : tensor<128x32xf32>, tensor<32x128xf32>, !F -> !F
    scf.yield %s : !F
  }
  tile.store %r, %y[%m, %n] : !F, !tile.view<?x4096xf32>
}

// The loop uses a loaded tile in two dots: it stays as it is.
// CHECK-LABEL: tile.kernel @two_products(
// CHECK-NOT:     arith.select
// CHECK-COUNT-2: tile.dot %{{.*}} precision(tf32)
tile.kernel @two_products(%a: !A, %b: !B) outs(%y: !tile.view<?x4096xf32>) grid [ceildiv(dim(%y, 0), 128), 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : !F
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (!F) {
    %at = tile.load %a[%m, %k] [128, 32] : !A -> tensor<128x32xf32>
    %bt = tile.load %b[%k, %n] [32, 128] : !B -> tensor<32x128xf32>
    %s = tile.dot %at, %bt, %acc precision(tf32) : tensor<128x32xf32>, tensor<32x128xf32>, !F -> !F
    %t = tile.dot %at, %bt, %s precision(tf32) : tensor<128x32xf32>, tensor<32x128xf32>, !F -> !F
    scf.yield %t : !F
  }
  tile.store %r, %y[%m, %n] : !F, !tile.view<?x4096xf32>
}
