// RUN: tilegpt-opt %s --tile-gpu-fuse-exponential-sums --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-fuse-exponential-sums --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// The logarithm of a sum of exponentials.
// CHECK-LABEL: tile.kernel @log_sum_exp
// CHECK:         %[[X:.*]] = tile.load
// CHECK:         %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<4x1000xf32>
// CHECK:         %[[R:.*]]:2 = tile.reduce %[[X]], %[[ONES]] axis 1 keepdims identities [0xFF800000 : f32, 0.000000e+00 : f32] {
// CHECK-NEXT:      ^bb0(%[[MA:.*]]: f32, %[[SA:.*]]: f32, %[[MB:.*]]: f32, %[[SB:.*]]: f32):
// CHECK-NEXT:        %[[M:.*]] = arith.maximumf %[[MA]], %[[MB]]
// CHECK:             %[[EMPTY:.*]] = arith.cmpf oeq, %[[M]]
// CHECK:             %[[FROM:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[M]]
// CHECK:             %[[D:.*]] = arith.subf %[[MA]], %[[FROM]]
// CHECK:             %[[T:.*]] = arith.mulf %[[D]], %{{.*}}
// CHECK:             %[[E:.*]] = math.exp2 %[[T]] fastmath<afn>
// CHECK:             arith.mulf %[[SA]], %[[E]]
// CHECK:             tile.yield %[[M]]
// For a row with an infinity, or with nothing but minus infinity, the sum is NaN.
// CHECK:         %[[NONE:.*]] = arith.subf %[[R]]#0, %[[R]]#0 : tensor<4x1xf32>
// CHECK:         %[[S:.*]] = arith.addf %[[R]]#1, %[[NONE]]
// CHECK:         %[[LOG:.*]] = math.log %[[S]]
// CHECK:         arith.addf %[[R]]#0, %[[LOG]]
// CHECK-NOT:     math.exp
// EXPLAIN: @log_sum_exp: softmax: the maximum and the sum of exponentials are one reduction
tile.kernel @log_sum_exp(%x: !tile.view<8x1000xf32>) outs(%y: !tile.view<8x1xf32>) grid [2] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 1000] : !tile.view<8x1000xf32> -> tensor<4x1000xf32>
  %max = tile.reduce max %t axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %maxs = tile.broadcast %max [4, 1000] : tensor<4x1xf32> -> tensor<4x1000xf32>
  %d = arith.subf %t, %maxs : tensor<4x1000xf32>
  %e = math.exp %d : tensor<4x1000xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %log = math.log %sum : tensor<4x1xf32>
  %all = arith.addf %max, %log : tensor<4x1xf32>
  tile.store %all, %y[%m, %c0] : tensor<4x1xf32>, !tile.view<8x1xf32>
}

// -----

// Other forms: powers of two of scaled elements minus the scaled maximum, without the reduced axis.
// CHECK-LABEL: tile.kernel @scaled
// CHECK:         tile.reduce %{{.*}}, %{{.*}} axis 1 {{.*}}identities
// CHECK:           arith.constant 2.500000e-01 : f32
// CHECK:           math.exp2
tile.kernel @scaled(%x: !tile.view<8x1000xf32>) outs(%y: !tile.view<8xf32>) grid [2] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %scale = arith.constant dense<0.25> : tensor<4x1000xf32>
  %scales = arith.constant dense<0.25> : tensor<4xf32>
  %t = tile.load %x[%m, %c0] [4, 1000] : !tile.view<8x1000xf32> -> tensor<4x1000xf32>
  %max = tile.reduce max %t axis 1 : tensor<4x1000xf32> -> tensor<4xf32>
  %least = arith.mulf %max, %scales : tensor<4xf32>
  %column = tile.expand_dims %least, 1 : tensor<4xf32> -> tensor<4x1xf32>
  %maxs = tile.broadcast %column [4, 1000] : tensor<4x1xf32> -> tensor<4x1000xf32>
  %s = arith.mulf %t, %scale : tensor<4x1000xf32>
  %d = arith.subf %s, %maxs : tensor<4x1000xf32>
  %e = math.exp2 %d : tensor<4x1000xf32>
  %sum = tile.reduce add %e axis 1 : tensor<4x1000xf32> -> tensor<4xf32>
  tile.store %sum, %y[%m] : tensor<4xf32>, !tile.view<8xf32>
}

// -----

// Along columns.
// CHECK-LABEL: tile.kernel @columns
// CHECK:         tile.reduce %{{.*}}, %{{.*}} axis 0 identities
tile.kernel @columns(%x: !tile.view<64x64xf32>) outs(%y: !tile.view<64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %max = tile.reduce max %t axis 0 : tensor<64x64xf32> -> tensor<64xf32>
  %maxs = tile.broadcast %max [64, 64] : tensor<64xf32> -> tensor<64x64xf32>
  %d = arith.subf %t, %maxs : tensor<64x64xf32>
  %e = math.exp %d : tensor<64x64xf32>
  %sum = tile.reduce add %e axis 0 : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %sum, %y[%c0] : tensor<64xf32>, !tile.view<64xf32>
}

// -----

// A maximum of minus infinity is replaced by a number: the sum is rescaled to it.
// CHECK-LABEL: tile.kernel @guarded
// CHECK:         %[[R:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 1 keepdims identities
// CHECK:         %[[G:.*]] = arith.maximumf %[[R]]#0, %{{.*}} : tensor<4x1xf32>
// CHECK:         %[[L:.*]] = arith.subf %[[R]]#0, %[[G]]
// CHECK:         %[[F:.*]] = math.exp %[[L]]
// CHECK:         %[[S:.*]] = arith.mulf %[[R]]#1, %[[F]]
// CHECK:         %[[N:.*]] = arith.subf %[[G]], %[[G]]
// CHECK:         %[[T:.*]] = arith.addf %[[S]], %[[N]]
// CHECK:         tile.store %[[T]]
tile.kernel @guarded(%x: !tile.view<8x1000xf32>) outs(%y: !tile.view<8x1xf32>) grid [2] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %least = arith.constant dense<-1.0e+30> : tensor<4x1xf32>
  %t = tile.load %x[%m, %c0] [4, 1000] : !tile.view<8x1000xf32> -> tensor<4x1000xf32>
  %own = tile.reduce max %t axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %max = arith.maximumf %own, %least : tensor<4x1xf32>
  %maxs = tile.broadcast %max [4, 1000] : tensor<4x1xf32> -> tensor<4x1000xf32>
  %d = arith.subf %t, %maxs : tensor<4x1000xf32>
  %e = math.exp %d : tensor<4x1000xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  tile.store %sum, %y[%m, %c0] : tensor<4x1xf32>, !tile.view<8x1xf32>
}

// -----

// Near misses: the exponentials of a softmax are used otherwise.
// CHECK-LABEL: tile.kernel @softmax
// CHECK:         tile.reduce max
// CHECK:         tile.reduce add
// EXPLAIN: @softmax: softmax missed: a maximum and the sum of exponentials are two reductions: its exponentials have other uses
tile.kernel @softmax(%x: !tile.view<8x1000xf32>) outs(%y: !tile.view<8x1000xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 1000] : !tile.view<8x1000xf32> -> tensor<1x1000xf32>
  %max = tile.reduce max %t axis 1 keepdims : tensor<1x1000xf32> -> tensor<1x1xf32>
  %maxs = tile.broadcast %max [1, 1000] : tensor<1x1xf32> -> tensor<1x1000xf32>
  %d = arith.subf %t, %maxs : tensor<1x1000xf32>
  %e = math.exp %d : tensor<1x1000xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<1x1000xf32> -> tensor<1x1xf32>
  %sums = tile.broadcast %sum [1, 1000] : tensor<1x1xf32> -> tensor<1x1000xf32>
  %p = arith.divf %e, %sums : tensor<1x1000xf32>
  tile.store %p, %y[%m, %c0] : tensor<1x1000xf32>, !tile.view<8x1000xf32>
}

// -----

// The maximum of each row is subtracted from a column.
// CHECK-LABEL: tile.kernel @across
// CHECK:         tile.reduce max
// CHECK:         tile.reduce add
// EXPLAIN: @across: {{.*}} its exponents are not the elements minus the maximum, times a positive constant; subtract the maximum of the same tile
tile.kernel @across(%x: !tile.view<64x64xf32>) outs(%y: !tile.view<64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %max = tile.reduce max %t axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %maxs = tile.broadcast %max [64, 64] : tensor<64xf32> -> tensor<64x64xf32>
  %d = arith.subf %t, %maxs : tensor<64x64xf32>
  %e = math.exp %d : tensor<64x64xf32>
  %sum = tile.reduce add %e axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %sum, %y[%c0] : tensor<64xf32>, !tile.view<64xf32>
}

// -----

// The subtracted value is not that tile's maximum; the factor is negative; the maximum ignores NaN.
// CHECK-LABEL: tile.kernel @others
// CHECK-COUNT-3: tile.reduce add
// EXPLAIN-DAG: @others: {{.*}} its exponents are not the elements minus the maximum
// EXPLAIN-DAG: @others: {{.*}} the maximum ignores NaN; reduce with nan(propagate)
tile.kernel @others(%x: !tile.view<8x1000xf32>) outs(%y: !tile.view<8x1xf32>) grid [2] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<4x1000xf32>
  %t = tile.load %x[%m, %c0] [4, 1000] : !tile.view<8x1000xf32> -> tensor<4x1000xf32>
  %max = tile.reduce max %t axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %maxs = tile.broadcast %max [4, 1000] : tensor<4x1xf32> -> tensor<4x1000xf32>
  %t2 = arith.mulf %t, %two : tensor<4x1000xf32>
  %d0 = arith.subf %t2, %maxs : tensor<4x1000xf32>
  %e0 = math.exp %d0 : tensor<4x1000xf32>
  %s0 = tile.reduce add %e0 axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %d1 = arith.subf %maxs, %t : tensor<4x1000xf32>
  %e1 = math.exp %d1 : tensor<4x1000xf32>
  %s1 = tile.reduce add %e1 axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %most = tile.reduce max %t axis 1 keepdims nan(ignore) : tensor<4x1000xf32> -> tensor<4x1xf32>
  %mosts = tile.broadcast %most [4, 1000] : tensor<4x1xf32> -> tensor<4x1000xf32>
  %d2 = arith.subf %t, %mosts : tensor<4x1000xf32>
  %e2 = math.exp %d2 : tensor<4x1000xf32>
  %s2 = tile.reduce add %e2 axis 1 keepdims : tensor<4x1000xf32> -> tensor<4x1xf32>
  %a = arith.addf %s0, %s1 : tensor<4x1xf32>
  %b = arith.addf %a, %s2 : tensor<4x1xf32>
  tile.store %b, %y[%m, %c0] : tensor<4x1xf32>, !tile.view<8x1xf32>
}
