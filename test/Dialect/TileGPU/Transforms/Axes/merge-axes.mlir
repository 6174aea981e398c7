// RUN: tilegpt-opt %s --tile-gpu-merge-axes --canonicalize --cse | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-merge-axes --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-merge-axes -o %t.mlir
// RUN: tilegpt-run %s --function groups --device reference --input 3x4x1280xf32=random:1 --input 4xf32=random:2 --input 1280xf32=random:3 --output 3x4x1280xf32 > %t.rows
// RUN: tilegpt-run %t.mlir --function groups --device reference --input 3x4x1280xf32=random:1 --input 4xf32=random:2 --input 1280xf32=random:3 --output 3x4x1280xf32 | diff %t.rows -
// RUN: tilegpt-run %s --function image --device reference --input 2x3x4x5xf32=random:1 --output 2x3x4x5xf32 > %t.image
// RUN: tilegpt-run %t.mlir --function image --device reference --input 2x3x4x5xf32=random:1 --output 2x3x4x5xf32 | diff %t.image -

!X = !tile.view<4x6x1001xf32>
!M = !tile.view<4x6xf32>

// A block for each row, and one result for each: matrix and vector.
// CHECK-LABEL: tile.kernel @rows
// CHECK-SAME:    (%[[X:.*]]: !tile.view<4x6x1001xf32>) outs(%[[Y:.*]]: !tile.view<4x6x1001xf32>, %[[S:.*]]: !tile.view<4x6xf32>)
// CHECK:         grid [24]
// CHECK-DAG:     %[[ROW:.*]] = tile.block_id 0
// CHECK-DAG:     %[[XB:.*]] = tile.base %[[X]]
// CHECK-DAG:     %[[XV:.*]] = tile.view_at %[[XB]] sizes [24, 1001] : !tile.ptr<f32> -> !tile.view<24x1001xf32>
// CHECK-DAG:     %[[SB:.*]] = tile.base %[[S]]
// CHECK-DAG:     %[[SV:.*]] = tile.view_at %[[SB]] sizes [24] : !tile.ptr<f32> -> !tile.view<24xf32>
// CHECK:         %[[T:.*]] = tile.load %[[XV]][%[[ROW]], %c0] [1, 1001] : !tile.view<24x1001xf32> -> tensor<1x1001xf32>
// CHECK:         %[[SUM:.*]] = tile.reduce add %[[T]] axis 1 keepdims : tensor<1x1001xf32> -> tensor<1x1xf32>
// CHECK:         %[[SUMS:.*]] = tile.broadcast %[[SUM]] [1, 1001]
// CHECK:         %[[D:.*]] = arith.subf %[[T]], %[[SUMS]] : tensor<1x1001xf32>
// CHECK:         tile.store %[[D]], %{{.*}}[%[[ROW]], %c0] : tensor<1x1001xf32>, !tile.view<24x1001xf32>
// CHECK:         %[[ONE:.*]] = tile.reshape %[[SUM]] [1] : tensor<1x1xf32> -> tensor<1xf32>
// CHECK:         tile.store %[[ONE]], %[[SV]][%[[ROW]]] : tensor<1xf32>, !tile.view<24xf32>
// WHY: @rows: grid: blocks are numbered along one axis, by rows of memory
tile.kernel @rows(%x: !X) outs(%y: !X, %s: !M) grid [6, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 1, 1001] : !X -> tensor<1x1x1001xf32>
  %sum = tile.reduce add %xt axis 2 keepdims : tensor<1x1x1001xf32> -> tensor<1x1x1xf32>
  %sums = tile.broadcast %sum [1, 1, 1001] : tensor<1x1x1xf32> -> tensor<1x1x1001xf32>
  %d = arith.subf %xt, %sums : tensor<1x1x1001xf32>
  tile.store %d, %y[%b, %t, %c0] : tensor<1x1x1001xf32>, !X
  %flat = tile.reshape %sum [1, 1] : tensor<1x1x1xf32> -> tensor<1x1xf32>
  tile.store %flat, %s[%b, %t] : tensor<1x1xf32>, !M
}

// Several rows in a block; a gain of all rows stays as it is.
// CHECK-LABEL: tile.kernel @several
// CHECK:         grid [12]
// CHECK:         tile.load %{{.*}}[%[[ROW:.*]], %c0] [2, 1001] : !tile.view<24x1001xf32> -> tensor<2x1001xf32>
// CHECK:         tile.reduce max %{{.*}} axis 1 keepdims : tensor<2x1001xf32> -> tensor<2x1xf32>
// CHECK:         tile.load %arg1[%c0] [1001]
// CHECK:         tile.broadcast %{{.*}} [2, 1001] : tensor<1001xf32> -> tensor<2x1001xf32>
// CHECK:         tile.store %{{.*}}[%[[ROW]], %c0] : tensor<2x1001xf32>, !tile.view<24x1001xf32>
tile.kernel @several(%x: !X, %g: !tile.view<1001xf32>) outs(%y: !X) grid [3, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 2, 1001] : !X -> tensor<1x2x1001xf32>
  %most = tile.reduce max %xt axis 2 keepdims : tensor<1x2x1001xf32> -> tensor<1x2x1xf32>
  %all = tile.broadcast %most [1, 2, 1001] : tensor<1x2x1xf32> -> tensor<1x2x1001xf32>
  %d = arith.subf %xt, %all : tensor<1x2x1001xf32>
  %gt = tile.load %g[%c0] [1001] : !tile.view<1001xf32> -> tensor<1001xf32>
  %gs = tile.broadcast %gt [1, 2, 1001] : tensor<1001xf32> -> tensor<1x2x1001xf32>
  %o = arith.mulf %d, %gs : tensor<1x2x1001xf32>
  tile.store %o, %y[%b, %t, %c0] : tensor<1x2x1001xf32>, !X
}

// A mask of each b: its number is computed from the row.
// CHECK-LABEL: tile.kernel @masked
// CHECK:         grid [24]
// CHECK-DAG:     %[[ROW:.*]] = tile.block_id 0
// CHECK-DAG:     %[[B:.*]] = arith.divui %[[ROW]], %c6
// CHECK:         tile.load %arg1[%[[B]], %c0] [1, 2049] : !tile.view<4x2049xf32> -> tensor<1x2049xf32>
// CHECK:         tile.store %{{.*}}[%[[ROW]], %c0] : tensor<1x2049xf32>
tile.kernel @masked(%x: !tile.view<4x6x2049xf32>, %m: !tile.view<4x2049xf32>) outs(%y: !tile.view<4x6x2049xf32>) grid [6, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 1, 2049] : !tile.view<4x6x2049xf32> -> tensor<1x1x2049xf32>
  %mt = tile.load %m[%b, %c0] [1, 2049] : !tile.view<4x2049xf32> -> tensor<1x2049xf32>
  %ms = tile.reshape %mt [1, 1, 2049] : tensor<1x2049xf32> -> tensor<1x1x2049xf32>
  %z = arith.addf %xt, %ms : tensor<1x1x2049xf32>
  %sum = tile.reduce add %z axis 2 keepdims : tensor<1x1x2049xf32> -> tensor<1x1x1xf32>
  %sums = tile.broadcast %sum [1, 1, 2049] : tensor<1x1x1xf32> -> tensor<1x1x2049xf32>
  tile.store %sums, %y[%b, %t, %c0] : tensor<1x1x2049xf32>, !tile.view<4x6x2049xf32>
}

// The same with short rows, of which blocks take several.
// CHECK-LABEL: tile.kernel @short
// CHECK:         grid [6, 4]
tile.kernel @short(%x: !X, %m: !tile.view<4x1001xf32>) outs(%y: !X) grid [6, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 1, 1001] : !X -> tensor<1x1x1001xf32>
  %mt = tile.load %m[%b, %c0] [1, 1001] : !tile.view<4x1001xf32> -> tensor<1x1001xf32>
  %ms = tile.reshape %mt [1, 1, 1001] : tensor<1x1001xf32> -> tensor<1x1x1001xf32>
  %z = arith.addf %xt, %ms : tensor<1x1x1001xf32>
  %sum = tile.reduce add %z axis 2 keepdims : tensor<1x1x1001xf32> -> tensor<1x1x1xf32>
  %sums = tile.broadcast %sum [1, 1, 1001] : tensor<1x1x1xf32> -> tensor<1x1x1001xf32>
  tile.store %sums, %y[%b, %t, %c0] : tensor<1x1x1001xf32>, !X
}

// Both axes of an image are reduced, in either order and form.
// CHECK-LABEL: tile.kernel @image
// CHECK:         grid [6]
// CHECK:         %[[T:.*]] = tile.load %{{.*}}[%{{.*}}, %c0] [1, 20] : !tile.view<6x20xf32> -> tensor<1x20xf32>
// CHECK:         %[[SUM:.*]] = tile.reduce add %[[T]] axis 1 keepdims : tensor<1x20xf32> -> tensor<1x1xf32>
// CHECK:         %[[MOST:.*]] = tile.reduce max %[[T]] axis 1 keepdims : tensor<1x20xf32> -> tensor<1x1xf32>
// CHECK:         %[[BOTH:.*]] = arith.addf %[[SUM]], %[[MOST]] : tensor<1x1xf32>
// CHECK:         tile.broadcast %[[BOTH]] [1, 20]
// WHY: @image: tile: axes that are contiguous in memory are merged into one
tile.kernel @image(%x: !tile.view<2x3x4x5xf32>) outs(%y: !tile.view<2x3x4x5xf32>) grid [3, 2] {
  %c = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%n, %c, %c0, %c0] [1, 1, 4, 5] : !tile.view<2x3x4x5xf32> -> tensor<1x1x4x5xf32>
  %s0 = tile.reduce add %xt axis 2 keepdims : tensor<1x1x4x5xf32> -> tensor<1x1x1x5xf32>
  %s1 = tile.reduce add %s0 axis 3 keepdims : tensor<1x1x1x5xf32> -> tensor<1x1x1x1xf32>
  %m0 = tile.reduce max %xt axis 3 : tensor<1x1x4x5xf32> -> tensor<1x1x4xf32>
  %m1 = tile.reduce max %m0 axis 2 : tensor<1x1x4xf32> -> tensor<1x1xf32>
  %m = tile.reshape %m1 [1, 1, 1, 1] : tensor<1x1xf32> -> tensor<1x1x1x1xf32>
  %both = arith.addf %s1, %m : tensor<1x1x1x1xf32>
  %all = tile.broadcast %both [1, 1, 4, 5] : tensor<1x1x1x1xf32> -> tensor<1x1x4x5xf32>
  %d = arith.subf %xt, %all : tensor<1x1x4x5xf32>
  tile.store %d, %y[%n, %c, %c0, %c0] : tensor<1x1x4x5xf32>, !tile.view<2x3x4x5xf32>
}

// Gains of channels differ along one of the axes: each element gathers its own, and those of an access to eight the same.
// CHECK-LABEL: tile.kernel @channels
// CHECK-DAG:     %[[E:.*]] = arith.constant dense<8> : tensor<64xi32>
// CHECK-DAG:     %[[R:.*]] = arith.constant dense<2> : tensor<64xi32>
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<1x64xf32>
// CHECK:         tile.load %{{.*}}[%{{.*}}, %c0] [1, 64] : !tile.view<6x64xf32>
// CHECK:         %[[I:.*]] = tile.iota [64]
// CHECK:         %[[Q:.*]] = arith.divui %[[I]], %[[E]]
// CHECK:         %[[N:.*]] = arith.divui %[[Q]], %[[R]]
// CHECK:         %[[G:.*]] = tile.gather %arg1[] at %[[N]] axis 0 [64] : !tile.view<4xf32>, tensor<64xi32> -> tensor<64xf32>
// CHECK:         %[[GS:.*]] = tile.broadcast %[[G]] [1, 64]
// CHECK:         %[[G1:.*]] = arith.addf %[[GS]], %[[ONE]] : tensor<1x64xf32>
// CHECK:         arith.mulf %{{.*}}, %[[G1]] : tensor<1x64xf32>
tile.kernel @channels(%x: !tile.view<6x4x16xf32>, %g: !tile.view<4xf32>) outs(%y: !tile.view<6x4x16xf32>) grid [6] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %xt = tile.load %x[%n, %c0, %c0] [1, 4, 16] : !tile.view<6x4x16xf32> -> tensor<1x4x16xf32>
  %s0 = tile.reduce add %xt axis 2 keepdims : tensor<1x4x16xf32> -> tensor<1x4x1xf32>
  %s1 = tile.reduce add %s0 axis 1 keepdims : tensor<1x4x1xf32> -> tensor<1x1x1xf32>
  %all = tile.broadcast %s1 [1, 4, 16] : tensor<1x1x1xf32> -> tensor<1x4x16xf32>
  %d = arith.subf %xt, %all : tensor<1x4x16xf32>
  %gt = tile.load %g[%c0] [4] : !tile.view<4xf32> -> tensor<4xf32>
  %g1 = arith.addf %gt, %one : tensor<4xf32>
  %gr = tile.reshape %g1 [1, 4, 1] : tensor<4xf32> -> tensor<1x4x1xf32>
  %gs = tile.broadcast %gr [1, 4, 16] : tensor<1x4x1xf32> -> tensor<1x4x16xf32>
  %o = arith.mulf %d, %gs : tensor<1x4x16xf32>
  tile.store %o, %y[%n, %c0, %c0] : tensor<1x4x16xf32>, !tile.view<6x4x16xf32>
}

// A block for each group of two of four channels; biases of lines within a channel repeat.
// CHECK-LABEL: tile.kernel @groups
// CHECK:         grid [6]
// CHECK-DAG:     %[[ROW:.*]] = tile.block_id 0
// CHECK-DAG:     %[[GROUP:.*]] = arith.remui %[[ROW]], %c2
// CHECK:         tile.load %{{.*}}[%[[ROW]], %c0] [1, 2560] : !tile.view<6x2560xf32> -> tensor<1x2560xf32>
// CHECK:         tile.reduce add %{{.*}} axis 1 keepdims : tensor<1x2560xf32> -> tensor<1x1xf32>
// CHECK:         %[[START:.*]] = arith.muli %[[GROUP]], %c2
// CHECK:         %[[START32:.*]] = arith.index_cast %[[START]] : index to i32
// CHECK:         %[[STARTS:.*]] = tile.splat %[[START32]] [2560]
// CHECK:         %[[N:.*]] = arith.addi %{{.*}}, %[[STARTS]]
// CHECK:         tile.gather %arg1[] at %[[N]] axis 0 [2560] : !tile.view<4xf32>
// CHECK:         %[[LINE:.*]] = arith.remui %{{.*}}, %{{.*}} : tensor<2560xi32>
// CHECK:         tile.gather %arg2[] at %[[LINE]] axis 0 [2560] : !tile.view<1280xf32>
tile.kernel @groups(%x: !tile.view<3x4x1280xf32>, %g: !tile.view<4xf32>, %b: !tile.view<1280xf32>) outs(%y: !tile.view<3x4x1280xf32>) grid [2, 3] {
  %c = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%n, %c, %c0] [1, 2, 1280] : !tile.view<3x4x1280xf32> -> tensor<1x2x1280xf32>
  %s0 = tile.reduce add %xt axis 2 keepdims : tensor<1x2x1280xf32> -> tensor<1x2x1xf32>
  %s1 = tile.reduce add %s0 axis 1 keepdims : tensor<1x2x1xf32> -> tensor<1x1x1xf32>
  %gt = tile.load %g[%c] [2] : !tile.view<4xf32> -> tensor<2xf32>
  %gr = tile.reshape %gt [1, 2, 1] : tensor<2xf32> -> tensor<1x2x1xf32>
  %s2 = tile.broadcast %s1 [1, 2, 1] : tensor<1x1x1xf32> -> tensor<1x2x1xf32>
  %sg = arith.mulf %s2, %gr : tensor<1x2x1xf32>
  %gs = tile.broadcast %sg [1, 2, 1280] : tensor<1x2x1xf32> -> tensor<1x2x1280xf32>
  %o = arith.mulf %xt, %gs : tensor<1x2x1280xf32>
  %bt = tile.load %b[%c0] [1280] : !tile.view<1280xf32> -> tensor<1280xf32>
  %bs = tile.broadcast %bt [1, 2, 1280] : tensor<1280xf32> -> tensor<1x2x1280xf32>
  %p = arith.addf %o, %bs : tensor<1x2x1280xf32>
  tile.store %p, %y[%n, %c, %c0] : tensor<1x2x1280xf32>, !tile.view<3x4x1280xf32>
}

// What differs along one of the axes is not loaded.
// CHECK-LABEL: tile.kernel @computed
// CHECK:         tile.load %arg0[%{{.*}}, %c0, %c0] [1, 4, 5]
// WHY: @computed: tile missed: axes that are contiguous in memory are not merged: the op treats them differently
tile.kernel @computed(%x: !tile.view<6x4x5xf32>) outs(%y: !tile.view<6x4x5xf32>) grid [6] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%n, %c0, %c0] [1, 4, 5] : !tile.view<6x4x5xf32> -> tensor<1x4x5xf32>
  %s0 = tile.reduce add %xt axis 2 keepdims : tensor<1x4x5xf32> -> tensor<1x4x1xf32>
  %all = tile.broadcast %s0 [1, 4, 5] : tensor<1x4x1xf32> -> tensor<1x4x5xf32>
  %d = arith.subf %xt, %all : tensor<1x4x5xf32>
  %m0 = tile.reduce max %d axis 2 keepdims : tensor<1x4x5xf32> -> tensor<1x4x1xf32>
  %m1 = tile.reduce max %m0 axis 1 keepdims : tensor<1x4x1xf32> -> tensor<1x1x1xf32>
  %ms = tile.broadcast %m1 [1, 4, 5] : tensor<1x1x1xf32> -> tensor<1x4x5xf32>
  %o = arith.mulf %d, %ms : tensor<1x4x5xf32>
  tile.store %o, %y[%n, %c0, %c0] : tensor<1x4x5xf32>, !tile.view<6x4x5xf32>
}

// Only one of the axes is reduced; a maximum of sums is no single reduction.
// CHECK-LABEL: tile.kernel @lines
// CHECK:         tile.load %arg0[%{{.*}}, %c0, %c0] [1, 4, 5]
// CHECK-LABEL: tile.kernel @mixed
// CHECK:         tile.load %arg0[%{{.*}}, %c0, %c0] [1, 4, 5]
tile.kernel @lines(%x: !tile.view<6x4x5xf32>) outs(%y: !tile.view<6x4x5xf32>) grid [6] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%n, %c0, %c0] [1, 4, 5] : !tile.view<6x4x5xf32> -> tensor<1x4x5xf32>
  %s = tile.reduce add %xt axis 2 keepdims : tensor<1x4x5xf32> -> tensor<1x4x1xf32>
  %all = tile.broadcast %s [1, 4, 5] : tensor<1x4x1xf32> -> tensor<1x4x5xf32>
  tile.store %all, %y[%n, %c0, %c0] : tensor<1x4x5xf32>, !tile.view<6x4x5xf32>
}
tile.kernel @mixed(%x: !tile.view<6x4x5xf32>) outs(%y: !tile.view<6xf32>) grid [6] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%n, %c0, %c0] [1, 4, 5] : !tile.view<6x4x5xf32> -> tensor<1x4x5xf32>
  %s = tile.reduce add %xt axis 2 keepdims : tensor<1x4x5xf32> -> tensor<1x4x1xf32>
  %m = tile.reduce max %s axis 1 : tensor<1x4x1xf32> -> tensor<1x1xf32>
  %f = tile.reshape %m [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %f, %y[%n] : tensor<1xf32>, !tile.view<6xf32>
}

// Not numbered by all blocks: a grid with more, tiles that cross the end of an axis, several columns of tiles.
// CHECK-LABEL: tile.kernel @more
// CHECK:         grid [7, 4]
// CHECK-LABEL: tile.kernel @crossing
// CHECK:         grid [2, 4]
// CHECK-LABEL: tile.kernel @columns
// CHECK:         grid [2, 6, 4]
// CHECK-LABEL: tile.kernel @pieces
// CHECK:         grid [8, 24]
tile.kernel @more(%x: !X) outs(%y: !X) grid [7, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 1, 1001] : !X -> tensor<1x1x1001xf32>
  %sum = tile.reduce add %xt axis 2 keepdims : tensor<1x1x1001xf32> -> tensor<1x1x1xf32>
  %sums = tile.broadcast %sum [1, 1, 1001] : tensor<1x1x1xf32> -> tensor<1x1x1001xf32>
  tile.store %sums, %y[%b, %t, %c0] : tensor<1x1x1001xf32>, !X
}
tile.kernel @crossing(%x: !X) outs(%y: !X) grid [2, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%b, %t, %c0] [1, 4, 1001] : !X -> tensor<1x4x1001xf32>
  %sum = tile.reduce add %xt axis 2 keepdims : tensor<1x4x1001xf32> -> tensor<1x4x1xf32>
  %sums = tile.broadcast %sum [1, 4, 1001] : tensor<1x4x1xf32> -> tensor<1x4x1001xf32>
  tile.store %sums, %y[%b, %t, %c0] : tensor<1x4x1001xf32>, !X
}
tile.kernel @columns(%x: !X) outs(%y: !X) grid [2, 6, 4] {
  %j = tile.block_id 0
  %t = tile.block_id 1
  %b = tile.block_id 2
  %xt = tile.load %x[%b, %t, %j] [1, 1, 512] : !X -> tensor<1x1x512xf32>
  %sum = tile.reduce add %xt axis 2 keepdims : tensor<1x1x512xf32> -> tensor<1x1x1xf32>
  %sums = tile.broadcast %sum [1, 1, 512] : tensor<1x1x1xf32> -> tensor<1x1x512xf32>
  tile.store %sums, %y[%b, %t, %j] : tensor<1x1x512xf32>, !X
}
// Each block reduces a piece of a row.
tile.kernel @pieces(%x: !tile.view<24x1024xf32>) outs(%y: !tile.view<24x1024xf32>) grid [8, 24] {
  %j = tile.block_id 0
  %t = tile.block_id 1
  %xt = tile.load %x[%t, %j] [1, 128] : !tile.view<24x1024xf32> -> tensor<1x128xf32>
  %sum = tile.reduce add %xt axis 1 keepdims : tensor<1x128xf32> -> tensor<1x1xf32>
  %sums = tile.broadcast %sum [1, 128] : tensor<1x1xf32> -> tensor<1x128xf32>
  tile.store %sums, %y[%t, %j] : tensor<1x128xf32>, !tile.view<24x1024xf32>
}

// Groups of channels whose sums keep no axes, and gains without a unit axis for the batch.
// CHECK-LABEL: tile.kernel @spelled
// CHECK:         grid [6]
// CHECK:         %[[T:.*]] = tile.load %{{.*}}[%{{.*}}, %c0] [1, 2048] : !tile.view<6x2048xf32> -> tensor<1x2048xf32>
// CHECK:         %[[SUM:.*]] = tile.reduce add %[[T]] axis 1 keepdims : tensor<1x2048xf32> -> tensor<1x1xf32>
// CHECK-NOT:     tile.reduce
// CHECK:         tile.gather %arg1[]
// CHECK:         tile.store %{{.*}} : tensor<1x2048xf32>
tile.kernel @spelled(%x: !tile.view<3x4x32x32xf32>, %g: !tile.view<4xf32>) outs(%y: !tile.view<3x4x32x32xf32>) grid [2, 3] {
  %c = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%n, %c, %c0, %c0] [1, 2, 32, 32] : !tile.view<3x4x32x32xf32> -> tensor<1x2x32x32xf32>
  %s0 = tile.reduce add %xt axis 3 : tensor<1x2x32x32xf32> -> tensor<1x2x32xf32>
  %s1 = tile.reduce add %s0 axis 2 : tensor<1x2x32xf32> -> tensor<1x2xf32>
  %s2 = tile.reduce add %s1 axis 1 : tensor<1x2xf32> -> tensor<1xf32>
  %s = tile.reshape %s2 [1, 1, 1, 1] : tensor<1xf32> -> tensor<1x1x1x1xf32>
  %ss = tile.broadcast %s [1, 2, 32, 32] : tensor<1x1x1x1xf32> -> tensor<1x2x32x32xf32>
  %d = arith.subf %xt, %ss : tensor<1x2x32x32xf32>
  %gt = tile.load %g[%c] [2] : !tile.view<4xf32> -> tensor<2xf32>
  %gr = tile.reshape %gt [2, 1, 1] : tensor<2xf32> -> tensor<2x1x1xf32>
  %gs = tile.broadcast %gr [1, 2, 32, 32] : tensor<2x1x1xf32> -> tensor<1x2x32x32xf32>
  %o = arith.mulf %d, %gs : tensor<1x2x32x32xf32>
  tile.store %o, %y[%n, %c, %c0, %c0] : tensor<1x2x32x32xf32>, !tile.view<3x4x32x32xf32>
}

// A loop over pieces of rows carries a maximum of each row.
// CHECK-LABEL: tile.kernel @loop
// CHECK:         grid [24]
// CHECK:         %[[MOST:.*]] = scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args(%[[OLD:.*]] = %{{.*}}) -> (tensor<1x1xf32>) {
// CHECK:           %[[T:.*]] = tile.load %{{.*}}[%{{.*}}, %[[I]]] [1, 128] : !tile.view<24x1001xf32> -> tensor<1x128xf32>
// CHECK:           %[[M:.*]] = tile.reduce max %[[T]] axis 1 keepdims : tensor<1x128xf32> -> tensor<1x1xf32>
// CHECK:           %[[NEW:.*]] = arith.maximumf %[[OLD]], %[[M]] : tensor<1x1xf32>
// CHECK:           scf.yield %[[NEW]] : tensor<1x1xf32>
// CHECK:         scf.for %[[J:.*]] = %c0 to %c8 step %c1 {
// CHECK:           tile.broadcast %[[MOST]] [1, 128] : tensor<1x1xf32> -> tensor<1x128xf32>
// CHECK:           tile.store %{{.*}}[%{{.*}}, %[[J]]] : tensor<1x128xf32>, !tile.view<24x1001xf32>
tile.kernel @loop(%x: !X) outs(%y: !X) grid [6, 4] {
  %t = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %least = arith.constant dense<-1.0e+30> : tensor<1x1x1xf32>
  %most = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %least) -> (tensor<1x1x1xf32>) {
    %xt = tile.load %x[%b, %t, %i] [1, 1, 128] : !X -> tensor<1x1x128xf32>
    %m = tile.reduce max %xt axis 2 keepdims : tensor<1x1x128xf32> -> tensor<1x1x1xf32>
    %new = arith.maximumf %old, %m : tensor<1x1x1xf32>
    scf.yield %new : tensor<1x1x1xf32>
  }
  scf.for %j = %c0 to %c8 step %c1 {
    %xt = tile.load %x[%b, %t, %j] [1, 1, 128] : !X -> tensor<1x1x128xf32>
    %ms = tile.broadcast %most [1, 1, 128] : tensor<1x1x1xf32> -> tensor<1x1x128xf32>
    %d = arith.subf %xt, %ms : tensor<1x1x128xf32>
    tile.store %d, %y[%b, %t, %j] : tensor<1x1x128xf32>, !X
  }
}
