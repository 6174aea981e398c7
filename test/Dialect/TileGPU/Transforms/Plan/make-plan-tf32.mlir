// tf32 dots with operands whose contiguous axis is not the depth: wgmma reads 32-bit elements only along the depth. The loop
// rounds and transposes those operands, and takes one of them as lhs, in registers. An operand along the depth is multiplied
// where the producer copies it.
// RUN: tilegpt-opt %s --tile-gpu-make-plan | FileCheck %s

// CHECK-DAG: #[[SHORT:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 8, producer
// CHECK-DAG: #[[STAGED:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer

!A = !tile.view<?x1024xf32>
!B = !tile.view<1024x4096xf32>
!F = tensor<128x128xf32>

// CHECK-LABEL: tile.kernel @right_along_n(
// CHECK:         %[[R:.*]] = scf.for
// CHECK:           %[[A:.*]] = tile.load %arg0
// CHECK:           %[[B:.*]] = tile.load %arg1
// CHECK:           %[[ROUNDED:.*]] = arith.select %{{.*}}, %[[B]], %{{.*}} : tensor<32x128xi1>, tensor<32x128xf32>
// CHECK:           %[[LEFT:.*]] = tile.permute %[[ROUNDED]] [1, 0]
// CHECK:           tile.dot %[[LEFT]], %[[A]], %{{.*}} transpose_b precision(tf32)
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
// CHECK:           %[[B:.*]] = tile.load %arg1
// CHECK:           %[[LEFT:.*]] = tile.permute %{{.*}} [1, 0] : tensor<32x128xf32>
// CHECK:           tile.dot %[[LEFT]], %[[B]], %{{.*}} transpose_b precision(tf32)
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

// Both are transposed: the rhs through shared memory.
// CHECK-LABEL: tile.kernel @both_across(
// CHECK-DAG:       %[[LEFT:.*]] = tile.permute %{{.*}} [1, 0] : tensor<32x128xf32>
// CHECK-DAG:       %[[RIGHT:.*]] = tile.permute %{{.*}} [1, 0] : tensor<32x64xf32>
// CHECK:           tile.dot %[[LEFT]], %[[RIGHT]], %{{.*}} transpose_b precision(tf32)
tile.kernel @both_across(%a: !tile.view<1024x4096xf32>, %b: !B) outs(%y: !tile.view<4096x4096xf32>) grid [32, 64] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<128x64xf32>) {
    %at = tile.load %a[%k, %m] [32, 128] : !tile.view<1024x4096xf32> -> tensor<32x128xf32>
    %bt = tile.load %b[%k, %n] [32, 64] : !B -> tensor<32x64xf32>
    %s = tile.dot %at, %bt, %acc transpose_a precision(tf32) : tensor<32x128xf32>, tensor<32x64xf32>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %s : tensor<128x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x64xf32>, !tile.view<4096x4096xf32>
}

// Small tiles have as many stages as hide the latency of their copies …
// CHECK-LABEL: tile.kernel @small_right_along_n(
// CHECK:         attributes {tile_gpu.plan = #[[SHORT]]}
tile.kernel @small_right_along_n(%a: !tile.view<96x1024xf32>, %b: !B) outs(%y: !tile.view<96x4096xf32>) grid [6, 64] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<16x64xf32>) {
    %at = tile.load %a[%m, %k] [16, 32] : !tile.view<96x1024xf32> -> tensor<16x32xf32>
    %bt = tile.load %b[%k, %n] [32, 64] : !B -> tensor<32x64xf32>
    %s = tile.dot %at, %bt, %acc precision(tf32) : tensor<16x32xf32>, tensor<32x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
    scf.yield %s : tensor<16x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<16x64xf32>, !tile.view<96x4096xf32>
}

// … but four if an operand also goes through shared memory.
// CHECK-LABEL: tile.kernel @small_both_across(
// CHECK:         attributes {tile_gpu.plan = #[[STAGED]]}
tile.kernel @small_both_across(%a: !tile.view<1024x4096xf32>, %b: !B) outs(%y: !tile.view<4096x4096xf32>) grid [64, 128] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<64x32xf32>) {
    %at = tile.load %a[%k, %m] [32, 64] : !tile.view<1024x4096xf32> -> tensor<32x64xf32>
    %bt = tile.load %b[%k, %n] [32, 32] : !B -> tensor<32x32xf32>
    %s = tile.dot %at, %bt, %acc transpose_a precision(tf32) : tensor<32x64xf32>, tensor<32x32xf32>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %s : tensor<64x32xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x32xf32>, !tile.view<4096x4096xf32>
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
