// Products as users write them, with tiles of fixed sizes.
// TYPES: bf16

// An f8 product with one scale per 128 steps of K and 128 rows of the weights.
// CASE @f8_block rounded K=512: 150x256xf8E4M3FN=random:1 256x256xf8E4M3FN=random:2 150x2xf32=random:3 2x2xf32=random:4 -> 150x256xbf16
tile.kernel @f8_block(%x: !tile.view<?x?xf8E4M3FN>, %w: !tile.view<?x?xf8E4M3FN>, %sx: !tile.view<?x?xf32>, %sw: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),128), ceildiv(dim(%y,1),128)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x4 = tile.num_tiles %x, 1 by [128] : !tile.view<?x?xf8E4M3FN>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x9 = %x3) -> (tensor<128x128xf32>) {
    %x10 = tile.load %x[%x1, %x7] [128, 128] : !tile.view<?x?xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %x11 = tile.load %w[%x2, %x7] [128, 128] : !tile.view<?x?xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %x12 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x13 = tile.dot %x10, %x11, %x12 transpose_b : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x14 = tile.load %sx[%x1, %x7] [128, 1] : !tile.view<?x?xf32> -> tensor<128x1xf32>
    %x15 = tile.load %sw[%x2, %x7] [1, 1] : !tile.view<?x?xf32> -> tensor<1x1xf32>
    %x16 = tile.broadcast %x15 [128, 1] : tensor<1x1xf32> -> tensor<128x1xf32>
    %x17 = arith.mulf %x14, %x16 : tensor<128x1xf32>
    %x18 = tile.broadcast %x17 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x19 = arith.mulf %x13, %x18 : tensor<128x128xf32>
    %x20 = arith.addf %x9, %x19 : tensor<128x128xf32>
    scf.yield %x20 : tensor<128x128xf32>
  }
  %x21 = tile.cast %x8 : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %x21, %y[%x1, %x2] : tensor<128x128xbf16>, !tile.view<?x?xbf16>
}

// A product followed by a softmax of whole rows.
// CASE @mm_softmax rounded K=512: 150x192xbf16=random:1 256x192xbf16=random:2 -> 150x256xbf16
tile.kernel @mm_softmax(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<64x256xf32>
  %x3 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x7 = scf.for %x6 = %x4 to %x3 step %x5 iter_args(%x8 = %x2) -> (tensor<64x256xf32>) {
    %x9 = tile.load %x[%x1, %x6] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x10 = arith.constant 0 : index
    %x11 = tile.load %w[%x10, %x6] [256, 64] : !tile.view<?x?xbf16> -> tensor<256x64xbf16>
    %x12 = tile.dot %x9, %x11, %x8 transpose_b : tensor<64x64xbf16>, tensor<256x64xbf16>, tensor<64x256xf32> -> tensor<64x256xf32>
    scf.yield %x12 : tensor<64x256xf32>
  }
  %x13 = tile.reduce max %x7 axis 1 keepdims : tensor<64x256xf32> -> tensor<64x1xf32>
  %x14 = tile.broadcast %x13 [64, 256] : tensor<64x1xf32> -> tensor<64x256xf32>
  %x15 = arith.subf %x7, %x14 : tensor<64x256xf32>
  %x16 = math.exp %x15 : tensor<64x256xf32>
  %x17 = tile.reduce add %x16 axis 1 keepdims : tensor<64x256xf32> -> tensor<64x1xf32>
  %x18 = tile.broadcast %x17 [64, 256] : tensor<64x1xf32> -> tensor<64x256xf32>
  %x19 = arith.divf %x16, %x18 : tensor<64x256xf32>
  %x20 = tile.cast %x19 : tensor<64x256xf32> to tensor<64x256xbf16>
  %x21 = arith.constant 0 : index
  tile.store %x20, %y[%x1, %x21] : tensor<64x256xbf16>, !tile.view<?x?xbf16>
}

// A product followed by a layer norm.
// CASE @mm_norm rounded K=512: 150x192xbf16=random:1 256x192xbf16=random:2 256xf32=random:3 -> 150x256xbf16
tile.kernel @mm_norm(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xbf16>, %g: !tile.view<?xf32>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<64x256xf32>
  %x3 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x7 = scf.for %x6 = %x4 to %x3 step %x5 iter_args(%x8 = %x2) -> (tensor<64x256xf32>) {
    %x9 = tile.load %x[%x1, %x6] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x10 = arith.constant 0 : index
    %x11 = tile.load %w[%x10, %x6] [256, 64] : !tile.view<?x?xbf16> -> tensor<256x64xbf16>
    %x12 = tile.dot %x9, %x11, %x8 transpose_b : tensor<64x64xbf16>, tensor<256x64xbf16>, tensor<64x256xf32> -> tensor<64x256xf32>
    scf.yield %x12 : tensor<64x256xf32>
  }
  %x13 = tile.reduce add %x7 axis 1 keepdims : tensor<64x256xf32> -> tensor<64x1xf32>
  %x14 = arith.constant dense<0.00390625> : tensor<64x1xf32>
  %x15 = arith.mulf %x13, %x14 : tensor<64x1xf32>
  %x16 = tile.broadcast %x15 [64, 256] : tensor<64x1xf32> -> tensor<64x256xf32>
  %x17 = arith.subf %x7, %x16 : tensor<64x256xf32>
  %x18 = arith.mulf %x17, %x17 : tensor<64x256xf32>
  %x19 = tile.reduce add %x18 axis 1 keepdims : tensor<64x256xf32> -> tensor<64x1xf32>
  %x20 = arith.constant dense<0.00390625> : tensor<64x1xf32>
  %x21 = arith.mulf %x19, %x20 : tensor<64x1xf32>
  %x22 = arith.constant dense<1.0e-05> : tensor<64x1xf32>
  %x23 = arith.addf %x21, %x22 : tensor<64x1xf32>
  %x24 = arith.constant 0 : index
  %x25 = tile.load %g[%x24] [256] : !tile.view<?xf32> -> tensor<256xf32>
  %x26 = tile.expand_dims %x25, 0 : tensor<256xf32> -> tensor<1x256xf32>
  %x27 = math.rsqrt %x23 : tensor<64x1xf32>
  %x28 = tile.broadcast %x27 [64, 256] : tensor<64x1xf32> -> tensor<64x256xf32>
  %x29 = arith.mulf %x17, %x28 : tensor<64x256xf32>
  %x30 = tile.broadcast %x26 [64, 256] : tensor<1x256xf32> -> tensor<64x256xf32>
  %x31 = arith.mulf %x29, %x30 : tensor<64x256xf32>
  %x32 = tile.cast %x31 : tensor<64x256xf32> to tensor<64x256xbf16>
  %x33 = arith.constant 0 : index
  tile.store %x32, %y[%x1, %x33] : tensor<64x256xbf16>, !tile.view<?x?xbf16>
}

// K-means: the distance to the nearest centre.
// CASE @kmeans rounded K=512: 150x128xbf16=random:1 256x128xbf16=random:2 256xf32=random:3 -> 150x1xf32
tile.kernel @kmeans(%x: !tile.view<?x?xbf16>, %c: !tile.view<?x?xbf16>, %n2: !tile.view<?xf32>) outs(%d: !tile.view<?x?xf32>) grid [ceildiv(dim(%d,0),128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %x[%x1, %x2] [128, 128] : !tile.view<?x?xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant dense<1.0e+30> : tensor<128x1xf32>
  %x5 = tile.num_tiles %c, 0 by [128] : !tile.view<?x?xbf16>
  %x6 = arith.constant 0 : index
  %x7 = arith.constant 1 : index
  %x9 = scf.for %x8 = %x6 to %x5 step %x7 iter_args(%x10 = %x4) -> (tensor<128x1xf32>) {
    %x11 = arith.constant 0 : index
    %x12 = tile.load %c[%x8, %x11] [128, 128] : !tile.view<?x?xbf16> -> tensor<128x128xbf16>
    %x13 = tile.load %n2[%x8] [128] : !tile.view<?xf32> -> tensor<128xf32>
    %x14 = tile.expand_dims %x13, 0 : tensor<128xf32> -> tensor<1x128xf32>
    %x15 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x16 = tile.dot %x3, %x12, %x15 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x17 = arith.constant dense<2.0> : tensor<128x128xf32>
    %x18 = arith.mulf %x16, %x17 : tensor<128x128xf32>
    %x19 = tile.broadcast %x14 [128, 128] : tensor<1x128xf32> -> tensor<128x128xf32>
    %x20 = arith.subf %x19, %x18 : tensor<128x128xf32>
    %x21 = tile.reduce min %x20 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x22 = arith.minimumf %x10, %x21 : tensor<128x1xf32>
    scf.yield %x22 : tensor<128x1xf32>
  }
  %x23 = arith.constant 0 : index
  tile.store %x9, %d[%x1, %x23] : tensor<128x1xf32>, !tile.view<?x?xf32>
}

// Newton–Schulz iterations, one matrix per block.
// CASE @newton rounded K=512: 3x64x64xbf16=random:1 -> 3x64x64xbf16
tile.kernel @newton(%x: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xbf16>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = arith.constant 0 : index
  %x4 = tile.load %x[%x1, %x2, %x3] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
  %x5 = tile.reshape %x4 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %x6 = tile.cast %x5 : tensor<64x64xbf16> to tensor<64x64xf32>
  %x7 = arith.constant dense<0.02> : tensor<64x64xf32>
  %x8 = arith.mulf %x6, %x7 : tensor<64x64xf32>
  %x9 = arith.constant 0 : index
  %x10 = arith.constant 2 : index
  %x11 = arith.constant 1 : index
  %x13 = scf.for %x12 = %x9 to %x10 step %x11 iter_args(%x14 = %x8) -> (tensor<64x64xf32>) {
    %x15 = tile.cast %x14 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x16 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x17 = tile.dot %x15, %x15, %x16 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x18 = tile.cast %x17 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x19 = arith.constant dense<-4.775> : tensor<64x64xf32>
    %x20 = arith.mulf %x17, %x19 : tensor<64x64xf32>
    %x21 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x22 = tile.dot %x18, %x18, %x21 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x23 = arith.constant dense<2.0315> : tensor<64x64xf32>
    %x24 = arith.mulf %x22, %x23 : tensor<64x64xf32>
    %x25 = arith.addf %x20, %x24 : tensor<64x64xf32>
    %x26 = arith.constant dense<3.4445> : tensor<64x64xf32>
    %x27 = arith.mulf %x14, %x26 : tensor<64x64xf32>
    %x28 = tile.cast %x25 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x29 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x30 = tile.dot %x28, %x15, %x29 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x31 = arith.addf %x27, %x30 : tensor<64x64xf32>
    scf.yield %x31 : tensor<64x64xf32>
  }
  %x32 = tile.reshape %x13 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %x33 = tile.cast %x32 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
  %x34 = arith.constant 0 : index
  %x35 = arith.constant 0 : index
  tile.store %x33, %y[%x1, %x34, %x35] : tensor<1x64x64xbf16>, !tile.view<?x?x?xbf16>
}

// An LSTM cell with four adjacent gates.
// CASE @lstm rounded K=512: 100x128xbf16=random:1 256x128xbf16=random:2 100x64xf32=random:3 -> 100x64xf32 100x64xbf16
tile.kernel @lstm(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xbf16>, %c: !tile.view<?x?xf32>) outs(%cn: !tile.view<?x?xf32>, %h: !tile.view<?x?xbf16>) grid [ceildiv(dim(%h,0),64), ceildiv(dim(%h,1),32)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<64x128xf32>
  %x4 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x9 = %x3) -> (tensor<64x128xf32>) {
    %x10 = tile.load %x[%x1, %x7] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x11 = tile.load %w[%x2, %x7] [128, 64] : !tile.view<?x?xbf16> -> tensor<128x64xbf16>
    %x12 = tile.dot %x10, %x11, %x9 transpose_b : tensor<64x64xbf16>, tensor<128x64xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %x12 : tensor<64x128xf32>
  }
  %x13 = tile.reshape %x8 [64, 32, 4] : tensor<64x128xf32> -> tensor<64x32x4xf32>
  %x14 = arith.constant 0 : index
  %x15 = arith.constant 0 : index
  %x16 = arith.constant 0 : index
  %x17 = tile.extract %x13[%x14, %x15, %x16] [64, 32, 1] : tensor<64x32x4xf32> -> tensor<64x32x1xf32>
  %x18 = tile.reshape %x17 [64, 32] : tensor<64x32x1xf32> -> tensor<64x32xf32>
  %x19 = arith.constant 0 : index
  %x20 = arith.constant 0 : index
  %x21 = arith.constant 1 : index
  %x22 = tile.extract %x13[%x19, %x20, %x21] [64, 32, 1] : tensor<64x32x4xf32> -> tensor<64x32x1xf32>
  %x23 = tile.reshape %x22 [64, 32] : tensor<64x32x1xf32> -> tensor<64x32xf32>
  %x24 = arith.constant 0 : index
  %x25 = arith.constant 0 : index
  %x26 = arith.constant 2 : index
  %x27 = tile.extract %x13[%x24, %x25, %x26] [64, 32, 1] : tensor<64x32x4xf32> -> tensor<64x32x1xf32>
  %x28 = tile.reshape %x27 [64, 32] : tensor<64x32x1xf32> -> tensor<64x32xf32>
  %x29 = arith.constant 0 : index
  %x30 = arith.constant 0 : index
  %x31 = arith.constant 3 : index
  %x32 = tile.extract %x13[%x29, %x30, %x31] [64, 32, 1] : tensor<64x32x4xf32> -> tensor<64x32x1xf32>
  %x33 = tile.reshape %x32 [64, 32] : tensor<64x32x1xf32> -> tensor<64x32xf32>
  %x34 = tile.load %c[%x1, %x2] [64, 32] : !tile.view<?x?xf32> -> tensor<64x32xf32>
  %x35 = arith.constant dense<1.0> : tensor<64x32xf32>
  %x36 = arith.constant dense<-1.0> : tensor<64x32xf32>
  %x37 = arith.mulf %x23, %x36 : tensor<64x32xf32>
  %x38 = math.exp %x37 : tensor<64x32xf32>
  %x39 = arith.constant dense<1.0> : tensor<64x32xf32>
  %x40 = arith.addf %x38, %x39 : tensor<64x32xf32>
  %x41 = arith.divf %x35, %x40 : tensor<64x32xf32>
  %x42 = arith.mulf %x34, %x41 : tensor<64x32xf32>
  %x43 = arith.constant dense<1.0> : tensor<64x32xf32>
  %x44 = arith.constant dense<-1.0> : tensor<64x32xf32>
  %x45 = arith.mulf %x18, %x44 : tensor<64x32xf32>
  %x46 = math.exp %x45 : tensor<64x32xf32>
  %x47 = arith.constant dense<1.0> : tensor<64x32xf32>
  %x48 = arith.addf %x46, %x47 : tensor<64x32xf32>
  %x49 = arith.divf %x43, %x48 : tensor<64x32xf32>
  %x50 = math.tanh %x28 : tensor<64x32xf32>
  %x51 = arith.mulf %x49, %x50 : tensor<64x32xf32>
  %x52 = arith.addf %x42, %x51 : tensor<64x32xf32>
  tile.store %x52, %cn[%x1, %x2] : tensor<64x32xf32>, !tile.view<?x?xf32>
  %x53 = arith.constant dense<1.0> : tensor<64x32xf32>
  %x54 = arith.constant dense<-1.0> : tensor<64x32xf32>
  %x55 = arith.mulf %x33, %x54 : tensor<64x32xf32>
  %x56 = math.exp %x55 : tensor<64x32xf32>
  %x57 = arith.constant dense<1.0> : tensor<64x32xf32>
  %x58 = arith.addf %x56, %x57 : tensor<64x32xf32>
  %x59 = arith.divf %x53, %x58 : tensor<64x32xf32>
  %x60 = math.tanh %x52 : tensor<64x32xf32>
  %x61 = arith.mulf %x59, %x60 : tensor<64x32xf32>
  %x62 = tile.cast %x61 : tensor<64x32xf32> to tensor<64x32xbf16>
  tile.store %x62, %h[%x1, %x2] : tensor<64x32xbf16>, !tile.view<?x?xbf16>
}

// Triangle multiplication: channels innermost in the result.
// CASE @triangle rounded K=512: 4x100x96xbf16=random:1 4x70x96xbf16=random:2 -> 100x70x4xbf16
tile.kernel @triangle(%a: !tile.view<?x?x?xbf16>, %b: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,0),64), ceildiv(dim(%y,1),64), dim(%a,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x5 = tile.num_tiles %a, 2 by [64] : !tile.view<?x?x?xbf16>
  %x6 = arith.constant 0 : index
  %x7 = arith.constant 1 : index
  %x9 = scf.for %x8 = %x6 to %x5 step %x7 iter_args(%x10 = %x4) -> (tensor<64x64xf32>) {
    %x11 = tile.load %a[%x3, %x1, %x8] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x12 = tile.reshape %x11 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x13 = tile.load %b[%x3, %x2, %x8] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x14 = tile.reshape %x13 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x15 = tile.dot %x12, %x14, %x10 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x15 : tensor<64x64xf32>
  }
  %x16 = tile.reshape %x9 [64, 64, 1] : tensor<64x64xf32> -> tensor<64x64x1xf32>
  %x17 = tile.cast %x16 : tensor<64x64x1xf32> to tensor<64x64x1xbf16>
  tile.store %x17, %y[%x1, %x2, %x3] : tensor<64x64x1xbf16>, !tile.view<?x?x?xbf16>
}

// Three products of the same rows, each with its own out.
// CASE @qkv3 rounded K=512: 150x128xbf16=random:1 3x96x128xbf16=random:2 -> 150x96xbf16 150x96xbf16 150x96xbf16
tile.kernel @qkv3(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?x?xbf16>) outs(%q: !tile.view<?x?xbf16>, %k: !tile.view<?x?xbf16>, %v: !tile.view<?x?xbf16>) grid [ceildiv(dim(%q,0),128), ceildiv(dim(%q,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<128x64xf32>
  %x4 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8, %x9, %x10 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x11 = %x3, %x12 = %x3, %x13 = %x3) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
    %x14 = tile.load %x[%x1, %x7] [128, 64] : !tile.view<?x?xbf16> -> tensor<128x64xbf16>
    %x15 = arith.constant 0 : index
    %x16 = tile.load %w[%x15, %x2, %x7] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x17 = tile.reshape %x16 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x18 = tile.dot %x14, %x17, %x11 transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x19 = arith.constant 1 : index
    %x20 = tile.load %w[%x19, %x2, %x7] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x21 = tile.reshape %x20 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x22 = tile.dot %x14, %x21, %x12 transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x23 = arith.constant 2 : index
    %x24 = tile.load %w[%x23, %x2, %x7] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x25 = tile.reshape %x24 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x26 = tile.dot %x14, %x25, %x13 transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x18, %x22, %x26 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
  }
  %x27 = tile.cast %x8 : tensor<128x64xf32> to tensor<128x64xbf16>
  tile.store %x27, %q[%x1, %x2] : tensor<128x64xbf16>, !tile.view<?x?xbf16>
  %x28 = tile.cast %x9 : tensor<128x64xf32> to tensor<128x64xbf16>
  tile.store %x28, %k[%x1, %x2] : tensor<128x64xbf16>, !tile.view<?x?xbf16>
  %x29 = tile.cast %x10 : tensor<128x64xf32> to tensor<128x64xbf16>
  tile.store %x29, %v[%x1, %x2] : tensor<128x64xbf16>, !tile.view<?x?xbf16>
}

// Covariance of columns, with sums of both operands.
// CASE @cov rounded K=512: 300x100xbf16=random:1 -> 100x100xf32
tile.kernel @cov(%x: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y,0),64), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x4 = arith.constant dense<0.0> : tensor<64x1xf32>
  %x5 = arith.constant dense<0.0> : tensor<1x64xf32>
  %x6 = tile.num_tiles %x, 0 by [64] : !tile.view<?x?xbf16>
  %x7 = arith.constant 0 : index
  %x8 = arith.constant 1 : index
  %x10, %x11, %x12 = scf.for %x9 = %x7 to %x6 step %x8 iter_args(%x13 = %x3, %x14 = %x4, %x15 = %x5) -> (tensor<64x64xf32>, tensor<64x1xf32>, tensor<1x64xf32>) {
    %x16 = tile.load %x[%x9, %x1] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x17 = tile.load %x[%x9, %x2] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x18 = tile.permute %x16 [1, 0] : tensor<64x64xbf16> -> tensor<64x64xbf16>
    %x19 = tile.dot %x18, %x17, %x13 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x20 = tile.cast %x18 : tensor<64x64xbf16> to tensor<64x64xf32>
    %x21 = tile.reduce add %x20 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x22 = arith.addf %x14, %x21 : tensor<64x1xf32>
    %x23 = tile.cast %x17 : tensor<64x64xbf16> to tensor<64x64xf32>
    %x24 = tile.reduce add %x23 axis 0 keepdims : tensor<64x64xf32> -> tensor<1x64xf32>
    %x25 = arith.addf %x15, %x24 : tensor<1x64xf32>
    scf.yield %x19, %x22, %x25 : tensor<64x64xf32>, tensor<64x1xf32>, tensor<1x64xf32>
  }
  %x26 = tile.broadcast %x11 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x27 = tile.broadcast %x12 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %x28 = arith.mulf %x26, %x27 : tensor<64x64xf32>
  %x29 = arith.constant dense<1.52587890625e-05> : tensor<64x64xf32>
  %x30 = arith.mulf %x28, %x29 : tensor<64x64xf32>
  %x31 = arith.subf %x10, %x30 : tensor<64x64xf32>
  tile.store %x31, %y[%x1, %x2] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// A batch of small products as one three-dimensional dot.
// CASE @small_batch rounded K=512: 20x16x32xbf16=random:1 20x32x16xbf16=random:2 -> 20x16x16xf32
tile.kernel @small_batch(%a: !tile.view<?x?x?xbf16>, %b: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xf32>) grid [ceildiv(dim(%y,0),8)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = arith.constant 0 : index
  %x4 = tile.load %a[%x1, %x2, %x3] [8, 16, 32] : !tile.view<?x?x?xbf16> -> tensor<8x16x32xbf16>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 0 : index
  %x7 = tile.load %b[%x1, %x5, %x6] [8, 32, 16] : !tile.view<?x?x?xbf16> -> tensor<8x32x16xbf16>
  %x8 = arith.constant dense<0.0> : tensor<8x16x16xf32>
  %x9 = tile.dot %x4, %x7, %x8 : tensor<8x16x32xbf16>, tensor<8x32x16xbf16>, tensor<8x16x16xf32> -> tensor<8x16x16xf32>
  %x10 = arith.constant 0 : index
  %x11 = arith.constant 0 : index
  tile.store %x9, %y[%x1, %x10, %x11] : tensor<8x16x16xf32>, !tile.view<?x?x?xf32>
}

// An i8 product with one scale per row and per column.
// CASE @i8_scaled rounded K=512: 150x256xi8=random:1 130x256xi8=random:2 150xf32=random:3 130xf32=random:4 -> 150x130xbf16
tile.kernel @i8_scaled(%x: !tile.view<?x?xi8>, %w: !tile.view<?x?xi8>, %sx: !tile.view<?xf32>, %sw: !tile.view<?xf32>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),128), ceildiv(dim(%y,1),128)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0> : tensor<128x128xi32>
  %x4 = tile.num_tiles %x, 1 by [128] : !tile.view<?x?xi8>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x9 = %x3) -> (tensor<128x128xi32>) {
    %x10 = tile.load %x[%x1, %x7] [128, 128] : !tile.view<?x?xi8> -> tensor<128x128xi8>
    %x11 = tile.load %w[%x2, %x7] [128, 128] : !tile.view<?x?xi8> -> tensor<128x128xi8>
    %x12 = tile.dot %x10, %x11, %x9 transpose_b : tensor<128x128xi8>, tensor<128x128xi8>, tensor<128x128xi32> -> tensor<128x128xi32>
    scf.yield %x12 : tensor<128x128xi32>
  }
  %x13 = arith.sitofp %x8 : tensor<128x128xi32> to tensor<128x128xf32>
  %x14 = tile.load %sx[%x1] [128] : !tile.view<?xf32> -> tensor<128xf32>
  %x15 = tile.expand_dims %x14, 1 : tensor<128xf32> -> tensor<128x1xf32>
  %x16 = tile.broadcast %x15 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x17 = arith.mulf %x13, %x16 : tensor<128x128xf32>
  %x18 = tile.load %sw[%x2] [128] : !tile.view<?xf32> -> tensor<128xf32>
  %x19 = tile.expand_dims %x18, 0 : tensor<128xf32> -> tensor<1x128xf32>
  %x20 = tile.broadcast %x19 [128, 128] : tensor<1x128xf32> -> tensor<128x128xf32>
  %x21 = arith.mulf %x17, %x20 : tensor<128x128xf32>
  %x22 = tile.cast %x21 : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %x22, %y[%x1, %x2] : tensor<128x128xbf16>, !tile.view<?x?xbf16>
}

// Two products with a ReLU in between, the hidden columns in pieces.
// CASE @mlp2 rounded K=512: 150x128xbf16=random:1 192x128xbf16=random:2 128x192xbf16=random:3 -> 150x128xbf16
tile.kernel @mlp2(%x: !tile.view<?x?xbf16>, %u: !tile.view<?x?xbf16>, %d: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %x[%x1, %x2] [128, 128] : !tile.view<?x?xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x5 = tile.num_tiles %u, 0 by [64] : !tile.view<?x?xbf16>
  %x6 = arith.constant 0 : index
  %x7 = arith.constant 1 : index
  %x9 = scf.for %x8 = %x6 to %x5 step %x7 iter_args(%x10 = %x4) -> (tensor<128x128xf32>) {
    %x11 = arith.constant 0 : index
    %x12 = tile.load %u[%x8, %x11] [64, 128] : !tile.view<?x?xbf16> -> tensor<64x128xbf16>
    %x13 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x14 = tile.dot %x3, %x12, %x13 transpose_b : tensor<128x128xbf16>, tensor<64x128xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x15 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x16 = arith.maximumf %x14, %x15 : tensor<128x64xf32>
    %x17 = arith.constant dense<0.5> : tensor<128x64xf32>
    %x18 = arith.mulf %x16, %x17 : tensor<128x64xf32>
    %x19 = tile.cast %x18 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x20 = arith.constant 0 : index
    %x21 = tile.load %d[%x20, %x8] [128, 64] : !tile.view<?x?xbf16> -> tensor<128x64xbf16>
    %x22 = tile.dot %x19, %x21, %x10 transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x22 : tensor<128x128xf32>
  }
  %x23 = tile.cast %x9 : tensor<128x128xf32> to tensor<128x128xbf16>
  %x24 = arith.constant 0 : index
  tile.store %x23, %y[%x1, %x24] : tensor<128x128xbf16>, !tile.view<?x?xbf16>
}

// A Hadamard matrix generated in the kernel.
// CASE @hadamard rounded K=512: 100x192xbf16=random:1 -> 100x192xbf16
tile.kernel @hadamard(%x: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),64), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.iota [64] : tensor<64xi32>
  %x4 = tile.expand_dims %x3, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x5 = tile.broadcast %x4 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %x6 = tile.iota [64] : tensor<64xi32>
  %x7 = tile.expand_dims %x6, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %x8 = tile.broadcast %x7 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %x9 = arith.andi %x5, %x8 : tensor<64x64xi32>
  %x10 = math.ctpop %x9 : tensor<64x64xi32>
  %x11 = arith.constant dense<1> : tensor<64x64xi32>
  %x12 = arith.andi %x10, %x11 : tensor<64x64xi32>
  %x13 = arith.constant dense<-2> : tensor<64x64xi32>
  %x14 = arith.muli %x12, %x13 : tensor<64x64xi32>
  %x15 = arith.constant dense<1> : tensor<64x64xi32>
  %x16 = arith.addi %x14, %x15 : tensor<64x64xi32>
  %x17 = arith.sitofp %x16 : tensor<64x64xi32> to tensor<64x64xf32>
  %x18 = tile.cast %x17 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x19 = tile.load %x[%x1, %x2] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
  %x20 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x21 = tile.dot %x19, %x18, %x20 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %x22 = arith.constant dense<0.125> : tensor<64x64xf32>
  %x23 = arith.mulf %x21, %x22 : tensor<64x64xf32>
  %x24 = tile.cast %x23 : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %x24, %y[%x1, %x2] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}

// Fewer rows than the tile has; rows that only y has are products of zeros.
// CASE @few_rows rounded K=96: 5x96xf32=random:1 40x96xf32=random:2 40xf32=random:3 -> 5x40xf32
// CASE @few_rows rounded K=96: 11x96xf32=random:1 40x96xf32=random:2 40xf32=random:3 -> 11x40xf32
// CASE @few_rows rounded K=96: 3x96xf32=random:1 40x96xf32=random:2 40xf32=random:3 -> 7x40xf32
// CASE @few_rows rounded K=96: 7x96xf32=random:1 40x96xf32=random:2 40xf32=random:3 -> 3x40xf32
tile.kernel @few_rows(%x: !tile.view<?x?xf32>, %w: !tile.view<?x?xf32>, %b: !tile.view<?xf32>) outs(%y: !tile.view<?x?xf32>) params {K = dim(%x, 1)} grid [ceildiv(dim(%y, 1), 16)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = arith.constant dense<0.0> : tensor<16x16xf32>
  %x4 = tile.load %x[%x2, %x2] [16, K] : !tile.view<?x?xf32> -> tensor<16x?xf32>
  %x5 = tile.load %w[%x1, %x2] [16, K] : !tile.view<?x?xf32> -> tensor<16x?xf32>
  %x6 = tile.dot %x4, %x5, %x3 transpose_b : tensor<16x?xf32>, tensor<16x?xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %x7 = tile.load %b[%x1] [16] : !tile.view<?xf32> -> tensor<16xf32>
  %x8 = tile.broadcast %x7 [16, 16] : tensor<16xf32> -> tensor<16x16xf32>
  %x9 = arith.addf %x6, %x8 : tensor<16x16xf32>
  tile.store %x9, %y[%x2, %x1] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// Products of weights that are permuted before they are converted and scaled.
// CASE @permuted_weights rounded K=100: 70x100xf16=random:1 90x100xi8=random:2 -> 70x90xf32
tile.kernel @permuted_weights(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xi8>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<32x64xf32>
  %steps = tile.num_tiles %x, 1 by [32] : !tile.view<?x?xf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 32] : !tile.view<?x?xf16> -> tensor<64x32xf16>
    %b = tile.load %w[%n, %k] [64, 32] : !tile.view<?x?xi8> -> tensor<64x32xi8>
    %p = tile.permute %b [1, 0] : tensor<64x32xi8> -> tensor<32x64xi8>
    %f = arith.sitofp %p : tensor<32x64xi8> to tensor<32x64xf32>
    %s = arith.mulf %f, %scale : tensor<32x64xf32>
    %t = tile.cast %s : tensor<32x64xf32> to tensor<32x64xf16>
    %r = tile.dot %a, %t, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %r : tensor<64x64xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
// Tiles whose sums would take all registers: blocks compute half of them.
// CASE @large_tiles rounded K=192: 300x192xbf16=random:1 290x192xbf16=random:2 290xf32=random:3 -> 300x290xbf16
tile.kernel @large_tiles(%a: !tile.view<?x?xbf16>, %b: !tile.view<?x?xbf16>, %bias: !tile.view<?xf32>) outs(%y: !tile.view<?x?xbf16>)
    grid [ceildiv(dim(%y, 0), 256), ceildiv(dim(%y, 1), 256)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !tile.view<?x?xbf16>
  %s = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
    %at = tile.load %a[%m, %k] [256, 64] : !tile.view<?x?xbf16> -> tensor<256x64xbf16>
    %bt = tile.load %b[%n, %k] [256, 64] : !tile.view<?x?xbf16> -> tensor<256x64xbf16>
    %d = tile.dot %at, %bt, %acc transpose_b : tensor<256x64xbf16>, tensor<256x64xbf16>, tensor<256x256xf32> -> tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  %g = tile.load %bias[%n] [256] : !tile.view<?xf32> -> tensor<256xf32>
  %gs = tile.broadcast %g [256, 256] : tensor<256xf32> -> tensor<256x256xf32>
  %r = arith.addf %s, %gs : tensor<256x256xf32>
  %c = tile.cast %r : tensor<256x256xf32> to tensor<256x256xbf16>
  tile.store %c, %y[%m, %n] : tensor<256x256xbf16>, !tile.view<?x?xbf16>
}
