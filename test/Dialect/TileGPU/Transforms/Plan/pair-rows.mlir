// RUN: tilegpt-opt %s --tile-gpu-pair-rows --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-pair-rows --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-pair-rows --tile-gpu-divide-rows --tile-gpu-make-plan --split-input-file | FileCheck %s --check-prefix=PLAN

!X = !tile.view<164x77886xbf16>
!F = !tile.view<77886xf32>

// The alignment of rows repeats every fourth row. Of 20 rounds of eight rows and four left over, which are their own pairs.
// CHECK-LABEL: tile.kernel @norm
// CHECK:         grid [84]
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[P:.*]] = tile.assume %[[B]] bounded [0, 83]
// CHECK:         %[[D:.*]] = arith.divui %[[P]], %c4
// CHECK:         %[[S:.*]] = arith.muli %[[D]], %c8
// CHECK:         %[[R:.*]] = arith.remui %[[P]], %c4
// CHECK:         %[[F:.*]] = arith.addi %[[S]], %[[R]]
// CHECK:         %[[FIRST:.*]] = tile.assume %[[F]] bounded [0, 163]
// CHECK:         %[[N:.*]] = arith.addi %[[FIRST]], %c4
// CHECK:         %[[IS:.*]] = arith.cmpi ult, %[[N]], %c164
// CHECK:         %[[O:.*]] = arith.select %[[IS]], %[[N]], %[[FIRST]]
// CHECK:         %[[SECOND:.*]] = tile.assume %[[O]] bounded [0, 163]
// CHECK:         tile.load %arg0[%[[FIRST]], %c0]
// CHECK:         tile.load %arg0[%[[SECOND]], %c0]
// CHECK-COUNT-2: tile.reduce add
// CHECK-COUNT-2: tile.load {{.*}} -> tensor<77886xf32>
// CHECK-NOT:     tile.load
// CHECK:         tile.store {{.*}}[%[[FIRST]], %c0]
// CHECK:         tile.store {{.*}}[%[[SECOND]], %c0]
// WHY: @norm: grid: a block processes two rows, the second 4 after the first, and reads the vectors they share once
// PLAN-LABEL: tile.kernel @norm
// PLAN:         parts = {{[0-9]+}}, blocks = {{[0-9]+}}
tile.kernel @norm(%x: !X, %g: !F, %a: !F) outs(%y: !X) grid [164] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 77886] : !X -> tensor<1x77886xbf16>
  %f = tile.cast %t : tensor<1x77886xbf16> to tensor<1x77886xf32>
  %q = arith.mulf %f, %f : tensor<1x77886xf32>
  %s = tile.reduce add %q axis 1 keepdims : tensor<1x77886xf32> -> tensor<1x1xf32>
  %r = math.rsqrt %s : tensor<1x1xf32>
  %b = tile.broadcast %r [1, 77886] : tensor<1x1xf32> -> tensor<1x77886xf32>
  %n = arith.mulf %f, %b : tensor<1x77886xf32>
  %v = tile.load %g[%c0] [77886] : !F -> tensor<77886xf32>
  %w = tile.load %a[%c0] [77886] : !F -> tensor<77886xf32>
  %vb = tile.broadcast %v [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %wb = tile.broadcast %w [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %o = arith.mulf %n, %vb : tensor<1x77886xf32>
  %p = arith.addf %o, %wb : tensor<1x77886xf32>
  %c = tile.cast %p : tensor<1x77886xf32> to tensor<1x77886xbf16>
  tile.store %c, %y[%m, %c0] : tensor<1x77886xbf16>, !X
}

// -----

!X = !tile.view<59x190016xbf16>
!F = !tile.view<190016xf32>

// 30 pairs in clusters of eight are fewer than two blocks for each of 132 multiprocessors, but are estimated to be faster
// than single rows. More blocks that exchange through memory then share each pair.
// CHECK-LABEL: tile.kernel @few
// CHECK:         grid [30]
// WHY: @few: grid: a block processes two rows, the second 1 after the first, and reads the vectors they share once
// PLAN-LABEL: tile.kernel @few
// PLAN:         grid [390] attributes {{.*}}tile_gpu.row_blocks = array<i64: 13, 3>
tile.kernel @few(%x: !X, %g: !F, %a: !F) outs(%y: !X) grid [59] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 190016] : !X -> tensor<1x190016xbf16>
  %f = tile.cast %t : tensor<1x190016xbf16> to tensor<1x190016xf32>
  %s = tile.reduce add %f axis 1 keepdims : tensor<1x190016xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %s [1, 190016] : tensor<1x1xf32> -> tensor<1x190016xf32>
  %n = arith.mulf %f, %b : tensor<1x190016xf32>
  %v = tile.load %g[%c0] [190016] : !F -> tensor<190016xf32>
  %w = tile.load %a[%c0] [190016] : !F -> tensor<190016xf32>
  %vb = tile.broadcast %v [1, 190016] : tensor<190016xf32> -> tensor<1x190016xf32>
  %wb = tile.broadcast %w [1, 190016] : tensor<190016xf32> -> tensor<1x190016xf32>
  %o = arith.mulf %n, %vb : tensor<1x190016xf32>
  %p = arith.addf %o, %wb : tensor<1x190016xf32>
  %c = tile.cast %p : tensor<1x190016xf32> to tensor<1x190016xbf16>
  tile.store %c, %y[%m, %c0] : tensor<1x190016xbf16>, !X
}

// -----

!X = !tile.view<28x77886xbf16>
!F = !tile.view<77886xf32>

// 16 pairs, of which four are a row computed twice, are not faster in any number of blocks.
// CHECK-LABEL: tile.kernel @apart
// CHECK:         grid [28]
// WHY: @apart: grid missed: 16 pairs of rows that begin alike leave multiprocessors without a second block, and are not estimated to be faster
tile.kernel @apart(%x: !X, %g: !F, %a: !F) outs(%y: !X) grid [28] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 77886] : !X -> tensor<1x77886xbf16>
  %f = tile.cast %t : tensor<1x77886xbf16> to tensor<1x77886xf32>
  %s = tile.reduce add %f axis 1 keepdims : tensor<1x77886xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %s [1, 77886] : tensor<1x1xf32> -> tensor<1x77886xf32>
  %n = arith.mulf %f, %b : tensor<1x77886xf32>
  %v = tile.load %g[%c0] [77886] : !F -> tensor<77886xf32>
  %w = tile.load %a[%c0] [77886] : !F -> tensor<77886xf32>
  %vb = tile.broadcast %v [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %wb = tile.broadcast %w [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %o = arith.mulf %n, %vb : tensor<1x77886xf32>
  %p = arith.addf %o, %wb : tensor<1x77886xf32>
  %c = tile.cast %p : tensor<1x77886xf32> to tensor<1x77886xbf16>
  tile.store %c, %y[%m, %c0] : tensor<1x77886xbf16>, !X
}

// -----

!X = !tile.view<164x77886xbf16>
!F = !tile.view<77886xf32>

// One vector is no more than what is loaded and stored of a row.
// CHECK-LABEL: tile.kernel @gain
// CHECK:         grid [164]
tile.kernel @gain(%x: !X, %g: !F) outs(%y: !X) grid [164] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 77886] : !X -> tensor<1x77886xbf16>
  %f = tile.cast %t : tensor<1x77886xbf16> to tensor<1x77886xf32>
  %s = tile.reduce add %f axis 1 keepdims : tensor<1x77886xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %s [1, 77886] : tensor<1x1xf32> -> tensor<1x77886xf32>
  %n = arith.mulf %f, %b : tensor<1x77886xf32>
  %v = tile.load %g[%c0] [77886] : !F -> tensor<77886xf32>
  %vb = tile.broadcast %v [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %o = arith.mulf %n, %vb : tensor<1x77886xf32>
  %c = tile.cast %o : tensor<1x77886xf32> to tensor<1x77886xbf16>
  tile.store %c, %y[%m, %c0] : tensor<1x77886xbf16>, !X
}

// -----

!X = !tile.view<164x77886xbf16>
!F = !tile.view<77886xf32>

// A row that is computed twice would be printed twice.
// CHECK-LABEL: tile.kernel @printed
// CHECK:         grid [164]
tile.kernel @printed(%x: !X, %g: !F, %a: !F) outs(%y: !tile.view<164xf32>) grid [164] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 77886] : !X -> tensor<1x77886xbf16>
  %f = tile.cast %t : tensor<1x77886xbf16> to tensor<1x77886xf32>
  %v = tile.load %g[%c0] [77886] : !F -> tensor<77886xf32>
  %w = tile.load %a[%c0] [77886] : !F -> tensor<77886xf32>
  %vb = tile.broadcast %v [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %wb = tile.broadcast %w [1, 77886] : tensor<77886xf32> -> tensor<1x77886xf32>
  %o = arith.mulf %f, %vb : tensor<1x77886xf32>
  %p = arith.addf %o, %wb : tensor<1x77886xf32>
  %s = tile.reduce add %p axis 1 : tensor<1x77886xf32> -> tensor<1xf32>
  tile.print "%f", %s : tensor<1xf32>
  tile.store %s, %y[%m] : tensor<1xf32>, !tile.view<164xf32>
}
