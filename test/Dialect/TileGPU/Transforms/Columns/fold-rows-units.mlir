// RUN: tilegpt-opt %s --tile-gpu-fold-rows --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-fold-rows --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// Rows of an odd number of elements: 31 units of 8, and the one shared with the neighbor.
// CHECK-LABEL: tile.kernel @wide
// CHECK:         grid [749]
// CHECK:         %[[END:.*]] = arith.constant 4 : index
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<32x248xf32>)
// CHECK:           tile.load %{{.*}}[%[[I]], %{{.*}}] [32, 248] {tile_gpu.covered}
// CHECK:         tile.reduce add %{{.*}} axis 0 : tensor<32x248xf32> -> tensor<248xf32>
// WHY: @wide: tile: tiles of 32 x 248 of unaligned rows, which are read in whole units
tile.kernel @wide(%x: !tile.view<98x185535xbf16>) outs(%y: !tile.view<185535xf32>) grid [1450] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant dense<0.0> : tensor<16x128xf32>
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %z) -> (tensor<16x128xf32>) {
    %t = tile.load %x[%i, %n] [16, 128] : !tile.view<98x185535xbf16> -> tensor<16x128xbf16>
    %f = tile.cast %t : tensor<16x128xbf16> to tensor<16x128xf32>
    %b = arith.addf %a, %f : tensor<16x128xf32>
    scf.yield %b : tensor<16x128xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  tile.store %s, %y[%n] : tensor<128xf32>, !tile.view<185535xf32>
}

// -----

// Accumulators of two results leave registers for half as many rows.
// CHECK-LABEL: tile.kernel @two_results
// CHECK:         grid [338]
// CHECK:           tile.load %{{.*}} [16, 248] {tile_gpu.covered}
// WHY: @two_results: tile: tiles of 16 x 248 of unaligned rows, which are read in whole units
tile.kernel @two_results(%x: !tile.view<164x83773xbf16>) outs(%y: !tile.view<83773xf32>, %w: !tile.view<83773xf32>) grid [655] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %z = arith.constant dense<0.0> : tensor<16x128xf32>
  %r:2 = scf.for %i = %c0 to %c11 step %c1 iter_args(%a = %z, %b = %z) -> (tensor<16x128xf32>, tensor<16x128xf32>) {
    %t = tile.load %x[%i, %n] [16, 128] : !tile.view<164x83773xbf16> -> tensor<16x128xbf16>
    %f = tile.cast %t : tensor<16x128xbf16> to tensor<16x128xf32>
    %q = arith.mulf %f, %f : tensor<16x128xf32>
    %c = arith.addf %a, %f : tensor<16x128xf32>
    %d = arith.addf %b, %q : tensor<16x128xf32>
    scf.yield %c, %d : tensor<16x128xf32>, tensor<16x128xf32>
  }
  %s = tile.reduce add %r#0 axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  %u = tile.reduce add %r#1 axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  tile.store %s, %y[%n] : tensor<128xf32>, !tile.view<83773xf32>
  tile.store %u, %w[%n] : tensor<128xf32>, !tile.view<83773xf32>
}

// -----

// Several blocks that sum the same columns would spill where they exchange two results.
// CHECK-LABEL: tile.kernel @shared_results
// CHECK:           tile.load %{{.*}} [16, 128] :
// WHY: @shared_results: tile missed: unaligned rows are read element by element: accumulators leave no registers to exchange the results of several blocks
tile.kernel @shared_results(%x: !tile.view<319x17857xbf16>) outs(%y: !tile.view<17857xf32>, %w: !tile.view<17857xf32>) grid [140] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %z = arith.constant dense<0.0> : tensor<16x128xf32>
  %r:2 = scf.for %i = %c0 to %c20 step %c1 iter_args(%a = %z, %b = %z) -> (tensor<16x128xf32>, tensor<16x128xf32>) {
    %t = tile.load %x[%i, %n] [16, 128] : !tile.view<319x17857xbf16> -> tensor<16x128xbf16>
    %f = tile.cast %t : tensor<16x128xbf16> to tensor<16x128xf32>
    %q = arith.mulf %f, %f : tensor<16x128xf32>
    %c = arith.addf %a, %f : tensor<16x128xf32>
    %d = arith.addf %b, %q : tensor<16x128xf32>
    scf.yield %c, %d : tensor<16x128xf32>, tensor<16x128xf32>
  }
  %s = tile.reduce add %r#0 axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  %u = tile.reduce add %r#1 axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  tile.store %s, %y[%n] : tensor<128xf32>, !tile.view<17857xf32>
  tile.store %u, %w[%n] : tensor<128xf32>, !tile.view<17857xf32>
}

// -----

// A matrix of 165 columns needs two tiles: 84 columns each rather than 124 and 42, 22 of 32 lanes.
// CHECK-LABEL: tile.kernel @even
// CHECK:         grid [2]
// CHECK:           tile.load %{{.*}} [32, 84]
// WHY: @even: tile: tiles of
tile.kernel @even(%x: !tile.view<46909x165xf32>) outs(%y: !tile.view<165xf32>) grid [6] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c733 = arith.constant 733 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c733 step %c1 iter_args(%a = %z) -> (tensor<64x32xf32>) {
    %t = tile.load %x[%i, %n] [64, 32] : !tile.view<46909x165xf32> -> tensor<64x32xf32>
    %q = arith.mulf %t, %t : tensor<64x32xf32>
    %b = arith.addf %a, %q : tensor<64x32xf32>
    scf.yield %b : tensor<64x32xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  tile.store %s, %y[%n] : tensor<32xf32>, !tile.view<165xf32>
}

// -----

// Aligned rows stay as they are, and so do few rows and those that are multiplied by a number per column.
// CHECK-LABEL: tile.kernel @aligned
// CHECK:         tile.load %{{.*}} [16, 128]
// CHECK-LABEL: tile.kernel @few
// CHECK:         tile.load %{{.*}} [16, 128]
// CHECK-LABEL: tile.kernel @weighted
// CHECK:         tile.load %{{.*}} [16, 128] : !tile.view<98x185535xf32>
tile.kernel @aligned(%x: !tile.view<98x185536xf32>) outs(%y: !tile.view<185536xf32>) grid [1450] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant dense<0.0> : tensor<16x128xf32>
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %z) -> (tensor<16x128xf32>) {
    %t = tile.load %x[%i, %n] [16, 128] : !tile.view<98x185536xf32> -> tensor<16x128xf32>
    %b = arith.addf %a, %t : tensor<16x128xf32>
    scf.yield %b : tensor<16x128xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  tile.store %s, %y[%n] : tensor<128xf32>, !tile.view<185536xf32>
}
tile.kernel @few(%x: !tile.view<7x185535xf32>) outs(%y: !tile.view<185535xf32>) grid [1450] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<16x128xf32>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %z) -> (tensor<16x128xf32>) {
    %t = tile.load %x[%i, %n] [16, 128] : !tile.view<7x185535xf32> -> tensor<16x128xf32>
    %b = arith.addf %a, %t : tensor<16x128xf32>
    scf.yield %b : tensor<16x128xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  tile.store %s, %y[%n] : tensor<128xf32>, !tile.view<185535xf32>
}
tile.kernel @weighted(%x: !tile.view<98x185535xf32>, %w: !tile.view<185535xf32>) outs(%y: !tile.view<185535xf32>) grid [1450] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant dense<0.0> : tensor<16x128xf32>
  %g = tile.load %w[%n] [128] : !tile.view<185535xf32> -> tensor<128xf32>
  %gs = tile.broadcast %g [16, 128] : tensor<128xf32> -> tensor<16x128xf32>
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %z) -> (tensor<16x128xf32>) {
    %t = tile.load %x[%i, %n] [16, 128] : !tile.view<98x185535xf32> -> tensor<16x128xf32>
    %p = arith.mulf %t, %gs : tensor<16x128xf32>
    %b = arith.addf %a, %p : tensor<16x128xf32>
    scf.yield %b : tensor<16x128xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<16x128xf32> -> tensor<128xf32>
  tile.store %s, %y[%n] : tensor<128xf32>, !tile.view<185535xf32>
}
