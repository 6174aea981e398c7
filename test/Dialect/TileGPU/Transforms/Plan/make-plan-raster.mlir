// The order in which blocks walk the tiles of a product.
// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_90a | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-make-plan="target=sm_90a multiprocessors=60" | FileCheck %s --check-prefix=WAVES

!X = !tile.view<1024x512xbf16>
!W = !tile.view<512x512xbf16>
!S = tensor<64x64xf32>

// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, {{.*}}persistent = true, raster = 1>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, {{.*}}persistent = true, raster = 4>
// WAVES-NOT: raster

// All blocks are resident. Adjacent ones share rows of x, which is larger than w.
// CHECK-LABEL: tile.kernel @tall(
// CHECK:         grid [16, 4] attributes {tile_gpu.plan = #[[ROWS]]}
tile.kernel @tall(%x: !X, %w: !W) outs(%y: !tile.view<1024x256xf32>) grid [16, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %xt = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %wt = tile.load %w[%n, %k] [64, 64] : !W -> tensor<64x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %p : !S
  }
  tile.store %s, %y[%m, %n] : !S, !tile.view<1024x256xf32>
}

// Adjacent blocks share columns of w, all rows of x.
// CHECK-LABEL: tile.kernel @wide(
// CHECK:         grid [4, 16] attributes {tile_gpu.plan = #[[COLUMNS]]}
tile.kernel @wide(%x: !W, %w: !X) outs(%y: !tile.view<256x1024xf32>) grid [4, 16] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %xt = tile.load %x[%m, %k] [64, 64] : !W -> tensor<64x64xbf16>
    %wt = tile.load %w[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %p : !S
  }
  tile.store %s, %y[%m, %n] : !S, !tile.view<256x1024xf32>
}

// Columns of tiles along the first axis of the grid: bands of columns.
// CHECK-LABEL: tile.kernel @columns_first(
// CHECK:         grid [4, 16] attributes {tile_gpu.plan = #[[COLUMNS]]}
tile.kernel @columns_first(%x: !X, %w: !W) outs(%y: !tile.view<1024x256xf32>) grid [4, 16] {
  %n = tile.block_id 0
  %m = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!S) {
    %xt = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %wt = tile.load %w[%n, %k] [64, 64] : !W -> tensor<64x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %p : !S
  }
  tile.store %s, %y[%m, %n] : !S, !tile.view<1024x256xf32>
}
