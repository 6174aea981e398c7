// Iterations whose tiles do not fit the registers of warp groups, and are split.
// TYPES: bf16

// The oldest keys that the last of 128 queries sees are in the second half of the first tile.
// CASE @window_of_minus_infinity rounded K=512: 1x1x384x256xbf16=random:1 1x1x384x256xbf16=random:2 1x1x384x256xbf16=random:3 -> 1x1x384x256xbf16 1x1x384xf32
tile.kernel @window_of_minus_infinity(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>) outs(%y: !tile.view<?x?x?x?xbf16>, %lse: !tile.view<?x?x?xf32>) grid [ceildiv(dim(%y,2),128), dim(%y,1), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = arith.constant 0 : index
  %x5 = tile.load %q[%x3, %x2, %x1, %x4] [1, 1, 128, 256] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x256xbf16>
  %x6 = tile.reshape %x5 [128, 256] : tensor<1x1x128x256xbf16> -> tensor<128x256xbf16>
  %x7 = arith.constant 128 : index
  %x8 = arith.muli %x1, %x7 : index
  %x9 = arith.index_cast %x8 : index to i32
  %x10 = tile.iota [128] : tensor<128xi32>
  %x11 = tile.splat %x9 [128] : i32 -> tensor<128xi32>
  %x12 = arith.addi %x10, %x11 : tensor<128xi32>
  %x13 = tile.expand_dims %x12, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x14 = arith.constant 128 : index
  %x15 = arith.muli %x1, %x14 : index
  %x16 = arith.constant 256 : index
  %x17 = arith.maxui %x15, %x16 : index
  %x18 = arith.constant 256 : index
  %x19 = arith.subi %x17, %x18 : index
  %x20 = arith.constant 128 : index
  %x21 = arith.divui %x19, %x20 : index
  %x22 = arith.constant 1 : index
  %x23 = arith.addi %x1, %x22 : index
  %x24 = arith.constant 128 : index
  %x25 = arith.muli %x23, %x24 : index
  %x26 = arith.constant 127 : index
  %x27 = arith.addi %x25, %x26 : index
  %x28 = arith.constant 128 : index
  %x29 = arith.divui %x27, %x28 : index
  %x30 = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %x31 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x32 = arith.constant dense<0.0> : tensor<128x256xf32>
  %x33 = arith.constant 1 : index
  %x38, %x39, %x40 = scf.for %x34 = %x21 to %x29 step %x33 iter_args(%x35 = %x30, %x36 = %x31, %x37 = %x32) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x256xf32>) {
    %x41 = arith.constant 0 : index
    %x42 = tile.load %k[%x3, %x2, %x34, %x41] [1, 1, 128, 256] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x256xbf16>
    %x43 = tile.reshape %x42 [128, 256] : tensor<1x1x128x256xbf16> -> tensor<128x256xbf16>
    %x44 = arith.constant 0 : index
    %x45 = tile.load %v[%x3, %x2, %x34, %x44] [1, 1, 128, 256] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x256xbf16>
    %x46 = tile.reshape %x45 [128, 256] : tensor<1x1x128x256xbf16> -> tensor<128x256xbf16>
    %x47 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x48 = tile.dot %x6, %x43, %x47 transpose_b : tensor<128x256xbf16>, tensor<128x256xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x49 = arith.constant dense<0.0625> : tensor<128x128xf32>
    %x50 = arith.mulf %x48, %x49 : tensor<128x128xf32>
    %x51 = arith.constant 128 : index
    %x52 = arith.muli %x34, %x51 : index
    %x53 = arith.index_cast %x52 : index to i32
    %x54 = tile.iota [128] : tensor<128xi32>
    %x55 = tile.splat %x53 [128] : i32 -> tensor<128xi32>
    %x56 = arith.addi %x54, %x55 : tensor<128xi32>
    %x57 = tile.expand_dims %x56, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %x58 = tile.broadcast %x13 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x59 = tile.broadcast %x57 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x60 = arith.cmpi sge, %x58, %x59 : tensor<128x128xi32>
    %x61 = arith.constant dense<0xFF800000> : tensor<128x128xf32>
    %x62 = arith.select %x60, %x50, %x61 : tensor<128x128xi1>, tensor<128x128xf32>
    %x63 = arith.constant dense<256> : tensor<1x128xi32>
    %x64 = arith.addi %x57, %x63 : tensor<1x128xi32>
    %x65 = tile.broadcast %x13 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x66 = tile.broadcast %x64 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x67 = arith.cmpi sle, %x65, %x66 : tensor<128x128xi32>
    %x68 = arith.constant dense<0xFF800000> : tensor<128x128xf32>
    %x69 = arith.select %x67, %x62, %x68 : tensor<128x128xi1>, tensor<128x128xf32>
    %x70 = tile.reduce max %x69 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x71 = arith.maximumf %x35, %x70 : tensor<128x1xf32>
    %x72 = tile.broadcast %x71 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x73 = arith.subf %x69, %x72 : tensor<128x128xf32>
    %x74 = math.exp %x73 : tensor<128x128xf32>
    %x75 = arith.subf %x35, %x71 : tensor<128x1xf32>
    %x76 = math.exp %x75 : tensor<128x1xf32>
    %x77 = arith.mulf %x36, %x76 : tensor<128x1xf32>
    %x78 = tile.reduce add %x74 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x79 = arith.addf %x77, %x78 : tensor<128x1xf32>
    %x80 = tile.cast %x74 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x81 = tile.broadcast %x76 [128, 256] : tensor<128x1xf32> -> tensor<128x256xf32>
    %x82 = arith.mulf %x37, %x81 : tensor<128x256xf32>
    %x83 = tile.dot %x80, %x46, %x82 : tensor<128x128xbf16>, tensor<128x256xbf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %x71, %x79, %x83 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x256xf32>
  }
  %x84 = tile.broadcast %x39 [128, 256] : tensor<128x1xf32> -> tensor<128x256xf32>
  %x85 = arith.divf %x40, %x84 : tensor<128x256xf32>
  %x86 = arith.constant 0 : index
  %x87 = tile.cast %x85 : tensor<128x256xf32> to tensor<128x256xbf16>
  %x88 = tile.reshape %x87 [1, 1, 128, 256] : tensor<128x256xbf16> -> tensor<1x1x128x256xbf16>
  tile.store %x88, %y[%x3, %x2, %x1, %x86] : tensor<1x1x128x256xbf16>, !tile.view<?x?x?x?xbf16>
  %x89 = math.log %x39 : tensor<128x1xf32>
  %x90 = arith.addf %x38, %x89 : tensor<128x1xf32>
  %x91 = tile.reshape %x90 [1, 1, 128] : tensor<128x1xf32> -> tensor<1x1x128xf32>
  tile.store %x91, %lse[%x3, %x2, %x1] : tensor<1x1x128xf32>, !tile.view<?x?x?xf32>
}

// The gradient of the queries of causal attention.
// CASE @gradient_of_queries rounded K=512: 1x1x256x128xbf16=random:1 1x1x256x128xbf16=random:2 1x1x256x128xbf16=random:3 1x1x256x128xbf16=random:4 1x1x256xf32=random:5 1x1x256xf32=random:6 -> 1x1x256x128xbf16
tile.kernel @gradient_of_queries(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>, %g: !tile.view<?x?x?x?xbf16>, %lse: !tile.view<?x?x?xf32>, %delta: !tile.view<?x?x?xf32>) outs(%dq: !tile.view<?x?x?x?xbf16>) grid [ceildiv(dim(%dq,2),128), dim(%dq,1), dim(%dq,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = arith.constant 0 : index
  %x5 = tile.load %q[%x3, %x2, %x1, %x4] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
  %x6 = tile.reshape %x5 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
  %x7 = arith.constant 0 : index
  %x8 = tile.load %g[%x3, %x2, %x1, %x7] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
  %x9 = tile.reshape %x8 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
  %x10 = tile.load %lse[%x3, %x2, %x1] [1, 1, 128] : !tile.view<?x?x?xf32> -> tensor<1x1x128xf32>
  %x11 = tile.reshape %x10 [128, 1] : tensor<1x1x128xf32> -> tensor<128x1xf32>
  %x12 = tile.load %delta[%x3, %x2, %x1] [1, 1, 128] : !tile.view<?x?x?xf32> -> tensor<1x1x128xf32>
  %x13 = tile.reshape %x12 [128, 1] : tensor<1x1x128xf32> -> tensor<128x1xf32>
  %x14 = arith.constant 128 : index
  %x15 = arith.muli %x1, %x14 : index
  %x16 = arith.index_cast %x15 : index to i32
  %x17 = tile.iota [128] : tensor<128xi32>
  %x18 = tile.splat %x16 [128] : i32 -> tensor<128xi32>
  %x19 = arith.addi %x17, %x18 : tensor<128xi32>
  %x20 = tile.expand_dims %x19, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x21 = tile.num_tiles %k, 2 by [128] : !tile.view<?x?x?x?xbf16>
  %x22 = arith.constant 1 : index
  %x23 = arith.addi %x1, %x22 : index
  %x24 = arith.constant 128 : index
  %x25 = arith.muli %x23, %x24 : index
  %x26 = arith.constant 127 : index
  %x27 = arith.addi %x25, %x26 : index
  %x28 = arith.constant 128 : index
  %x29 = arith.divui %x27, %x28 : index
  %x30 = arith.minui %x29, %x21 : index
  %x31 = arith.constant 0 : index
  %x32 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x33 = arith.constant 1 : index
  %x36 = scf.for %x34 = %x31 to %x30 step %x33 iter_args(%x35 = %x32) -> (tensor<128x128xf32>) {
    %x37 = arith.constant 0 : index
    %x38 = tile.load %k[%x3, %x2, %x34, %x37] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
    %x39 = tile.reshape %x38 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
    %x40 = arith.constant 0 : index
    %x41 = tile.load %v[%x3, %x2, %x34, %x40] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
    %x42 = tile.reshape %x41 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
    %x43 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x44 = tile.dot %x6, %x39, %x43 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x45 = arith.constant dense<0.08838834764831845> : tensor<128x128xf32>
    %x46 = arith.mulf %x44, %x45 : tensor<128x128xf32>
    %x47 = tile.broadcast %x11 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x48 = arith.subf %x46, %x47 : tensor<128x128xf32>
    %x49 = math.exp %x48 : tensor<128x128xf32>
    %x50 = arith.constant 128 : index
    %x51 = arith.muli %x34, %x50 : index
    %x52 = arith.index_cast %x51 : index to i32
    %x53 = tile.iota [128] : tensor<128xi32>
    %x54 = tile.splat %x52 [128] : i32 -> tensor<128xi32>
    %x55 = arith.addi %x53, %x54 : tensor<128xi32>
    %x56 = tile.expand_dims %x55, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %x57 = tile.broadcast %x20 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x58 = tile.broadcast %x56 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x59 = arith.cmpi sge, %x57, %x58 : tensor<128x128xi32>
    %x60 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x61 = arith.select %x59, %x49, %x60 : tensor<128x128xi1>, tensor<128x128xf32>
    %x62 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x63 = tile.dot %x9, %x42, %x62 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x64 = tile.broadcast %x13 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x65 = arith.subf %x63, %x64 : tensor<128x128xf32>
    %x66 = arith.mulf %x61, %x65 : tensor<128x128xf32>
    %x67 = arith.constant dense<0.08838834764831845> : tensor<128x128xf32>
    %x68 = arith.mulf %x66, %x67 : tensor<128x128xf32>
    %x69 = tile.cast %x68 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x70 = tile.dot %x69, %x39, %x35 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x70 : tensor<128x128xf32>
  }
  %x71 = arith.constant 0 : index
  %x72 = tile.cast %x36 : tensor<128x128xf32> to tensor<128x128xbf16>
  %x73 = tile.reshape %x72 [1, 1, 128, 128] : tensor<128x128xbf16> -> tensor<1x1x128x128xbf16>
  tile.store %x73, %dq[%x3, %x2, %x1, %x71] : tensor<1x1x128x128xbf16>, !tile.view<?x?x?x?xbf16>
}
