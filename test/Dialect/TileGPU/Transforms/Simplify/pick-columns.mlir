// RUN: tilegpt-opt %s --tile-gpu-pick-columns --split-input-file | FileCheck %s

// The loss of a label: x[label] - max is computed for one column of each row.
// CHECK-LABEL: tile.kernel @loss
// CHECK:         %[[L:.*]] = tile.expand_dims
// CHECK:         %[[MAX:.*]] = tile.reduce max
// CHECK:         %[[P:.*]] = tile.load_at %{{.*}}[%{{.*}}] mask(%{{.*}} : tensor<4x1xi1>) : !tile.ptr<bf16>, tensor<4x1xi64> -> tensor<4x1xbf16>
// CHECK:         %[[F:.*]] = tile.cast %[[P]] : tensor<4x1xbf16> to tensor<4x1xf32>
// CHECK:         %[[D:.*]] = arith.subf %[[F]], %[[MAX]] : tensor<4x1xf32>
// CHECK:         %[[N:.*]] = arith.addf %[[D]]
// CHECK:         %[[IS:.*]] = arith.cmpi ult, %[[L]]
// CHECK:         %[[S:.*]] = arith.select %[[IS]], %[[N]]
// CHECK:         %[[R:.*]] = tile.reshape %[[S]] [4]
// CHECK:         tile.store %[[R]]
tile.kernel @loss(%x: !tile.view<?x1000xbf16>, %labels: !tile.view<?xi32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 4)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<4x1000xf32>
  %l = tile.load %labels[%m] [4] : !tile.view<?xi32> -> tensor<4xi32>
  %t = tile.load %x[%m, %c0] [4, 1000] : !tile.view<?x1000xbf16> -> tensor<4x1000xbf16>
  %f = tile.cast %t : tensor<4x1000xbf16> to tensor<4x1000xf32>
  %lc = tile.expand_dims %l, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %max = tile.reduce max %f axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %maxs = tile.broadcast %max [4, 1000] : tensor<4x1xf32> -> tensor<4x1000xf32>
  %d = arith.subf %f, %maxs : tensor<4x1000xf32>
  %i = tile.iota [1000] : tensor<1000xi32>
  %is = tile.broadcast %i [4, 1000] : tensor<1000xi32> -> tensor<4x1000xi32>
  %ls = tile.broadcast %lc [4, 1000] : tensor<4x1xi32> -> tensor<4x1000xi32>
  %c = arith.cmpi eq, %is, %ls : tensor<4x1000xi32>
  %p = arith.select %c, %d, %zeros : tensor<4x1000xi1>, tensor<4x1000xf32>
  %s = tile.reduce add %p axis 1 : tensor<4x1000xf32> -> tensor<4xf32>
  tile.store %s, %y[%m] : tensor<4xf32>, !tile.view<?xf32>
}

// -----

// Near misses: several columns remain; ones are summed; a gain differs between columns; short rows.
// CHECK-LABEL: tile.kernel @several
// CHECK-NOT:     tile.load_at
tile.kernel @several(%x: !tile.view<8x1000xf32>, %g: !tile.view<1000xf32>, %labels: !tile.view<8xi32>)
    outs(%y: !tile.view<8xf32>, %z: !tile.view<8xf32>, %w: !tile.view<8xf32>) grid [2] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<4x1000xf32>
  %ones = arith.constant dense<1.0> : tensor<4x1000xf32>
  %l = tile.load %labels[%m] [4] : !tile.view<8xi32> -> tensor<4xi32>
  %t = tile.load %x[%m, %c0] [4, 1000] : !tile.view<8x1000xf32> -> tensor<4x1000xf32>
  %gt = tile.load %g[%c0] [1000] : !tile.view<1000xf32> -> tensor<1000xf32>
  %gs = tile.broadcast %gt [4, 1000] : tensor<1000xf32> -> tensor<4x1000xf32>
  %n = arith.mulf %t, %gs : tensor<4x1000xf32>
  %lc = tile.expand_dims %l, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %i = tile.iota [1000] : tensor<1000xi32>
  %is = tile.broadcast %i [4, 1000] : tensor<1000xi32> -> tensor<4x1000xi32>
  %ls = tile.broadcast %lc [4, 1000] : tensor<4x1xi32> -> tensor<4x1000xi32>
  %below = arith.cmpi slt, %is, %ls : tensor<4x1000xi32>
  %same = arith.cmpi eq, %is, %ls : tensor<4x1000xi32>
  %p = arith.select %below, %t, %zeros : tensor<4x1000xi1>, tensor<4x1000xf32>
  %s = tile.reduce add %p axis 1 : tensor<4x1000xf32> -> tensor<4xf32>
  tile.store %s, %y[%m] : tensor<4xf32>, !tile.view<8xf32>
  %q = arith.select %same, %t, %ones : tensor<4x1000xi1>, tensor<4x1000xf32>
  %r = tile.reduce add %q axis 1 : tensor<4x1000xf32> -> tensor<4xf32>
  tile.store %r, %z[%m] : tensor<4xf32>, !tile.view<8xf32>
  %u = arith.select %same, %n, %zeros : tensor<4x1000xi1>, tensor<4x1000xf32>
  %v = tile.reduce add %u axis 1 : tensor<4x1000xf32> -> tensor<4xf32>
  tile.store %v, %w[%m] : tensor<4xf32>, !tile.view<8xf32>
}

// -----

// CHECK-LABEL: tile.kernel @short
// CHECK-NOT:     tile.load_at
tile.kernel @short(%x: !tile.view<8x63xf32>, %labels: !tile.view<8xi32>) outs(%y: !tile.view<8xf32>) grid [2] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<4x63xf32>
  %l = tile.load %labels[%m] [4] : !tile.view<8xi32> -> tensor<4xi32>
  %t = tile.load %x[%m, %c0] [4, 63] : !tile.view<8x63xf32> -> tensor<4x63xf32>
  %lc = tile.expand_dims %l, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %i = tile.iota [63] : tensor<63xi32>
  %is = tile.broadcast %i [4, 63] : tensor<63xi32> -> tensor<4x63xi32>
  %ls = tile.broadcast %lc [4, 63] : tensor<4x1xi32> -> tensor<4x63xi32>
  %same = arith.cmpi eq, %is, %ls : tensor<4x63xi32>
  %p = arith.select %same, %t, %zeros : tensor<4x63xi1>, tensor<4x63xf32>
  %s = tile.reduce add %p axis 1 : tensor<4x63xf32> -> tensor<4xf32>
  tile.store %s, %y[%m] : tensor<4xf32>, !tile.view<8xf32>
}
