// RUN: tilegpt-opt %s --tile-gpu-divide-rows --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-divide-rows="target=sm_80" --split-input-file | FileCheck %s --check-prefix=OLD
// RUN: tilegpt-opt %s --tile-gpu-divide-rows="multiprocessors=38" --split-input-file | FileCheck %s --check-prefix=SMALL
// RUN: tilegpt-opt %s --tile-gpu-divide-rows --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-divide-rows --tile-gpu-make-plan --split-input-file | FileCheck %s --check-prefix=PLAN
// OLD-NOT:     tile_gpu.row_blocks

!X = !tile.view<10x200000xf32>

// Two blocks for each of 132 multiprocessors, of which clusters of eight would leave 52 idle. On 38, three fit.
// CHECK-LABEL: tile.kernel @softmax
// CHECK:         grid [250] attributes {tile_gpu.row_blocks = array<i64: 25, 2>}
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[R:.*]] = arith.divui %[[B]], %c25
// CHECK:         %[[ROW:.*]] = tile.assume %[[R]] bounded [0, 9]
// CHECK:         tile.load %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK:         tile.store %{{.*}}[%[[ROW]], %{{.*}}]
// SMALL-LABEL: tile.kernel @softmax
// SMALL:         grid [110] attributes {tile_gpu.row_blocks = array<i64: 11, 3>}
// WHY: @softmax: grid: 25 blocks share each row and exchange results through memory
// PLAN: parts = 25, blocks = 2, inRegisters = true, throughMemory = true>
tile.kernel @softmax(%x: !X) outs(%y: !X) grid [10] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 200000] : !X -> tensor<1x200000xf32>
  %h = tile.reduce max %t axis 1 keepdims : tensor<1x200000xf32> -> tensor<1x1xf32>
  %hb = tile.broadcast %h [1, 200000] : tensor<1x1xf32> -> tensor<1x200000xf32>
  %d = arith.subf %t, %hb : tensor<1x200000xf32>
  %e = math.exp %d : tensor<1x200000xf32>
  %s = tile.reduce add %e axis 1 keepdims : tensor<1x200000xf32> -> tensor<1x1xf32>
  %sb = tile.broadcast %s [1, 200000] : tensor<1x1xf32> -> tensor<1x200000xf32>
  %q = arith.divf %e, %sb : tensor<1x200000xf32>
  tile.store %q, %y[%m, %c0] : tensor<1x200000xf32>, !X
}

// -----

!X = !tile.view<1000x20000xf32>

// Enough rows for all multiprocessors.
// CHECK-LABEL: tile.kernel @many
// CHECK:         grid [1000] {
tile.kernel @many(%x: !X) outs(%y: !tile.view<1000x1xf32>) grid [1000] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 20000] : !X -> tensor<1x20000xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<1x20000xf32> -> tensor<1x1xf32>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32>, !tile.view<1000x1xf32>
}

// -----

!X = !tile.view<?x200000xf32>

// The number of rows decides how many blocks are resident at a time.
// CHECK-LABEL: tile.kernel @unknown
// CHECK-NOT:     tile_gpu.row_blocks
tile.kernel @unknown(%x: !X) outs(%y: !tile.view<?x1xf32>) grid [dim(%x, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 200000] : !X -> tensor<1x200000xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<1x200000xf32> -> tensor<1x1xf32>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32>, !tile.view<?x1xf32>
}

// -----

!X = !tile.view<3x200000xf32>

// An argmax is divided in the form in which it is planned, pairs of an element and its index.
// CHECK-LABEL: tile.kernel @place
// CHECK:         tile_gpu.row_blocks
// CHECK:         tile.reduce argmax
tile.kernel @place(%x: !X) outs(%y: !tile.view<3xi32>) grid [3] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 200000] : !X -> tensor<1x200000xf32>
  %s = tile.reduce argmax %t axis 1 : tensor<1x200000xf32> -> tensor<1xi32>
  tile.store %s, %y[%m] : tensor<1xi32>, !tile.view<3xi32>
}

// -----

!X = !tile.view<3x200000xbf16>

// Sums in bf16 are not those of parts.
// CHECK-LABEL: tile.kernel @rounded
// CHECK-NOT:     tile_gpu.row_blocks
// WHY: @rounded: grid missed: 3 long rows for 132 multiprocessors have one block each: they are not dense or not numbered by the block, or their reductions or updates cannot be divided
tile.kernel @rounded(%x: !X) outs(%y: !tile.view<3xbf16>) grid [3] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 200000] : !X -> tensor<1x200000xbf16>
  %s = tile.reduce add %t axis 1 : tensor<1x200000xbf16> -> tensor<1xbf16>
  tile.store %s, %y[%m] : tensor<1xbf16>, !tile.view<3xbf16>
}

// -----

!X = !tile.view<44x74684xf32>
!F = !tile.view<74684xf32>

// Of 44 clusters of eight, of which 45 would fit, some wait for others, and in registers they are slower than estimated, so
// six blocks that exchange through memory need not be a tenth faster.
// CHECK-LABEL: tile.kernel @norm
// CHECK:         grid [264] attributes {tile_gpu.row_blocks = array<i64: 6, 2>}
tile.kernel @norm(%x: !X, %g: !F, %a: !F) outs(%y: !X) grid [44] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 74684] : !X -> tensor<1x74684xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<1x74684xf32> -> tensor<1x1xf32>
  %sb = tile.broadcast %s [1, 74684] : tensor<1x1xf32> -> tensor<1x74684xf32>
  %d = arith.subf %t, %sb : tensor<1x74684xf32>
  %q = arith.mulf %d, %d : tensor<1x74684xf32>
  %u = tile.reduce add %q axis 1 keepdims : tensor<1x74684xf32> -> tensor<1x1xf32>
  %r = math.rsqrt %u : tensor<1x1xf32>
  %b = tile.broadcast %r [1, 74684] : tensor<1x1xf32> -> tensor<1x74684xf32>
  %n = arith.mulf %d, %b : tensor<1x74684xf32>
  %v = tile.load %g[%c0] [74684] : !F -> tensor<74684xf32>
  %w = tile.load %a[%c0] [74684] : !F -> tensor<74684xf32>
  %vb = tile.broadcast %v [1, 74684] : tensor<74684xf32> -> tensor<1x74684xf32>
  %wb = tile.broadcast %w [1, 74684] : tensor<74684xf32> -> tensor<1x74684xf32>
  %o = arith.mulf %n, %vb : tensor<1x74684xf32>
  %p = arith.addf %o, %wb : tensor<1x74684xf32>
  tile.store %p, %y[%m, %c0] : tensor<1x74684xf32>, !X
}
