// Arithmetic on tiles as users write it.
// TYPES: bf16

// Forces between bodies.
// CASE @nbody rounded K=512: 150x4xf32=random:1 4x150xf32=random:2 -> 150x1xf32
tile.kernel @nbody(%p: !tile.view<?x?xf32>, %pt: !tile.view<?x?xf32>) outs(%f: !tile.view<?x?xf32>) grid [ceildiv(dim(%f,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %p[%x1, %x2] [64, 1] : !tile.view<?x?xf32> -> tensor<64x1xf32>
  %x4 = arith.constant 1 : index
  %x5 = tile.load %p[%x1, %x4] [64, 1] : !tile.view<?x?xf32> -> tensor<64x1xf32>
  %x6 = arith.constant 2 : index
  %x7 = tile.load %p[%x1, %x6] [64, 1] : !tile.view<?x?xf32> -> tensor<64x1xf32>
  %x8 = arith.constant dense<0.0> : tensor<64x1xf32>
  %x9 = tile.num_tiles %pt, 1 by [64] : !tile.view<?x?xf32>
  %x10 = arith.constant 0 : index
  %x11 = arith.constant 1 : index
  %x13 = scf.for %x12 = %x10 to %x9 step %x11 iter_args(%x14 = %x8) -> (tensor<64x1xf32>) {
    %x15 = arith.constant 0 : index
    %x16 = tile.load %pt[%x15, %x12] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x17 = arith.constant 1 : index
    %x18 = tile.load %pt[%x17, %x12] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x19 = arith.constant 2 : index
    %x20 = tile.load %pt[%x19, %x12] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x21 = arith.constant 3 : index
    %x22 = tile.load %pt[%x21, %x12] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x23 = tile.broadcast %x16 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x24 = tile.broadcast %x3 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x25 = arith.subf %x23, %x24 : tensor<64x64xf32>
    %x26 = tile.broadcast %x18 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x27 = tile.broadcast %x5 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x28 = arith.subf %x26, %x27 : tensor<64x64xf32>
    %x29 = tile.broadcast %x20 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x30 = tile.broadcast %x7 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x31 = arith.subf %x29, %x30 : tensor<64x64xf32>
    %x32 = arith.mulf %x25, %x25 : tensor<64x64xf32>
    %x33 = arith.mulf %x28, %x28 : tensor<64x64xf32>
    %x34 = arith.addf %x32, %x33 : tensor<64x64xf32>
    %x35 = arith.mulf %x31, %x31 : tensor<64x64xf32>
    %x36 = arith.addf %x34, %x35 : tensor<64x64xf32>
    %x37 = arith.constant dense<0.01> : tensor<64x64xf32>
    %x38 = arith.addf %x36, %x37 : tensor<64x64xf32>
    %x39 = math.rsqrt %x38 : tensor<64x64xf32>
    %x40 = arith.mulf %x25, %x39 : tensor<64x64xf32>
    %x41 = arith.mulf %x40, %x39 : tensor<64x64xf32>
    %x42 = arith.mulf %x41, %x39 : tensor<64x64xf32>
    %x43 = tile.broadcast %x22 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x44 = arith.mulf %x42, %x43 : tensor<64x64xf32>
    %x45 = tile.reduce add %x44 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x46 = arith.addf %x14, %x45 : tensor<64x1xf32>
    scf.yield %x46 : tensor<64x1xf32>
  }
  %x47 = arith.constant 0 : index
  tile.store %x13, %f[%x1, %x47] : tensor<64x1xf32>, !tile.view<?x?xf32>
}

// Mandelbrot.
// CASE @mandel rounded K=512:  -> 70x100xi32
tile.kernel @mandel() outs(%y: !tile.view<?x?xi32>) grid [ceildiv(dim(%y,0),32), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 32 : index
  %x4 = arith.muli %x1, %x3 : index
  %x5 = tile.iota [32] : tensor<32xi32>
  %x6 = arith.index_cast %x4 : index to i32
  %x7 = tile.splat %x6 [32] : i32 -> tensor<32xi32>
  %x8 = arith.addi %x5, %x7 : tensor<32xi32>
  %x9 = tile.expand_dims %x8, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %x10 = arith.sitofp %x9 : tensor<32x1xi32> to tensor<32x1xf32>
  %x11 = arith.constant dense<0.0005> : tensor<32x1xf32>
  %x12 = arith.mulf %x10, %x11 : tensor<32x1xf32>
  %x13 = arith.constant 64 : index
  %x14 = arith.muli %x2, %x13 : index
  %x15 = tile.iota [64] : tensor<64xi32>
  %x16 = arith.index_cast %x14 : index to i32
  %x17 = tile.splat %x16 [64] : i32 -> tensor<64xi32>
  %x18 = arith.addi %x15, %x17 : tensor<64xi32>
  %x19 = tile.expand_dims %x18, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %x20 = arith.sitofp %x19 : tensor<1x64xi32> to tensor<1x64xf32>
  %x21 = arith.constant dense<0.0005> : tensor<1x64xf32>
  %x22 = arith.mulf %x20, %x21 : tensor<1x64xf32>
  %x23 = tile.broadcast %x12 [32, 64] : tensor<32x1xf32> -> tensor<32x64xf32>
  %x24 = arith.constant dense<1.0> : tensor<32x64xf32>
  %x25 = arith.subf %x23, %x24 : tensor<32x64xf32>
  %x26 = tile.broadcast %x22 [32, 64] : tensor<1x64xf32> -> tensor<32x64xf32>
  %x27 = arith.constant dense<1.5> : tensor<32x64xf32>
  %x28 = arith.subf %x26, %x27 : tensor<32x64xf32>
  %x29 = arith.constant dense<0.0> : tensor<32x64xf32>
  %x30 = arith.constant dense<0> : tensor<32x64xi32>
  %x31 = arith.constant 0 : index
  %x32 = arith.constant 50 : index
  %x33 = arith.constant 1 : index
  %x35, %x36, %x37 = scf.for %x34 = %x31 to %x32 step %x33 iter_args(%x38 = %x29, %x39 = %x29, %x40 = %x30) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xi32>) {
    %x41 = arith.mulf %x38, %x38 : tensor<32x64xf32>
    %x42 = arith.mulf %x39, %x39 : tensor<32x64xf32>
    %x43 = arith.addf %x41, %x42 : tensor<32x64xf32>
    %x44 = arith.constant dense<4.0> : tensor<32x64xf32>
    %x45 = arith.cmpf olt, %x43, %x44 : tensor<32x64xf32>
    %x46 = arith.subf %x41, %x42 : tensor<32x64xf32>
    %x47 = arith.addf %x46, %x28 : tensor<32x64xf32>
    %x48 = arith.select %x45, %x47, %x38 : tensor<32x64xi1>, tensor<32x64xf32>
    %x49 = arith.mulf %x38, %x39 : tensor<32x64xf32>
    %x50 = arith.constant dense<2.0> : tensor<32x64xf32>
    %x51 = arith.mulf %x49, %x50 : tensor<32x64xf32>
    %x52 = arith.addf %x51, %x25 : tensor<32x64xf32>
    %x53 = arith.select %x45, %x52, %x39 : tensor<32x64xi1>, tensor<32x64xf32>
    %x54 = arith.constant dense<1> : tensor<32x64xi32>
    %x55 = arith.constant dense<0> : tensor<32x64xi32>
    %x56 = arith.select %x45, %x54, %x55 : tensor<32x64xi1>, tensor<32x64xi32>
    %x57 = arith.addi %x40, %x56 : tensor<32x64xi32>
    scf.yield %x48, %x53, %x57 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xi32>
  }
  tile.store %x37, %y[%x1, %x2] : tensor<32x64xi32>, !tile.view<?x?xi32>
}

// Sinkhorn: rows and columns normalised in turn.
// CASE @sinkhorn rounded K=512: 3x64x64xf32=random:1 -> 3x64x64xf32
tile.kernel @sinkhorn(%x: !tile.view<?x?x?xf32>) outs(%y: !tile.view<?x?x?xf32>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = arith.constant 0 : index
  %x4 = tile.load %x[%x1, %x2, %x3] [1, 64, 64] : !tile.view<?x?x?xf32> -> tensor<1x64x64xf32>
  %x5 = tile.reshape %x4 [64, 64] : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %x6 = math.exp %x5 : tensor<64x64xf32>
  %x7 = arith.constant 0 : index
  %x8 = arith.constant 5 : index
  %x9 = arith.constant 1 : index
  %x11 = scf.for %x10 = %x7 to %x8 step %x9 iter_args(%x12 = %x6) -> (tensor<64x64xf32>) {
    %x13 = tile.reduce add %x12 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x14 = tile.broadcast %x13 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x15 = arith.divf %x12, %x14 : tensor<64x64xf32>
    %x16 = tile.reduce add %x15 axis 0 keepdims : tensor<64x64xf32> -> tensor<1x64xf32>
    %x17 = tile.broadcast %x16 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x18 = arith.divf %x15, %x17 : tensor<64x64xf32>
    scf.yield %x18 : tensor<64x64xf32>
  }
  %x19 = tile.reshape %x11 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %x20 = arith.constant 0 : index
  %x21 = arith.constant 0 : index
  tile.store %x19, %y[%x1, %x20, %x21] : tensor<1x64x64xf32>, !tile.view<?x?x?xf32>
}

// Dropout by a hash of the position, and a residual.
// CASE @drop_add rounded K=512: 30x200xbf16=random:1 30x200xbf16=random:2 -> 30x200xbf16
tile.kernel @drop_add(%x: !tile.view<?x?xbf16>, %r: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),16), ceildiv(dim(%y,1),128)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.load %x[%x1, %x2] [16, 128] : !tile.view<?x?xbf16> -> tensor<16x128xbf16>
  %x4 = tile.cast %x3 : tensor<16x128xbf16> to tensor<16x128xf32>
  %x5 = tile.load %r[%x1, %x2] [16, 128] : !tile.view<?x?xbf16> -> tensor<16x128xbf16>
  %x6 = tile.cast %x5 : tensor<16x128xbf16> to tensor<16x128xf32>
  %x7 = arith.constant 16 : index
  %x8 = arith.muli %x1, %x7 : index
  %x9 = tile.iota [16] : tensor<16xi32>
  %x10 = arith.index_cast %x8 : index to i32
  %x11 = tile.splat %x10 [16] : i32 -> tensor<16xi32>
  %x12 = arith.addi %x9, %x11 : tensor<16xi32>
  %x13 = tile.expand_dims %x12, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %x14 = arith.constant dense<4096> : tensor<16x1xi32>
  %x15 = arith.muli %x13, %x14 : tensor<16x1xi32>
  %x16 = arith.constant 128 : index
  %x17 = arith.muli %x2, %x16 : index
  %x18 = tile.iota [128] : tensor<128xi32>
  %x19 = arith.index_cast %x17 : index to i32
  %x20 = tile.splat %x19 [128] : i32 -> tensor<128xi32>
  %x21 = arith.addi %x18, %x20 : tensor<128xi32>
  %x22 = tile.expand_dims %x21, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %x23 = tile.broadcast %x22 [16, 128] : tensor<1x128xi32> -> tensor<16x128xi32>
  %x24 = tile.broadcast %x15 [16, 128] : tensor<16x1xi32> -> tensor<16x128xi32>
  %x25 = arith.addi %x24, %x23 : tensor<16x128xi32>
  %x26 = arith.constant dense<16> : tensor<16x128xi32>
  %x27 = arith.shrui %x25, %x26 : tensor<16x128xi32>
  %x28 = arith.xori %x25, %x27 : tensor<16x128xi32>
  %x29 = arith.constant dense<73244475> : tensor<16x128xi32>
  %x30 = arith.muli %x28, %x29 : tensor<16x128xi32>
  %x31 = arith.constant dense<16> : tensor<16x128xi32>
  %x32 = arith.shrui %x30, %x31 : tensor<16x128xi32>
  %x33 = arith.xori %x30, %x32 : tensor<16x128xi32>
  %x34 = arith.constant dense<73244475> : tensor<16x128xi32>
  %x35 = arith.muli %x33, %x34 : tensor<16x128xi32>
  %x36 = arith.constant dense<16> : tensor<16x128xi32>
  %x37 = arith.shrui %x35, %x36 : tensor<16x128xi32>
  %x38 = arith.xori %x35, %x37 : tensor<16x128xi32>
  %x39 = arith.constant dense<8> : tensor<16x128xi32>
  %x40 = arith.shrui %x38, %x39 : tensor<16x128xi32>
  %x41 = arith.constant dense<1677721> : tensor<16x128xi32>
  %x42 = arith.cmpi ult, %x40, %x41 : tensor<16x128xi32>
  %x43 = arith.constant dense<1.1111> : tensor<16x128xf32>
  %x44 = arith.mulf %x4, %x43 : tensor<16x128xf32>
  %x45 = arith.constant dense<0.0> : tensor<16x128xf32>
  %x46 = arith.select %x42, %x45, %x44 : tensor<16x128xi1>, tensor<16x128xf32>
  %x47 = arith.addf %x46, %x6 : tensor<16x128xf32>
  %x48 = tile.cast %x47 : tensor<16x128xf32> to tensor<16x128xbf16>
  tile.store %x48, %y[%x1, %x2] : tensor<16x128xbf16>, !tile.view<?x?xbf16>
}

// Softmax down columns, in two loops.
// CASE @col_softmax rounded K=512: 150x100xf32=random:1 -> 150x100xf32
tile.kernel @col_softmax(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y,1),32)] {
  %x1 = tile.block_id 0
  %x2 = tile.num_tiles %x, 0 by [64] : !tile.view<?x?xf32>
  %x3 = arith.constant dense<-1.0e+30> : tensor<1x32xf32>
  %x4 = arith.constant dense<0.0> : tensor<1x32xf32>
  %x5 = tile.dim %x, 0 : !tile.view<?x?xf32>
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.splat %x6 [64, 1] : i32 -> tensor<64x1xi32>
  %x8 = arith.constant 0 : index
  %x9 = arith.constant 1 : index
  %x11, %x12 = scf.for %x10 = %x8 to %x2 step %x9 iter_args(%x13 = %x3, %x14 = %x4) -> (tensor<1x32xf32>, tensor<1x32xf32>) {
    %x15 = arith.constant 64 : index
    %x16 = arith.muli %x10, %x15 : index
    %x17 = tile.iota [64] : tensor<64xi32>
    %x18 = arith.index_cast %x16 : index to i32
    %x19 = tile.splat %x18 [64] : i32 -> tensor<64xi32>
    %x20 = arith.addi %x17, %x19 : tensor<64xi32>
    %x21 = tile.expand_dims %x20, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %x22 = arith.cmpi slt, %x21, %x7 : tensor<64x1xi32>
    %x23 = tile.load %x[%x10, %x1] [64, 32] : !tile.view<?x?xf32> -> tensor<64x32xf32>
    %x24 = arith.constant dense<0xFF800000> : tensor<64x32xf32>
    %x25 = tile.broadcast %x22 [64, 32] : tensor<64x1xi1> -> tensor<64x32xi1>
    %x26 = arith.select %x25, %x23, %x24 : tensor<64x32xi1>, tensor<64x32xf32>
    %x27 = tile.reduce max %x26 axis 0 keepdims : tensor<64x32xf32> -> tensor<1x32xf32>
    %x28 = arith.maximumf %x13, %x27 : tensor<1x32xf32>
    %x29 = arith.subf %x13, %x28 : tensor<1x32xf32>
    %x30 = math.exp %x29 : tensor<1x32xf32>
    %x31 = arith.mulf %x14, %x30 : tensor<1x32xf32>
    %x32 = tile.broadcast %x28 [64, 32] : tensor<1x32xf32> -> tensor<64x32xf32>
    %x33 = arith.subf %x26, %x32 : tensor<64x32xf32>
    %x34 = math.exp %x33 : tensor<64x32xf32>
    %x35 = tile.reduce add %x34 axis 0 keepdims : tensor<64x32xf32> -> tensor<1x32xf32>
    %x36 = arith.addf %x31, %x35 : tensor<1x32xf32>
    scf.yield %x28, %x36 : tensor<1x32xf32>, tensor<1x32xf32>
  }
  %x37 = arith.constant 0 : index
  %x38 = arith.constant 1 : index
  scf.for %x39 = %x37 to %x2 step %x38 {
    %x40 = tile.load %x[%x39, %x1] [64, 32] : !tile.view<?x?xf32> -> tensor<64x32xf32>
    %x41 = tile.broadcast %x11 [64, 32] : tensor<1x32xf32> -> tensor<64x32xf32>
    %x42 = arith.subf %x40, %x41 : tensor<64x32xf32>
    %x43 = math.exp %x42 : tensor<64x32xf32>
    %x44 = tile.broadcast %x12 [64, 32] : tensor<1x32xf32> -> tensor<64x32xf32>
    %x45 = arith.divf %x43, %x44 : tensor<64x32xf32>
    tile.store %x45, %y[%x39, %x1] : tensor<64x32xf32>, !tile.view<?x?xf32>
  }
}
