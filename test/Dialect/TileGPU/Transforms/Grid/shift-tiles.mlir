// RUN: tilegpt-opt %s --tile-gpu-make-plan --tile-gpu-shift-tiles --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-make-plan="target=sm_80" --tile-gpu-shift-tiles --split-input-file | FileCheck %s --check-prefix=OLD
// RUN: tilegpt-opt %s --tile-gpu-make-plan --tile-gpu-shift-tiles --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// Without a producer there is nothing to gain.
// OLD-NOT:     tile.subview

// 202 rows in tiles of 128, 984 columns in tiles of 96: both last tiles shift inward, for the bias and the result as
// well.
// CHECK-LABEL: tile.kernel @both
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C74:.*]] = arith.constant 74 : index
// CHECK-DAG:     %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[C888:.*]] = arith.constant 888 : index
// CHECK:         %[[N:.*]] = tile.block_id 1
// CHECK:         %[[NT:.*]] = arith.muli %[[N]], %[[C96]]
// CHECK:         %[[NM:.*]] = arith.minui %[[NT]], %[[C888]]
// CHECK:         %[[NB:.*]] = tile.assume %[[NM]] div_by 8 bounded [0, 888]
// CHECK-DAG:     %[[W:.*]] = tile.subview %{{.*}}[%[[NB]], 0] [96, 1024]
// CHECK-DAG:     %[[B:.*]] = tile.subview %{{.*}}[%[[NB]]] [96]
// CHECK:         %[[M:.*]] = tile.block_id 0
// CHECK:         %[[MT:.*]] = arith.muli %[[M]], %[[C128]]
// CHECK:         %[[MM:.*]] = arith.minui %[[MT]], %[[C74]]
// CHECK:         %[[MB:.*]] = tile.assume %[[MM]] div_by 2 bounded [0, 74]
// CHECK:         %[[X:.*]] = tile.subview %{{.*}}[%[[MB]], 0] [128, 1024]
// CHECK:         scf.for %[[K:.*]] = %[[C0]]
// CHECK:           tile.load %[[X]][%[[C0]], %[[K]]] [128, 64]
// CHECK:           tile.load %[[W]][%[[C0]], %[[K]]] [96, 64]
// CHECK:         tile.load %[[B]][%[[C0]]] [96]
// CHECK:         tile.store %{{.*}}, %{{.*}}[%[[C0]], %[[C0]]] : tensor<128x96xbf16>, !tile.view<128x96xbf16, strides=[984, 1]>
// WHY: @both: grid: the last tile of 128 is shifted to end at 202
// WHY: @both: grid: the last tile of 96 is shifted to end at 984
tile.kernel @both(%x: !tile.view<202x1024xbf16>, %w: !tile.view<984x1024xbf16>, %b: !tile.view<984xf32>)
    outs(%y: !tile.view<202x984xbf16>) grid [2, 11] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<128x96xf32>
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (tensor<128x96xf32>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !tile.view<202x1024xbf16> -> tensor<128x64xbf16>
    %wt = tile.load %w[%n, %k] [96, 64] : !tile.view<984x1024xbf16> -> tensor<96x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16>, tensor<96x64xbf16>, tensor<128x96xf32> -> tensor<128x96xf32>
    scf.yield %next : tensor<128x96xf32>
  }
  %bt = tile.load %b[%n] [96] : !tile.view<984xf32> -> tensor<96xf32>
  %bias = tile.broadcast %bt [128, 96] : tensor<96xf32> -> tensor<128x96xf32>
  %r = arith.addf %sum, %bias : tensor<128x96xf32>
  %out = tile.cast %r : tensor<128x96xf32> to tensor<128x96xbf16>
  tile.store %out, %y[%m, %n] : tensor<128x96xbf16>, !tile.view<202x984xbf16>
}

// -----

// Fewer rows than a tile has, and columns of whole tiles, stay.
// CHECK-LABEL: tile.kernel @neither
// CHECK-NOT:     tile.subview
tile.kernel @neither(%x: !tile.view<100x1024xbf16>, %w: !tile.view<960x1024xbf16>)
    outs(%y: !tile.view<100x960xbf16>) grid [1, 10] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<128x96xf32>
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (tensor<128x96xf32>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !tile.view<100x1024xbf16> -> tensor<128x64xbf16>
    %wt = tile.load %w[%n, %k] [96, 64] : !tile.view<960x1024xbf16> -> tensor<96x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16>, tensor<96x64xbf16>, tensor<128x96xf32> -> tensor<128x96xf32>
    scf.yield %next : tensor<128x96xf32>
  }
  %out = tile.cast %sum : tensor<128x96xf32> to tensor<128x96xbf16>
  tile.store %out, %y[%m, %n] : tensor<128x96xbf16>, !tile.view<100x960xbf16>
}

// -----

// A tile is divided by its row maximum: the columns stay, since overlapping tiles would be divided differently.
// CHECK-LABEL: tile.kernel @scaled
// CHECK-DAG:     tile.subview %{{.*}}[%{{.*}}, 0] [128, 1024]
// CHECK-NOT:     [96, 1024]
// CHECK:         tile.store
tile.kernel @scaled(%x: !tile.view<202x1024xbf16>, %w: !tile.view<1000x1024xbf16>)
    outs(%y: !tile.view<202x1000xbf16>) grid [2, 11] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<128x96xf32>
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (tensor<128x96xf32>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !tile.view<202x1024xbf16> -> tensor<128x64xbf16>
    %wt = tile.load %w[%n, %k] [96, 64] : !tile.view<1000x1024xbf16> -> tensor<96x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16>, tensor<96x64xbf16>, tensor<128x96xf32> -> tensor<128x96xf32>
    scf.yield %next : tensor<128x96xf32>
  }
  %max = tile.reduce max %sum axis 1 keepdims : tensor<128x96xf32> -> tensor<128x1xf32>
  %most = tile.broadcast %max [128, 96] : tensor<128x1xf32> -> tensor<128x96xf32>
  %r = arith.divf %sum, %most : tensor<128x96xf32>
  %out = tile.cast %r : tensor<128x96xf32> to tensor<128x96xbf16>
  tile.store %out, %y[%m, %n] : tensor<128x96xbf16>, !tile.view<202x1000xbf16>
}

// -----

// The stored tensor is read: rows that two blocks compute would be added twice.
// CHECK-LABEL: tile.kernel @in_place
// CHECK-NOT:     tile.subview
tile.kernel @in_place(%x: !tile.view<202x1024xbf16>, %w: !tile.view<1000x1024xbf16>)
    outs(%y: !tile.view<202x1000xbf16>) grid [2, 11] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<128x96xf32>
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (tensor<128x96xf32>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !tile.view<202x1024xbf16> -> tensor<128x64xbf16>
    %wt = tile.load %w[%n, %k] [96, 64] : !tile.view<1000x1024xbf16> -> tensor<96x64xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16>, tensor<96x64xbf16>, tensor<128x96xf32> -> tensor<128x96xf32>
    scf.yield %next : tensor<128x96xf32>
  }
  %before = tile.load %y[%m, %n] [128, 96] : !tile.view<202x1000xbf16> -> tensor<128x96xbf16>
  %wide = tile.cast %before : tensor<128x96xbf16> to tensor<128x96xf32>
  %r = arith.addf %sum, %wide : tensor<128x96xf32>
  %out = tile.cast %r : tensor<128x96xf32> to tensor<128x96xbf16>
  tile.store %out, %y[%m, %n] : tensor<128x96xbf16>, !tile.view<202x1000xbf16>
}
