// RUN: tilegpt-opt %s --tile-gpu-fold-rows --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-fold-rows --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// Rows of 40 bytes: tiles of whole rows that are whole units of 16 bytes, four for each thread.
// CHECK-LABEL: tile.kernel @narrow
// CHECK:         grid [1]
// CHECK:         %[[END:.*]] = arith.constant 4696 : index
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<204x10xf32>)
// CHECK:           tile.load %{{.*}}[%[[I]], %{{.*}}] [204, 10]
// CHECK:         tile.reduce add %{{.*}} axis 0 : tensor<204x10xf32> -> tensor<10xf32>
// WHY: @narrow: tile: tiles have all 10 columns of 204 rows: contiguous memory, which is read in whole units
tile.kernel @narrow(%x: !tile.view<957847x10xf32>) outs(%y: !tile.view<10xf32>) grid [2] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14967 = arith.constant 14967 : index
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  %r = scf.for %i = %c0 to %c14967 step %c1 iter_args(%a = %z) -> (tensor<64x8xf32>) {
    %t = tile.load %x[%i, %n] [64, 8] : !tile.view<957847x10xf32> -> tensor<64x8xf32>
    %b = arith.addf %a, %t : tensor<64x8xf32>
    scf.yield %b : tensor<64x8xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x8xf32> -> tensor<8xf32>
  tile.store %s, %y[%n] : tensor<8xf32>, !tile.view<10xf32>
}

// -----

// Rows of whole units in tiles of whole lines stay as they are.
// CHECK-LABEL: tile.kernel @aligned
// CHECK:         tile.load %{{.*}} [64, 32]
tile.kernel @aligned(%x: !tile.view<957888x32xf32>) outs(%y: !tile.view<32xf32>) grid [1] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14967 = arith.constant 14967 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c14967 step %c1 iter_args(%a = %z) -> (tensor<64x32xf32>) {
    %t = tile.load %x[%i, %n] [64, 32] : !tile.view<957888x32xf32> -> tensor<64x32xf32>
    %b = arith.addf %a, %t : tensor<64x32xf32>
    scf.yield %b : tensor<64x32xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  tile.store %s, %y[%n] : tensor<32xf32>, !tile.view<32xf32>
}

// -----

// So do rows whose results take long to exchange, and maxima, to which rows behind the last are not neutral.
// CHECK-LABEL: tile.kernel @wide
// CHECK:         tile.load %{{.*}} [64, 8]
// CHECK-LABEL: tile.kernel @maxima
// CHECK:         tile.load %{{.*}} [64, 8]
// CHECK-LABEL: tile.kernel @numbered
// CHECK:         tile.load %{{.*}} [64, 8]
tile.kernel @wide(%x: !tile.view<58388x18xf32>) outs(%y: !tile.view<18xf32>) grid [3] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c913 = arith.constant 913 : index
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  %r = scf.for %i = %c0 to %c913 step %c1 iter_args(%a = %z) -> (tensor<64x8xf32>) {
    %t = tile.load %x[%i, %n] [64, 8] : !tile.view<58388x18xf32> -> tensor<64x8xf32>
    %b = arith.addf %a, %t : tensor<64x8xf32>
    scf.yield %b : tensor<64x8xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x8xf32> -> tensor<8xf32>
  tile.store %s, %y[%n] : tensor<8xf32>, !tile.view<18xf32>
}
tile.kernel @maxima(%x: !tile.view<957847x10xf32>) outs(%y: !tile.view<10xf32>) grid [2] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14967 = arith.constant 14967 : index
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  %r = scf.for %i = %c0 to %c14967 step %c1 iter_args(%a = %z) -> (tensor<64x8xf32>) {
    %t = tile.load %x[%i, %n] [64, 8] : !tile.view<957847x10xf32> -> tensor<64x8xf32>
    %b = arith.maximumf %a, %t : tensor<64x8xf32>
    scf.yield %b : tensor<64x8xf32>
  }
  %s = tile.reduce max %r axis 0 : tensor<64x8xf32> -> tensor<8xf32>
  tile.store %s, %y[%n] : tensor<8xf32>, !tile.view<10xf32>
}
// The number of an iteration counts tiles of the old size.
tile.kernel @numbered(%x: !tile.view<957847x10xf32>) outs(%y: !tile.view<10xf32>) grid [2] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14967 = arith.constant 14967 : index
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  %r = scf.for %i = %c0 to %c14967 step %c1 iter_args(%a = %z) -> (tensor<64x8xf32>) {
    %t = tile.load %x[%i, %n] [64, 8] : !tile.view<957847x10xf32> -> tensor<64x8xf32>
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %fs = tile.splat %f [64, 8] : f32 -> tensor<64x8xf32>
    %p = arith.mulf %t, %fs : tensor<64x8xf32>
    %b = arith.addf %a, %p : tensor<64x8xf32>
    scf.yield %b : tensor<64x8xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x8xf32> -> tensor<8xf32>
  tile.store %s, %y[%n] : tensor<8xf32>, !tile.view<10xf32>
}
