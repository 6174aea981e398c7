// RUN: tilegpt-opt %s --tile-gpu-defer-reductions --split-input-file | FileCheck %s

// The tiles are accumulated, and reduced after the loop; the initial value is added there.
// CHECK-LABEL: tile.kernel @column_sum
// CHECK-DAG:     %[[INIT:.*]] = arith.constant dense<3.000000e+00> : tensor<32xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK:         %[[L:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[ZERO]]) -> (tensor<64x32xf32>)
// CHECK:           %[[T:.*]] = tile.load
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[A]], %[[T]] : tensor<64x32xf32>
// CHECK-NEXT:      scf.yield %[[S]]
// CHECK:         %[[R:.*]] = tile.reduce add %[[L]] axis 0
// CHECK:         %[[SUM:.*]] = arith.addf %[[INIT]], %[[R]]
// CHECK:         tile.store %[[SUM]]
tile.kernel @column_sum(%x: !tile.view<4096x32xf32>) outs(%y: !tile.view<32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<3.0> : tensor<32xf32>
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> (tensor<32xf32>) {
    %t = tile.load %x[%i, %c0] [64, 32] : !tile.view<4096x32xf32> -> tensor<64x32xf32>
    %s = tile.reduce add %t axis 0 : tensor<64x32xf32> -> tensor<32xf32>
    %b = arith.addf %a, %s : tensor<32xf32>
    scf.yield %b : tensor<32xf32>
  }
  tile.store %r, %y[%c0] : tensor<32xf32>, !tile.view<32xf32>
}

// -----

// A maximum is no sum; sums of bf16 are rounded where the kernel does.
// CHECK-LABEL: tile.kernel @near_misses
// CHECK:         scf.for {{.*}} -> (tensor<32xf32>, tensor<32xbf16>)
// CHECK:           tile.reduce max
// CHECK:           arith.addf
// CHECK:           tile.reduce add
// CHECK:           arith.addf
// CHECK:           scf.yield
tile.kernel @near_misses(%x: !tile.view<4096x32xf32>) outs(%y: !tile.view<32xf32>, %v: !tile.view<32xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<32xf32>
  %zh = arith.constant dense<0.0> : tensor<32xbf16>
  %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z, %c = %zh) -> (tensor<32xf32>, tensor<32xbf16>) {
    %t = tile.load %x[%i, %c0] [64, 32] : !tile.view<4096x32xf32> -> tensor<64x32xf32>
    %s = tile.reduce max %t axis 0 : tensor<64x32xf32> -> tensor<32xf32>
    %b = arith.addf %a, %s : tensor<32xf32>
    %h = tile.cast %t : tensor<64x32xf32> to tensor<64x32xbf16>
    %hs = tile.reduce add %h axis 0 : tensor<64x32xbf16> -> tensor<32xbf16>
    %d = arith.addf %c, %hs : tensor<32xbf16>
    scf.yield %b, %d : tensor<32xf32>, tensor<32xbf16>
  }
  tile.store %r#0, %y[%c0] : tensor<32xf32>, !tile.view<32xf32>
  tile.store %r#1, %v[%c0] : tensor<32xbf16>, !tile.view<32xbf16>
}
