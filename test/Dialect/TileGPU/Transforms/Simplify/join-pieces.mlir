// RUN: tilegpt-opt %s --tile-gpu-join-pieces --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-join-pieces --split-input-file --explain 2>&1 | FileCheck %s --check-prefix=WHY

// A maximum and a sum that is rescaled with it, then the quotients; elements past the row are minus infinity.
// CHECK-LABEL: tile.kernel @softmax
// CHECK-NOT:     scf.for
// CHECK:         %[[T:.*]] = arith.constant dense<true> : tensor<1x5000xi1>
// CHECK-NOT:     arith.cmpi
// CHECK:         %[[X:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}] [1, 5000]
// CHECK-NOT:     tile.load
// CHECK:         %[[S:.*]] = arith.select %[[T]], %[[X]]
// CHECK:         %[[M:.*]] = tile.reduce max %[[S]] axis 1
// CHECK:         arith.maximumf %{{.*}}, %[[M]]
// CHECK:         tile.reduce add
// CHECK:         arith.subf %[[X]]
// CHECK:         tile.store %{{.*}} : tensor<1x5000xf32>
// WHY: @softmax: tile: 2 loops over an axis of 5000 share one load of it
tile.kernel @softmax(%x: !tile.view<64x5000xf32>) outs(%y: !tile.view<64x5000xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %bn = arith.constant 1024 : index
  %least = arith.constant dense<0xFF800000> : tensor<1x1xf32>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<1x1024xf32>
  %end = arith.constant dense<5000> : tensor<1x1024xi32>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%old = %least, %sum = %none) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %iota = tile.iota [1024] : tensor<1024xi32>
    %place = arith.addi %iota, %firsts : tensor<1024xi32>
    %places = tile.expand_dims %place, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x1024xi32>
    %xt = tile.load %x[%m, %i] [1, 1024] : !tile.view<64x5000xf32> -> tensor<1x1024xf32>
    %s = arith.select %is, %xt, %hidden : tensor<1x1024xi1>, tensor<1x1024xf32>
    %max = tile.reduce max %s axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %new = arith.maximumf %old, %max : tensor<1x1xf32>
    %d = arith.subf %old, %new : tensor<1x1xf32>
    %f = math.exp %d : tensor<1x1xf32>
    %less = arith.mulf %sum, %f : tensor<1x1xf32>
    %news = tile.broadcast %new [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %ds = arith.subf %s, %news : tensor<1x1024xf32>
    %e = math.exp %ds : tensor<1x1024xf32>
    %own = tile.reduce add %e axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %all = arith.addf %less, %own : tensor<1x1xf32>
    scf.yield %new, %all : tensor<1x1xf32>, tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c5 step %c1 {
    %xt = tile.load %x[%m, %i] [1, 1024] : !tile.view<64x5000xf32> -> tensor<1x1024xf32>
    %max = tile.broadcast %r#0 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %d = arith.subf %xt, %max : tensor<1x1024xf32>
    %e = math.exp %d : tensor<1x1024xf32>
    %sum = tile.broadcast %r#1 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %q = arith.divf %e, %sum : tensor<1x1024xf32>
    tile.store %q, %y[%m, %i] : tensor<1x1024xf32>, !tile.view<64x5000xf32>
  }
}

// -----

// The sum is rescaled by the square of the right factor.
// CHECK-LABEL: tile.kernel @half_softmax
// CHECK-COUNT-2: scf.for
// WHY: @half_softmax: tile missed: loops over the same axis are not merged: the loop carries a value that is neither a reduction along the axis nor a sum of an online softmax
tile.kernel @half_softmax(%x: !tile.view<64x5000xf32>) outs(%y: !tile.view<64x5000xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %bn = arith.constant 1024 : index
  %least = arith.constant dense<0xFF800000> : tensor<1x1xf32>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<1x1024xf32>
  %end = arith.constant dense<5000> : tensor<1x1024xi32>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%old = %least, %sum = %none) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %firsts = tile.splat %first [1024] : i32 -> tensor<1024xi32>
    %iota = tile.iota [1024] : tensor<1024xi32>
    %place = arith.addi %iota, %firsts : tensor<1024xi32>
    %places = tile.expand_dims %place, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x1024xi32>
    %xt = tile.load %x[%m, %i] [1, 1024] : !tile.view<64x5000xf32> -> tensor<1x1024xf32>
    %s = arith.select %is, %xt, %hidden : tensor<1x1024xi1>, tensor<1x1024xf32>
    %max = tile.reduce max %s axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %new = arith.maximumf %old, %max : tensor<1x1xf32>
    %d = arith.subf %old, %new : tensor<1x1xf32>
    %dd = arith.addf %d, %d : tensor<1x1xf32>
    %f = math.exp %dd : tensor<1x1xf32>
    %less = arith.mulf %sum, %f : tensor<1x1xf32>
    %news = tile.broadcast %new [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %ds = arith.subf %s, %news : tensor<1x1024xf32>
    %e = math.exp %ds : tensor<1x1024xf32>
    %own = tile.reduce add %e axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %all = arith.addf %less, %own : tensor<1x1xf32>
    scf.yield %new, %all : tensor<1x1xf32>, tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c5 step %c1 {
    %xt = tile.load %x[%m, %i] [1, 1024] : !tile.view<64x5000xf32> -> tensor<1x1024xf32>
    %max = tile.broadcast %r#0 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %d = arith.subf %xt, %max : tensor<1x1024xf32>
    %e = math.exp %d : tensor<1x1024xf32>
    %sum = tile.broadcast %r#1 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %q = arith.divf %e, %sum : tensor<1x1024xf32>
    tile.store %q, %y[%m, %i] : tensor<1x1024xf32>, !tile.view<64x5000xf32>
  }
}

// -----

// Tiles are accumulated and reduced after the loop; squares of zeros are zeros. Vectors are read piece by piece, too.
// CHECK-LABEL: tile.kernel @rms_norm
// CHECK-NOT:     scf.for
// CHECK:         tile.load %{{.*}} [4, 1500]
// CHECK:         arith.addf %{{.*}} : tensor<4x1500xf32>
// CHECK:         tile.reduce add %{{.*}} axis 1 keepdims : tensor<4x1500xf32>
// CHECK-NOT:     tile.load %arg0
// CHECK:         tile.load %{{.*}} [1500] : !tile.view<1500xf32>
// CHECK:         tile.store %{{.*}} : tensor<4x1500xf32>
tile.kernel @rms_norm(%x: !tile.view<64x1500xf32>, %g: !tile.view<1500xf32>) outs(%y: !tile.view<64x1500xf32>) grid [16] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant dense<0.0> : tensor<4x512xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %none) -> (tensor<4x512xf32>) {
    %t = tile.load %x[%m, %i] [4, 512] : !tile.view<64x1500xf32> -> tensor<4x512xf32>
    %s = arith.mulf %t, %t : tensor<4x512xf32>
    %all = arith.addf %sum, %s : tensor<4x512xf32>
    scf.yield %all : tensor<4x512xf32>
  }
  %sum = tile.reduce add %r axis 1 keepdims : tensor<4x512xf32> -> tensor<4x1xf32>
  %root = math.rsqrt %sum : tensor<4x1xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = tile.load %x[%m, %i] [4, 512] : !tile.view<64x1500xf32> -> tensor<4x512xf32>
    %v = tile.load %g[%i] [512] : !tile.view<1500xf32> -> tensor<512xf32>
    %vs = tile.broadcast %v [4, 512] : tensor<512xf32> -> tensor<4x512xf32>
    %roots = tile.broadcast %root [4, 512] : tensor<4x1xf32> -> tensor<4x512xf32>
    %n = arith.mulf %t, %roots : tensor<4x512xf32>
    %o = arith.mulf %n, %vs : tensor<4x512xf32>
    tile.store %o, %y[%m, %i] : tensor<4x512xf32>, !tile.view<64x1500xf32>
  }
}

// -----

// Zeros past the row become minus its mean: the tile contains exactly the pieces' elements.
// CHECK-LABEL: tile.kernel @deviation
// CHECK-NOT:     scf.for
// CHECK:         tile.load %{{.*}} [1, 1536]
// CHECK:         tile.reduce add %{{.*}} axis 1 keepdims : tensor<1x1536xf32>
// CHECK:         tile.reduce add %{{.*}} axis 1 keepdims : tensor<1x1536xf32>
tile.kernel @deviation(%x: !tile.view<64x1500xf32>) outs(%y: !tile.view<64x1xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1500xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  %var = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1500xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %d = arith.subf %t, %rs : tensor<1x512xf32>
    %dd = arith.mulf %d, %d : tensor<1x512xf32>
    %s = tile.reduce add %dd axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %s, %sum : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  tile.store %var, %y[%m, %c0] : tensor<1x1xf32>, !tile.view<64x1xf32>
}

// -----

// Each piece is divided by its own maximum.
// CHECK-LABEL: tile.kernel @by_pieces
// CHECK-COUNT-2: scf.for
// WHY: @by_pieces: tile missed: loops over the same axis are not merged: the reduction of a piece is used within the same iteration
tile.kernel @by_pieces(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %max = tile.reduce max %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %fs = tile.broadcast %max [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %p = arith.divf %t, %fs : tensor<1x512xf32>
    %q = arith.mulf %p, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// The columns of a piece, not of the row, are weights.
// CHECK-LABEL: tile.kernel @places
// CHECK-COUNT-2: scf.for
// WHY: @places: tile missed: loops over the same axis are not merged: indices within a tile are used directly; add the start of the tile to them
tile.kernel @places(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %iota = tile.iota [512] : tensor<512xi32>
    %f = arith.sitofp %iota : tensor<512xi32> to tensor<512xf32>
    %fs = tile.expand_dims %f, 0 : tensor<512xf32> -> tensor<1x512xf32>
    %p = arith.mulf %t, %fs : tensor<1x512xf32>
    %q = arith.mulf %p, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// The index of a piece is a weight.
// CHECK-LABEL: tile.kernel @numbered
// CHECK-COUNT-2: scf.for
// WHY: @numbered: tile missed: loops over the same axis are not merged: the tile index is used other than to compute element indices
tile.kernel @numbered(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %fs = tile.splat %f [1, 512] : f32 -> tensor<1x512xf32>
    %p = arith.mulf %t, %fs : tensor<1x512xf32>
    %q = arith.mulf %p, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// Earlier terms count half.
// CHECK-LABEL: tile.kernel @fading
// CHECK-COUNT-2: scf.for
// WHY: @fading: tile missed: loops over the same axis are not merged: the loop carries a value that is neither a reduction along the axis nor a sum of an online softmax
tile.kernel @fading(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %half = arith.constant dense<0.5> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %less = arith.mulf %sum, %half : tensor<1x1xf32>
    %all = arith.addf %less, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.mulf %t, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// The greatest of the sums of the pieces.
// CHECK-LABEL: tile.kernel @greatest_sum
// CHECK-COUNT-2: scf.for
// WHY: @greatest_sum: tile missed: loops over the same axis are not merged: the loop carries a value that is neither a reduction along the axis nor a sum of an online softmax
tile.kernel @greatest_sum(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.maximumf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.mulf %t, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// One loop visits every other piece.
// CHECK-LABEL: tile.kernel @every_other
// CHECK-COUNT-2: scf.for
// WHY: @every_other: tile missed: loops over the same axis are not merged: the loop does not visit each tile of the axis
tile.kernel @every_other(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c2 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.mulf %t, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// The axis has a dynamic size.
// CHECK-LABEL: tile.kernel @axis_of_unknown_size
// CHECK-COUNT-2: scf.for
// WHY: @axis_of_unknown_size: tile missed: loops over the same axis are not merged: the size of the axis is not known; make it static in the view
tile.kernel @axis_of_unknown_size(%x: !tile.view<64x?xf32>) outs(%y: !tile.view<64x?xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [512] : !tile.view<64x?xf32>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x?xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x?xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.mulf %t, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x?xf32>
  }
}

// -----

// One loop loads what the other has stored.
// CHECK-LABEL: tile.kernel @again
// CHECK-COUNT-2: scf.for
// WHY: @again: tile missed: loops over the same axis are not merged: the kernel loads what it stores
tile.kernel @again(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    tile.store %t, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %y[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    tile.store %t, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// No shared memory fits rows of four million columns.
// CHECK-LABEL: tile.kernel @endless
// CHECK-COUNT-2: scf.for
// WHY: @endless: tile missed: loops over the same axis are not merged: its 4194304 elements fit neither registers nor shared memory
tile.kernel @endless(%x: !tile.view<64x4194304xf32>) outs(%y: !tile.view<64x4194304xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 8192 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x4194304xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x4194304xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.mulf %t, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x4194304xf32>
  }
}

// -----

// One loop loads nothing twice.
// CHECK-LABEL: tile.kernel @once
// CHECK:         scf.for
// WHY-NOT: @once: tile
tile.kernel @once(%x: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  tile.store %r, %y[%m, %c0] : tensor<1x1xf32>, !tile.view<64x1xf32>
}

// -----

// Registers fit two of the eight rows.
// CHECK-LABEL: tile.kernel @eight_rows
// CHECK:         grid [32]
// CHECK-NOT:     scf.for
// CHECK:         tile.load %{{.*}} [2, 8192]
tile.kernel @eight_rows(%x: !tile.view<64x8192xf32>) outs(%y: !tile.view<64x8192xf32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %none = arith.constant dense<0.0> : tensor<8x1xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%sum = %none) -> (tensor<8x1xf32>) {
    %t = tile.load %x[%m, %i] [8, 512] : !tile.view<64x8192xf32> -> tensor<8x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<8x512xf32> -> tensor<8x1xf32>
    %all = arith.addf %sum, %s : tensor<8x1xf32>
    scf.yield %all : tensor<8x1xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %t = tile.load %x[%m, %i] [8, 512] : !tile.view<64x8192xf32> -> tensor<8x512xf32>
    %rs = tile.broadcast %r [8, 512] : tensor<8x1xf32> -> tensor<8x512xf32>
    %q = arith.mulf %t, %rs : tensor<8x512xf32>
    tile.store %q, %y[%m, %i] : tensor<8x512xf32>, !tile.view<64x8192xf32>
  }
}

// -----

// The loops load different rows: no loads would be saved.
// CHECK-LABEL: tile.kernel @two_rows
// CHECK-COUNT-2: scf.for
tile.kernel @two_rows(%x: !tile.view<64x1024xf32>, %z: !tile.view<64x1024xf32>) outs(%y: !tile.view<64x1024xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = tile.load %z[%m, %i] [1, 512] : !tile.view<64x1024xf32> -> tensor<1x512xf32>
    %rs = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.mulf %t, %rs : tensor<1x512xf32>
    tile.store %q, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x1024xf32>
  }
}

// -----

// Blocks that walk rows, and create their views: the extent of the axis is unknown, the gain is split into pieces.
// CHECK-LABEL: tile.kernel @walked_rows
// CHECK:         %[[G:.*]] = tile.load %{{.*}} [2048]
// CHECK:         scf.for
// CHECK-NOT:     scf.for
// CHECK:           %[[X:.*]] = tile.load %{{.*}} [4, 2048] {tile.settled}
// CHECK-NOT:       tile.load
// CHECK:           tile.reduce add %{{.*}} axis 1 keepdims : tensor<4x2048xf32>
// CHECK-NOT:       tile.extract
// CHECK:           tile.broadcast %[[G]] [4, 2048]
// CHECK:           tile.store %{{.*}} : tensor<4x2048xf32>
// WHY: @walked_rows: tile: 2 loops over an axis of 2048 share one load of it
tile.kernel @walked_rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %g: !tile.ptr<f32>, %rows: i32, %columns: i32) grid launch {
  %m = arith.index_cast %rows : i32 to index
  %n = arith.index_cast %columns : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant dense<0.0> : tensor<4x1xf32>
  %vx = tile.view_at %x sizes [%m, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.view<?x?xf32, strides=[?, 1]>
  %vy = tile.view_at %y sizes [%m, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.view<?x?xf32, strides=[?, 1]>
  %vg = tile.view_at %g sizes [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %gain = tile.load %vg[%c0] [2048] : !tile.view<?xf32> -> tensor<2048xf32>
  %b = tile.block_id 0
  %blocks = tile.num_blocks 0
  scf.for %row = %b to %m step %blocks {
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %none) -> (tensor<4x1xf32>) {
      %t = tile.load %vx[%row, %i] [4, 512] {tile.settled} : !tile.view<?x?xf32, strides=[?, 1]> -> tensor<4x512xf32>
      %s = tile.reduce add %t axis 1 keepdims : tensor<4x512xf32> -> tensor<4x1xf32>
      %all = arith.addf %sum, %s : tensor<4x1xf32>
      scf.yield %all : tensor<4x1xf32>
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %t = tile.load %vx[%row, %i] [4, 512] {tile.settled} : !tile.view<?x?xf32, strides=[?, 1]> -> tensor<4x512xf32>
      %part = tile.extract %gain[%i] [512] : tensor<2048xf32> -> tensor<512xf32>
      %parts = tile.broadcast %part [4, 512] : tensor<512xf32> -> tensor<4x512xf32>
      %sums = tile.broadcast %r [4, 512] : tensor<4x1xf32> -> tensor<4x512xf32>
      %q = arith.divf %t, %sums : tensor<4x512xf32>
      %o = arith.mulf %q, %parts : tensor<4x512xf32>
      tile.store %o, %vy[%row, %i] : tensor<4x512xf32>, !tile.view<?x?xf32, strides=[?, 1]>
    }
  }
}

// -----

// The second loop may load what it has stored.
// CHECK-LABEL: tile.kernel @in_place
// CHECK-COUNT-2: scf.for
// WHY: @in_place: tile missed: loops over the same axis are not merged: the kernel loads what it stores
tile.kernel @in_place(%x: !tile.ptr<f32>, %rows: i32, %columns: i32) grid launch {
  %m = arith.index_cast %rows : i32 to index
  %n = arith.index_cast %columns : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant dense<0.0> : tensor<4x1xf32>
  %vx = tile.view_at %x sizes [%m, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.view<?x?xf32, strides=[?, 1]>
  %b = tile.block_id 0
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %none) -> (tensor<4x1xf32>) {
    %t = tile.load %vx[%b, %i] [4, 512] : !tile.view<?x?xf32, strides=[?, 1]> -> tensor<4x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<4x512xf32> -> tensor<4x1xf32>
    %all = arith.addf %sum, %s : tensor<4x1xf32>
    scf.yield %all : tensor<4x1xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %t = tile.load %vx[%b, %i] [4, 512] : !tile.view<?x?xf32, strides=[?, 1]> -> tensor<4x512xf32>
    %sums = tile.broadcast %r [4, 512] : tensor<4x1xf32> -> tensor<4x512xf32>
    %q = arith.divf %t, %sums : tensor<4x512xf32>
    tile.store %q, %vx[%b, %i] : tensor<4x512xf32>, !tile.view<?x?xf32, strides=[?, 1]>
  }
}

// -----

// Every row of the gain's pieces is the piece of its own index.
// CHECK-LABEL: tile.kernel @diagonal_pieces
// CHECK-COUNT-2: scf.for
// WHY: @diagonal_pieces: tile missed: loops over the same axis are not merged: the op may move elements along the axis
tile.kernel @diagonal_pieces(%x: !tile.view<64x2048xf32>, %g: !tile.view<4x2048xf32>) outs(%y: !tile.view<64x2048xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %gain = tile.load %g[%c0, %c0] [4, 2048] : !tile.view<4x2048xf32> -> tensor<4x2048xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %none) -> (tensor<1x1xf32>) {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x2048xf32> -> tensor<1x512xf32>
    %s = tile.reduce add %t axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %all = arith.addf %sum, %s : tensor<1x1xf32>
    scf.yield %all : tensor<1x1xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %t = tile.load %x[%m, %i] [1, 512] : !tile.view<64x2048xf32> -> tensor<1x512xf32>
    %part = tile.extract %gain[%i, %i] [1, 512] : tensor<4x2048xf32> -> tensor<1x512xf32>
    %sums = tile.broadcast %r [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %q = arith.divf %t, %sums : tensor<1x512xf32>
    %o = arith.mulf %q, %part : tensor<1x512xf32>
    tile.store %o, %y[%m, %i] : tensor<1x512xf32>, !tile.view<64x2048xf32>
  }
}

// -----

// Squares are summed by fma; indices count from 1000, so that the comparison does not distinguish elements from padding.
// CHECK-LABEL: tile.kernel @shifted
// CHECK-NOT:     scf.for
// CHECK:         %[[END:.*]] = arith.constant dense<5000> : tensor<1x5120xi32>
// CHECK:         arith.addi %{{.*}}, %c1000_i32 : i32
// CHECK:         arith.cmpi slt, %{{.*}}, %[[END]]
// CHECK:         math.fma {{.*}} : tensor<1x5120xf32>
// CHECK:         tile.reduce add
tile.kernel @shifted(%x: !tile.view<64x5000xf32>) outs(%y: !tile.view<64x5000xf32>) grid [64] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %bn = arith.constant 1024 : index
  %from = arith.constant 1000 : i32
  %none = arith.constant dense<0.0> : tensor<1x1024xf32>
  %end = arith.constant dense<5000> : tensor<1x1024xi32>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %none) -> (tensor<1x1024xf32>) {
    %start = arith.muli %i, %bn : index
    %first = arith.index_cast %start : index to i32
    %moved = arith.addi %first, %from : i32
    %firsts = tile.splat %moved [1024] : i32 -> tensor<1024xi32>
    %iota = tile.iota [1024] : tensor<1024xi32>
    %place = arith.addi %iota, %firsts : tensor<1024xi32>
    %places = tile.expand_dims %place, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %is = arith.cmpi slt, %places, %end : tensor<1x1024xi32>
    %xt = tile.load %x[%m, %i] [1, 1024] : !tile.view<64x5000xf32> -> tensor<1x1024xf32>
    %s = arith.select %is, %xt, %none : tensor<1x1024xi1>, tensor<1x1024xf32>
    %n = math.fma %s, %s, %a : tensor<1x1024xf32>
    scf.yield %n : tensor<1x1024xf32>
  }
  %sum = tile.reduce add %r axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    %xt = tile.load %x[%m, %i] [1, 1024] : !tile.view<64x5000xf32> -> tensor<1x1024xf32>
    %sums = tile.broadcast %sum [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %q = arith.divf %xt, %sums : tensor<1x1024xf32>
    tile.store %q, %y[%m, %i] : tensor<1x1024xf32>, !tile.view<64x5000xf32>
  }
}
