// RUN: tilegpt-opt %s --tile-gpu-resize-tiles --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-resize-tiles --split-input-file --explain 2>&1 | FileCheck %s --check-prefix=WHY

// Each of two heads gets a block of its own.
// CHECK-LABEL: tile.kernel @heads(
// CHECK:         grid [dim(%arg2, 0), 4]
// CHECK:         tile.load %arg0{{.*}} [1, 64, 64]
// CHECK:         scf.for {{.*}} -> (tensor<1x64x64xf32>)
// CHECK:           tile.dot {{.*}} : tensor<1x64x64xbf16>, tensor<1x64x64xbf16>, tensor<1x64x64xf32>
// CHECK:         tile.store {{.*}} : tensor<1x64x64xf32>
// WHY: @heads: tile: tiles of 2 are cut to 1: each of the matrices that a dot multiplies gets a block of its own
!V = !tile.view<?x256x64xbf16>
!S = tensor<2x64x64xf32>
tile.kernel @heads(%q: !V, %k: !V) outs(%y: !tile.view<?x256x64xf32>) grid [ceildiv(dim(%y, 0), 2), 4] {
  %h = tile.block_id 0
  %m = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !S
  %qt = tile.load %q[%h, %m, %c0] [2, 64, 64] : !V -> tensor<2x64x64xbf16>
  %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (!S) {
    %kt = tile.load %k[%h, %j, %c0] [2, 64, 64] : !V -> tensor<2x64x64xbf16>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>, !S -> !S
    %e = math.exp %s : !S
    %n = arith.addf %sum, %e : !S
    scf.yield %n : !S
  }
  tile.store %r, %y[%h, %m, %c0] : !S, !tile.view<?x256x64xf32>
}

// -----

// Heads that are summed stay in one block.
// CHECK-LABEL: tile.kernel @summed(
// CHECK:         grid [4, 4]
// CHECK:         tile.load %arg0{{.*}} [2, 64, 64]
// WHY: @summed: tile missed: the matrices that a dot multiplies get no blocks of their own: the block id addresses tiles of different sizes
!V = !tile.view<8x256x64xbf16>
!S = tensor<2x64x64xf32>
tile.kernel @summed(%q: !V, %k: !V) outs(%y: !tile.view<4x256x64xf32>) grid [4, 4] {
  %h = tile.block_id 0
  %m = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !S
  %qt = tile.load %q[%h, %m, %c0] [2, 64, 64] : !V -> tensor<2x64x64xbf16>
  %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (!S) {
    %kt = tile.load %k[%h, %j, %c0] [2, 64, 64] : !V -> tensor<2x64x64xbf16>
    %s = tile.dot %qt, %kt, %sum transpose_b : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>, !S -> !S
    scf.yield %s : !S
  }
  %all = tile.reduce add %r axis 0 keepdims : !S -> tensor<1x64x64xf32>
  tile.store %all, %y[%h, %m, %c0] : tensor<1x64x64xf32>, !tile.view<4x256x64xf32>
}

// -----

// Matrices of few rows are read once for all of them.
// CHECK-LABEL: tile.kernel @few(
// CHECK:         tile.load %arg0{{.*}} [2, 8, 64]
!V = !tile.view<8x256x64xbf16>
!S = tensor<2x8x64xf32>
tile.kernel @few(%q: !V, %k: !V) outs(%y: !tile.view<8x256x64xf32>) grid [4, 32] {
  %h = tile.block_id 0
  %m = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !S
  %qt = tile.load %q[%h, %m, %c0] [2, 8, 64] : !V -> tensor<2x8x64xbf16>
  %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (!S) {
    %kt = tile.load %k[%h, %j, %c0] [2, 64, 64] : !V -> tensor<2x64x64xbf16>
    %s = tile.dot %qt, %kt, %sum transpose_b : tensor<2x8x64xbf16>, tensor<2x64x64xbf16>, !S -> !S
    scf.yield %s : !S
  }
  tile.store %r, %y[%h, %m, %c0] : !S, !tile.view<8x256x64xf32>
}

// -----

// Threads multiply all batches of f32 at a time.
// CHECK-LABEL: tile.kernel @full_precision(
// CHECK:         tile.load %arg0{{.*}} [2, 64, 64]
!V = !tile.view<?x256x64xf32>
!S = tensor<2x64x64xf32>
tile.kernel @full_precision(%q: !V, %k: !V) outs(%y: !tile.view<?x256x64xf32>) grid [ceildiv(dim(%y, 0), 2), 4] {
  %h = tile.block_id 0
  %m = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !S
  %qt = tile.load %q[%h, %m, %c0] [2, 64, 64] : !V -> tensor<2x64x64xf32>
  %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (!S) {
    %kt = tile.load %k[%h, %j, %c0] [2, 64, 64] : !V -> tensor<2x64x64xf32>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<2x64x64xf32>, tensor<2x64x64xf32>, !S -> !S
    %e = math.exp %s : !S
    %n = arith.addf %sum, %e : !S
    scf.yield %n : !S
  }
  tile.store %r, %y[%h, %m, %c0] : !S, !tile.view<?x256x64xf32>
}
