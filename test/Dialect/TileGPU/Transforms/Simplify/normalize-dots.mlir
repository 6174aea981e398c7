// RUN: tilegpt-opt %s --tile-gpu-normalize-dots --canonicalize --split-input-file | FileCheck %s

!V = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// A tile of a transposed view is loaded as it lies, and the dot says that it is turned.
// CHECK-LABEL: tile.kernel @transposed_view(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[W:[a-z0-9]+]]:
// CHECK-DAG:     %[[XT:.*]] = tile.load %[[X]][%[[M:.*]], %[[N:.*]]] [64, 32]
// CHECK-DAG:     %[[WT:.*]] = tile.load %[[W]][%[[N]], %[[M]]] [128, 32]
// CHECK:         tile.dot %[[XT]], %[[WT]], %{{.*}} transpose_b
// CHECK-NOT:     tile.transpose
tile.kernel @transposed_view(%x: !V, %w: !V) outs(%y: !F) grid [2, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %t = tile.transpose %w [1, 0] : !V -> !tile.view<256x256xbf16, strides=[1, 256]>
  %xt = tile.load %x[%m, %n] [64, 32] : !V -> tensor<64x32xbf16>
  %wt = tile.load %t[%m, %n] [32, 128] : !tile.view<256x256xbf16, strides=[1, 256]> -> tensor<32x128xbf16>
  %s = tile.dot %xt, %wt, %z : tensor<64x32xbf16>, tensor<32x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  tile.store %s, %y[%m, %n] : tensor<64x128xf32>, !F
}

// -----

!V = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// What is added to a dot onto zeros in a loop is what it sums up.
// CHECK-LABEL: tile.kernel @added(
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<64x128xf32>)
// CHECK:           %[[S:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK-NOT:       arith.addf
// CHECK:           scf.yield %[[S]]
tile.kernel @added(%x: !V, %w: !V) outs(%y: !F) grid [2, 2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<64x128xf32>) {
    %xt = tile.load %x[%m, %k] [64, 64] : !V -> tensor<64x64xbf16>
    %wt = tile.load %w[%k, %n] [64, 128] : !V -> tensor<64x128xbf16>
    %p = tile.dot %xt, %wt, %z : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    %a = arith.addf %acc, %p : tensor<64x128xf32>
    scf.yield %a : tensor<64x128xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x128xf32>, !F
}
