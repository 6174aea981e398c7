// Attention as users write it, with tiles of fixed sizes.
// TYPES: bf16

// Differential attention: two softmaxes of one head, subtracted.
// CASE @diff_attn rounded K=512: 2x2x150x64xbf16=random:1 2x2x150x64xbf16=random:2 2x150x128xbf16=random:3 -> 2x150x128xbf16
tile.kernel @diff_attn(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,1),64), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = arith.constant 0 : index
  %x5 = tile.load %q[%x2, %x3, %x1, %x4] [1, 1, 64, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x64x64xbf16>
  %x6 = tile.reshape %x5 [64, 64] : tensor<1x1x64x64xbf16> -> tensor<64x64xbf16>
  %x7 = tile.num_tiles %k, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x8 = arith.constant dense<0.0> : tensor<64x1xf32>
  %x9 = arith.constant dense<-1.0e+30> : tensor<64x1xf32>
  %x10 = arith.constant dense<0.0> : tensor<64x128xf32>
  %x11 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x12 = arith.index_cast %x11 : index to i32
  %x13 = tile.splat %x12 [1, 64] : i32 -> tensor<1x64xi32>
  %x14 = arith.constant 0 : index
  %x15 = arith.constant 1 : index
  %x17, %x18, %x19 = scf.for %x16 = %x14 to %x7 step %x15 iter_args(%x20 = %x9, %x21 = %x8, %x22 = %x10) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x128xf32>) {
    %x23 = arith.constant 0 : index
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x2, %x23, %x16, %x24] [1, 1, 64, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x64x64xbf16>
    %x26 = tile.reshape %x25 [64, 64] : tensor<1x1x64x64xbf16> -> tensor<64x64xbf16>
    %x27 = arith.constant 0 : index
    %x28 = tile.load %v[%x2, %x16, %x27] [1, 64, 128] : !tile.view<?x?x?xbf16> -> tensor<1x64x128xbf16>
    %x29 = tile.reshape %x28 [64, 128] : tensor<1x64x128xbf16> -> tensor<64x128xbf16>
    %x30 = arith.constant 64 : index
    %x31 = arith.muli %x16, %x30 : index
    %x32 = tile.iota [64] : tensor<64xi32>
    %x33 = arith.index_cast %x31 : index to i32
    %x34 = tile.splat %x33 [64] : i32 -> tensor<64xi32>
    %x35 = arith.addi %x32, %x34 : tensor<64xi32>
    %x36 = tile.expand_dims %x35, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x37 = arith.cmpi slt, %x36, %x13 : tensor<1x64xi32>
    %x38 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x39 = tile.dot %x6, %x26, %x38 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x40 = arith.constant dense<0.125> : tensor<64x64xf32>
    %x41 = arith.mulf %x39, %x40 : tensor<64x64xf32>
    %x42 = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %x43 = tile.broadcast %x37 [64, 64] : tensor<1x64xi1> -> tensor<64x64xi1>
    %x44 = arith.select %x43, %x41, %x42 : tensor<64x64xi1>, tensor<64x64xf32>
    %x45 = tile.reduce max %x44 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x46 = arith.maximumf %x20, %x45 : tensor<64x1xf32>
    %x47 = tile.broadcast %x46 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x48 = arith.subf %x44, %x47 : tensor<64x64xf32>
    %x49 = math.exp %x48 : tensor<64x64xf32>
    %x50 = arith.subf %x20, %x46 : tensor<64x1xf32>
    %x51 = math.exp %x50 : tensor<64x1xf32>
    %x52 = arith.mulf %x21, %x51 : tensor<64x1xf32>
    %x53 = tile.reduce add %x49 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x54 = arith.addf %x52, %x53 : tensor<64x1xf32>
    %x55 = tile.cast %x49 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x56 = tile.broadcast %x51 [64, 128] : tensor<64x1xf32> -> tensor<64x128xf32>
    %x57 = arith.mulf %x22, %x56 : tensor<64x128xf32>
    %x58 = tile.dot %x55, %x29, %x57 : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %x46, %x54, %x58 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x128xf32>
  }
  %x59 = tile.broadcast %x18 [64, 128] : tensor<64x1xf32> -> tensor<64x128xf32>
  %x60 = arith.divf %x19, %x59 : tensor<64x128xf32>
  %x61 = arith.constant 1 : index
  %x62 = arith.constant 0 : index
  %x63 = tile.load %q[%x2, %x61, %x1, %x62] [1, 1, 64, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x64x64xbf16>
  %x64 = tile.reshape %x63 [64, 64] : tensor<1x1x64x64xbf16> -> tensor<64x64xbf16>
  %x65 = tile.num_tiles %k, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x66 = arith.constant dense<0.0> : tensor<64x1xf32>
  %x67 = arith.constant dense<-1.0e+30> : tensor<64x1xf32>
  %x68 = arith.constant dense<0.0> : tensor<64x128xf32>
  %x69 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x70 = arith.index_cast %x69 : index to i32
  %x71 = tile.splat %x70 [1, 64] : i32 -> tensor<1x64xi32>
  %x72 = arith.constant 0 : index
  %x73 = arith.constant 1 : index
  %x75, %x76, %x77 = scf.for %x74 = %x72 to %x65 step %x73 iter_args(%x78 = %x67, %x79 = %x66, %x80 = %x68) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x128xf32>) {
    %x81 = arith.constant 1 : index
    %x82 = arith.constant 0 : index
    %x83 = tile.load %k[%x2, %x81, %x74, %x82] [1, 1, 64, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x64x64xbf16>
    %x84 = tile.reshape %x83 [64, 64] : tensor<1x1x64x64xbf16> -> tensor<64x64xbf16>
    %x85 = arith.constant 0 : index
    %x86 = tile.load %v[%x2, %x74, %x85] [1, 64, 128] : !tile.view<?x?x?xbf16> -> tensor<1x64x128xbf16>
    %x87 = tile.reshape %x86 [64, 128] : tensor<1x64x128xbf16> -> tensor<64x128xbf16>
    %x88 = arith.constant 64 : index
    %x89 = arith.muli %x74, %x88 : index
    %x90 = tile.iota [64] : tensor<64xi32>
    %x91 = arith.index_cast %x89 : index to i32
    %x92 = tile.splat %x91 [64] : i32 -> tensor<64xi32>
    %x93 = arith.addi %x90, %x92 : tensor<64xi32>
    %x94 = tile.expand_dims %x93, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x95 = arith.cmpi slt, %x94, %x71 : tensor<1x64xi32>
    %x96 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x97 = tile.dot %x64, %x84, %x96 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x98 = arith.constant dense<0.125> : tensor<64x64xf32>
    %x99 = arith.mulf %x97, %x98 : tensor<64x64xf32>
    %x100 = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %x101 = tile.broadcast %x95 [64, 64] : tensor<1x64xi1> -> tensor<64x64xi1>
    %x102 = arith.select %x101, %x99, %x100 : tensor<64x64xi1>, tensor<64x64xf32>
    %x103 = tile.reduce max %x102 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x104 = arith.maximumf %x78, %x103 : tensor<64x1xf32>
    %x105 = tile.broadcast %x104 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x106 = arith.subf %x102, %x105 : tensor<64x64xf32>
    %x107 = math.exp %x106 : tensor<64x64xf32>
    %x108 = arith.subf %x78, %x104 : tensor<64x1xf32>
    %x109 = math.exp %x108 : tensor<64x1xf32>
    %x110 = arith.mulf %x79, %x109 : tensor<64x1xf32>
    %x111 = tile.reduce add %x107 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x112 = arith.addf %x110, %x111 : tensor<64x1xf32>
    %x113 = tile.cast %x107 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x114 = tile.broadcast %x109 [64, 128] : tensor<64x1xf32> -> tensor<64x128xf32>
    %x115 = arith.mulf %x80, %x114 : tensor<64x128xf32>
    %x116 = tile.dot %x113, %x87, %x115 : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %x104, %x112, %x116 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x128xf32>
  }
  %x117 = tile.broadcast %x76 [64, 128] : tensor<64x1xf32> -> tensor<64x128xf32>
  %x118 = arith.divf %x77, %x117 : tensor<64x128xf32>
  %x119 = arith.constant dense<0.3> : tensor<64x128xf32>
  %x120 = arith.mulf %x118, %x119 : tensor<64x128xf32>
  %x121 = arith.subf %x60, %x120 : tensor<64x128xf32>
  %x122 = tile.reshape %x121 [1, 64, 128] : tensor<64x128xf32> -> tensor<1x64x128xf32>
  %x123 = tile.cast %x122 : tensor<1x64x128xf32> to tensor<1x64x128xbf16>
  %x124 = arith.constant 0 : index
  tile.store %x123, %y[%x2, %x1, %x124] : tensor<1x64x128xbf16>, !tile.view<?x?x?xbf16>
}

// Attention with a mask of i8 over the keys.
// CASE @pad_attn rounded K=512: 2x150x64xbf16=random:1 2x150x64xbf16=random:2 2x150x64xbf16=random:3 2x150xi8=1,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,0,2,1,1 -> 2x150x64xbf16
tile.kernel @pad_attn(%q: !tile.view<?x?x?xbf16>, %k: !tile.view<?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>, %mk: !tile.view<?x?xi8>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,1),128), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = tile.load %q[%x2, %x1, %x3] [1, 128, 64] : !tile.view<?x?x?xbf16> -> tensor<1x128x64xbf16>
  %x5 = tile.reshape %x4 [128, 64] : tensor<1x128x64xbf16> -> tensor<128x64xbf16>
  %x6 = tile.num_tiles %k, 1 by [64] : !tile.view<?x?x?xbf16>
  %x7 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x8 = arith.constant dense<-1.0e+30> : tensor<128x1xf32>
  %x9 = arith.constant dense<0.0> : tensor<128x64xf32>
  %x10 = arith.constant 0 : index
  %x11 = arith.constant 1 : index
  %x13, %x14, %x15 = scf.for %x12 = %x10 to %x6 step %x11 iter_args(%x16 = %x8, %x17 = %x7, %x18 = %x9) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %x19 = arith.constant 0 : index
    %x20 = tile.load %k[%x2, %x12, %x19] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x21 = arith.constant 0 : index
    %x22 = tile.load %v[%x2, %x12, %x21] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x23 = tile.reshape %x20 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x24 = tile.reshape %x22 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x25 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x26 = tile.dot %x5, %x23, %x25 transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x27 = arith.constant dense<0.125> : tensor<128x64xf32>
    %x28 = arith.mulf %x26, %x27 : tensor<128x64xf32>
    %x29 = tile.load %mk[%x2, %x12] [1, 64] : !tile.view<?x?xi8> -> tensor<1x64xi8>
    %x30 = arith.constant dense<0> : tensor<1x64xi8>
    %x31 = arith.cmpi sgt, %x29, %x30 : tensor<1x64xi8>
    %x32 = arith.constant dense<-1000000000.0> : tensor<128x64xf32>
    %x33 = tile.broadcast %x31 [128, 64] : tensor<1x64xi1> -> tensor<128x64xi1>
    %x34 = arith.select %x33, %x28, %x32 : tensor<128x64xi1>, tensor<128x64xf32>
    %x35 = tile.reduce max %x34 axis 1 keepdims : tensor<128x64xf32> -> tensor<128x1xf32>
    %x36 = arith.maximumf %x16, %x35 : tensor<128x1xf32>
    %x37 = tile.broadcast %x36 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x38 = arith.subf %x34, %x37 : tensor<128x64xf32>
    %x39 = math.exp %x38 : tensor<128x64xf32>
    %x40 = arith.subf %x16, %x36 : tensor<128x1xf32>
    %x41 = math.exp %x40 : tensor<128x1xf32>
    %x42 = arith.mulf %x17, %x41 : tensor<128x1xf32>
    %x43 = tile.reduce add %x39 axis 1 keepdims : tensor<128x64xf32> -> tensor<128x1xf32>
    %x44 = arith.addf %x42, %x43 : tensor<128x1xf32>
    %x45 = tile.cast %x39 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x46 = tile.broadcast %x41 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x47 = arith.mulf %x18, %x46 : tensor<128x64xf32>
    %x48 = tile.dot %x45, %x24, %x47 : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x36, %x44, %x48 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %x49 = tile.broadcast %x14 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %x50 = arith.divf %x15, %x49 : tensor<128x64xf32>
  %x51 = tile.reshape %x50 [1, 128, 64] : tensor<128x64xf32> -> tensor<1x128x64xf32>
  %x52 = tile.cast %x51 : tensor<1x128x64xf32> to tensor<1x128x64xbf16>
  %x53 = arith.constant 0 : index
  tile.store %x52, %y[%x2, %x1, %x53] : tensor<1x128x64xbf16>, !tile.view<?x?x?xbf16>
}

// Attention to a list of blocks of keys.
// CASE @block_sparse rounded K=512: 2x256x128xbf16=random:1 2x256x128xbf16=random:2 2x256x128xbf16=random:3 2x3xi32=0,1,1,1,0,0 -> 2x256x128xbf16
tile.kernel @block_sparse(%q: !tile.view<?x?x?xbf16>, %k: !tile.view<?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>, %ids: !tile.view<?x?xi32>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,1),128), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = tile.load %q[%x2, %x1, %x3] [1, 128, 128] : !tile.view<?x?x?xbf16> -> tensor<1x128x128xbf16>
  %x5 = tile.reshape %x4 [128, 128] : tensor<1x128x128xbf16> -> tensor<128x128xbf16>
  %x6 = tile.dim %ids, 1 : !tile.view<?x?xi32>
  %x7 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x8 = arith.constant dense<-1.0e+30> : tensor<128x1xf32>
  %x9 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x10 = arith.constant 0 : index
  %x11 = arith.constant 1 : index
  %x13, %x14, %x15 = scf.for %x12 = %x10 to %x6 step %x11 iter_args(%x16 = %x8, %x17 = %x7, %x18 = %x9) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>) {
    %x19 = tile.load %ids[%x1, %x12] [1, 1] : !tile.view<?x?xi32> -> tensor<1x1xi32>
    %x20 = arith.constant 0 : index
    %x21 = tensor.extract %x19[%x20, %x20] : tensor<1x1xi32>
    %x22 = arith.index_cast %x21 : i32 to index
    %x23 = arith.constant 0 : index
    %x24 = tile.load %k[%x2, %x22, %x23] [1, 128, 128] : !tile.view<?x?x?xbf16> -> tensor<1x128x128xbf16>
    %x25 = tile.load %ids[%x1, %x12] [1, 1] : !tile.view<?x?xi32> -> tensor<1x1xi32>
    %x26 = arith.constant 0 : index
    %x27 = tensor.extract %x25[%x26, %x26] : tensor<1x1xi32>
    %x28 = arith.index_cast %x27 : i32 to index
    %x29 = arith.constant 0 : index
    %x30 = tile.load %v[%x2, %x28, %x29] [1, 128, 128] : !tile.view<?x?x?xbf16> -> tensor<1x128x128xbf16>
    %x31 = tile.reshape %x24 [128, 128] : tensor<1x128x128xbf16> -> tensor<128x128xbf16>
    %x32 = tile.reshape %x30 [128, 128] : tensor<1x128x128xbf16> -> tensor<128x128xbf16>
    %x33 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x34 = tile.dot %x5, %x31, %x33 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x35 = arith.constant dense<0.125> : tensor<128x128xf32>
    %x36 = arith.mulf %x34, %x35 : tensor<128x128xf32>
    %x37 = tile.reduce max %x36 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x38 = arith.maximumf %x16, %x37 : tensor<128x1xf32>
    %x39 = tile.broadcast %x38 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x40 = arith.subf %x36, %x39 : tensor<128x128xf32>
    %x41 = math.exp %x40 : tensor<128x128xf32>
    %x42 = arith.subf %x16, %x38 : tensor<128x1xf32>
    %x43 = math.exp %x42 : tensor<128x1xf32>
    %x44 = arith.mulf %x17, %x43 : tensor<128x1xf32>
    %x45 = tile.reduce add %x41 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x46 = arith.addf %x44, %x45 : tensor<128x1xf32>
    %x47 = tile.cast %x41 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x48 = tile.broadcast %x43 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x49 = arith.mulf %x18, %x48 : tensor<128x128xf32>
    %x50 = tile.dot %x47, %x32, %x49 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x38, %x46, %x50 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>
  }
  %x51 = tile.broadcast %x14 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x52 = arith.divf %x15, %x51 : tensor<128x128xf32>
  %x53 = tile.reshape %x52 [1, 128, 128] : tensor<128x128xf32> -> tensor<1x128x128xf32>
  %x54 = tile.cast %x53 : tensor<1x128x128xf32> to tensor<1x128x128xbf16>
  %x55 = arith.constant 0 : index
  tile.store %x54, %y[%x2, %x1, %x55] : tensor<1x128x128xbf16>, !tile.view<?x?x?xbf16>
}

// A bias by the distance of query and key.
// CASE @t5_attn rounded K=512: 2x128x64xbf16=random:1 2x128x64xbf16=random:2 2x128x64xbf16=random:3 2x64xf32=random:4 -> 2x128x64xbf16
tile.kernel @t5_attn(%q: !tile.view<?x?x?xbf16>, %k: !tile.view<?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>, %tb: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,1),64), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = tile.load %q[%x2, %x1, %x3] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
  %x5 = tile.reshape %x4 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %x6 = tile.num_tiles %k, 1 by [64] : !tile.view<?x?x?xbf16>
  %x7 = arith.constant 0 : index
  %x8 = tile.load %tb[%x2, %x7] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
  %x9 = tile.broadcast %x8 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %x10 = arith.constant 64 : index
  %x11 = arith.muli %x1, %x10 : index
  %x12 = tile.iota [64] : tensor<64xi32>
  %x13 = arith.index_cast %x11 : index to i32
  %x14 = tile.splat %x13 [64] : i32 -> tensor<64xi32>
  %x15 = arith.addi %x12, %x14 : tensor<64xi32>
  %x16 = tile.expand_dims %x15, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x17 = arith.constant dense<0.0> : tensor<64x1xf32>
  %x18 = arith.constant dense<-1.0e+30> : tensor<64x1xf32>
  %x19 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x20 = arith.constant 0 : index
  %x21 = arith.constant 1 : index
  %x23, %x24, %x25 = scf.for %x22 = %x20 to %x6 step %x21 iter_args(%x26 = %x18, %x27 = %x17, %x28 = %x19) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %x29 = arith.constant 0 : index
    %x30 = tile.load %k[%x2, %x22, %x29] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x31 = arith.constant 0 : index
    %x32 = tile.load %v[%x2, %x22, %x31] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x33 = tile.reshape %x30 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x34 = tile.reshape %x32 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x35 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x36 = tile.dot %x5, %x33, %x35 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x37 = arith.constant dense<0.125> : tensor<64x64xf32>
    %x38 = arith.mulf %x36, %x37 : tensor<64x64xf32>
    %x39 = arith.constant 64 : index
    %x40 = arith.muli %x22, %x39 : index
    %x41 = tile.iota [64] : tensor<64xi32>
    %x42 = arith.index_cast %x40 : index to i32
    %x43 = tile.splat %x42 [64] : i32 -> tensor<64xi32>
    %x44 = arith.addi %x41, %x43 : tensor<64xi32>
    %x45 = tile.expand_dims %x44, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x46 = tile.broadcast %x16 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %x47 = tile.broadcast %x45 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %x48 = arith.subi %x46, %x47 : tensor<64x64xi32>
    %x49 = arith.constant dense<-1> : tensor<64x64xi32>
    %x50 = arith.muli %x48, %x49 : tensor<64x64xi32>
    %x51 = arith.maxsi %x48, %x50 : tensor<64x64xi32>
    %x52 = arith.constant dense<63> : tensor<64x64xi32>
    %x53 = arith.minsi %x51, %x52 : tensor<64x64xi32>
    %x54 = arith.sitofp %x53 : tensor<64x64xi32> to tensor<64x64xf32>
    %x55 = arith.constant dense<0.05> : tensor<64x64xf32>
    %x56 = arith.mulf %x54, %x55 : tensor<64x64xf32>
    %x57 = arith.subf %x38, %x56 : tensor<64x64xf32>
    %x58 = tile.reduce max %x57 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x59 = arith.maximumf %x26, %x58 : tensor<64x1xf32>
    %x60 = tile.broadcast %x59 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x61 = arith.subf %x57, %x60 : tensor<64x64xf32>
    %x62 = math.exp %x61 : tensor<64x64xf32>
    %x63 = arith.subf %x26, %x59 : tensor<64x1xf32>
    %x64 = math.exp %x63 : tensor<64x1xf32>
    %x65 = arith.mulf %x27, %x64 : tensor<64x1xf32>
    %x66 = tile.reduce add %x62 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x67 = arith.addf %x65, %x66 : tensor<64x1xf32>
    %x68 = tile.cast %x62 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x69 = tile.broadcast %x64 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x70 = arith.mulf %x28, %x69 : tensor<64x64xf32>
    %x71 = tile.dot %x68, %x34, %x70 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x59, %x67, %x71 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %x72 = tile.broadcast %x24 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x73 = arith.divf %x25, %x72 : tensor<64x64xf32>
  %x74 = tile.reshape %x73 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %x75 = tile.cast %x74 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
  %x76 = arith.constant 0 : index
  tile.store %x75, %y[%x2, %x1, %x76] : tensor<1x64x64xbf16>, !tile.view<?x?x?xbf16>
}

// Retention: chunks with a decay and a state.
// CASE @retention rounded K=512: 2x192x64xbf16=random:1 2x192x64xbf16=random:2 2x192x64xbf16=random:3 -> 2x192x64xbf16
tile.kernel @retention(%q: !tile.view<?x?x?xbf16>, %k: !tile.view<?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xbf16>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.iota [64] : tensor<64xi32>
  %x3 = tile.expand_dims %x2, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x4 = tile.broadcast %x3 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %x5 = tile.iota [64] : tensor<64xi32>
  %x6 = tile.expand_dims %x5, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %x7 = tile.broadcast %x6 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %x8 = arith.subi %x4, %x7 : tensor<64x64xi32>
  %x9 = arith.sitofp %x8 : tensor<64x64xi32> to tensor<64x64xf32>
  %x10 = arith.cmpi sge, %x4, %x7 : tensor<64x64xi32>
  %x11 = arith.constant dense<-0.03> : tensor<64x64xf32>
  %x12 = arith.mulf %x9, %x11 : tensor<64x64xf32>
  %x13 = math.exp2 %x12 : tensor<64x64xf32>
  %x14 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x15 = arith.select %x10, %x13, %x14 : tensor<64x64xi1>, tensor<64x64xf32>
  %x16 = tile.iota [64] : tensor<64xi32>
  %x17 = tile.expand_dims %x16, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x18 = arith.sitofp %x17 : tensor<64x1xi32> to tensor<64x1xf32>
  %x19 = arith.constant dense<-0.03> : tensor<64x1xf32>
  %x20 = arith.mulf %x18, %x19 : tensor<64x1xf32>
  %x21 = math.exp2 %x20 : tensor<64x1xf32>
  %x22 = arith.constant dense<63.0> : tensor<64x1xf32>
  %x23 = tile.iota [64] : tensor<64xi32>
  %x24 = tile.expand_dims %x23, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x25 = arith.sitofp %x24 : tensor<64x1xi32> to tensor<64x1xf32>
  %x26 = arith.subf %x22, %x25 : tensor<64x1xf32>
  %x27 = arith.constant dense<-0.03> : tensor<64x1xf32>
  %x28 = arith.mulf %x26, %x27 : tensor<64x1xf32>
  %x29 = math.exp2 %x28 : tensor<64x1xf32>
  %x30 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x31 = tile.num_tiles %q, 1 by [64] : !tile.view<?x?x?xbf16>
  %x32 = arith.constant 0 : index
  %x33 = arith.constant 1 : index
  %x35 = scf.for %x34 = %x32 to %x31 step %x33 iter_args(%x36 = %x30) -> (tensor<64x64xf32>) {
    %x37 = arith.constant 0 : index
    %x38 = tile.load %q[%x1, %x34, %x37] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x39 = tile.reshape %x38 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x40 = arith.constant 0 : index
    %x41 = tile.load %k[%x1, %x34, %x40] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x42 = tile.reshape %x41 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x43 = arith.constant 0 : index
    %x44 = tile.load %v[%x1, %x34, %x43] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x45 = tile.reshape %x44 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x46 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x47 = tile.dot %x39, %x42, %x46 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x48 = arith.mulf %x47, %x15 : tensor<64x64xf32>
    %x49 = tile.cast %x48 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x50 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x51 = tile.dot %x49, %x45, %x50 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x52 = tile.cast %x36 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x53 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x54 = tile.dot %x39, %x52, %x53 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x55 = tile.broadcast %x21 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x56 = arith.mulf %x54, %x55 : tensor<64x64xf32>
    %x57 = arith.addf %x51, %x56 : tensor<64x64xf32>
    %x58 = tile.reshape %x57 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
    %x59 = tile.cast %x58 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
    %x60 = arith.constant 0 : index
    tile.store %x59, %y[%x1, %x34, %x60] : tensor<1x64x64xbf16>, !tile.view<?x?x?xbf16>
    %x61 = tile.cast %x42 : tensor<64x64xbf16> to tensor<64x64xf32>
    %x62 = tile.broadcast %x29 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x63 = arith.mulf %x61, %x62 : tensor<64x64xf32>
    %x64 = tile.cast %x63 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x65 = tile.permute %x64 [1, 0] : tensor<64x64xbf16> -> tensor<64x64xbf16>
    %x66 = arith.constant dense<0.264> : tensor<64x64xf32>
    %x67 = arith.mulf %x36, %x66 : tensor<64x64xf32>
    %x68 = tile.dot %x65, %x45, %x67 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x68 : tensor<64x64xf32>
  }
}

// Attention backward: gradients of keys and values.
// CASE @attn_dkv rounded K=512: 2x128x64xbf16=random:1 2x128x64xbf16=random:2 2x128x64xbf16=random:3 2x128x64xbf16=random:4 2x128xf32=random:5 2x128xf32=random:6 -> 2x128x64xbf16 2x128x64xbf16
tile.kernel @attn_dkv(%q: !tile.view<?x?x?xbf16>, %k: !tile.view<?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>, %g: !tile.view<?x?x?xbf16>, %L: !tile.view<?x?xf32>, %D: !tile.view<?x?xf32>) outs(%dk: !tile.view<?x?x?xbf16>, %dv: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%dk,1),64), dim(%dk,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = tile.load %k[%x2, %x1, %x3] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
  %x5 = tile.reshape %x4 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %x6 = arith.constant 0 : index
  %x7 = tile.load %v[%x2, %x1, %x6] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
  %x8 = tile.reshape %x7 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %x9 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x10 = tile.num_tiles %q, 1 by [64] : !tile.view<?x?x?xbf16>
  %x11 = arith.constant 0 : index
  %x12 = arith.constant 1 : index
  %x14, %x15 = scf.for %x13 = %x11 to %x10 step %x12 iter_args(%x16 = %x9, %x17 = %x9) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x18 = arith.constant 0 : index
    %x19 = tile.load %q[%x2, %x13, %x18] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x20 = tile.reshape %x19 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x21 = arith.constant 0 : index
    %x22 = tile.load %g[%x2, %x13, %x21] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x23 = tile.reshape %x22 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x24 = tile.load %L[%x2, %x13] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x25 = tile.reshape %x24 [1, 64] : tensor<1x64xf32> -> tensor<1x64xf32>
    %x26 = tile.load %D[%x2, %x13] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x27 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x28 = tile.dot %x5, %x20, %x27 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x29 = arith.constant dense<0.125> : tensor<64x64xf32>
    %x30 = arith.mulf %x28, %x29 : tensor<64x64xf32>
    %x31 = tile.broadcast %x25 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x32 = arith.subf %x30, %x31 : tensor<64x64xf32>
    %x33 = arith.constant dense<4.0> : tensor<64x64xf32>
    %x34 = arith.subf %x32, %x33 : tensor<64x64xf32>
    %x35 = math.exp %x34 : tensor<64x64xf32>
    %x36 = tile.cast %x35 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x37 = tile.dot %x36, %x23, %x17 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x38 = arith.constant dense<0.0> : tensor<64x64xf32>
    %x39 = tile.dot %x8, %x23, %x38 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x40 = tile.broadcast %x26 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %x41 = arith.subf %x39, %x40 : tensor<64x64xf32>
    %x42 = arith.mulf %x35, %x41 : tensor<64x64xf32>
    %x43 = arith.constant dense<0.125> : tensor<64x64xf32>
    %x44 = arith.mulf %x42, %x43 : tensor<64x64xf32>
    %x45 = tile.cast %x44 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x46 = tile.dot %x45, %x20, %x16 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x46, %x37 : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %x47 = tile.reshape %x14 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %x48 = tile.cast %x47 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
  %x49 = arith.constant 0 : index
  tile.store %x48, %dk[%x2, %x1, %x49] : tensor<1x64x64xbf16>, !tile.view<?x?x?xbf16>
  %x50 = tile.reshape %x15 [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %x51 = tile.cast %x50 : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
  %x52 = arith.constant 0 : index
  tile.store %x51, %dv[%x2, %x1, %x52] : tensor<1x64x64xbf16>, !tile.view<?x?x?xbf16>
}

// Scores that are sums of two products.
// CASE @disent rounded K=512: 2x128x64xbf16=random:1 2x128x64xbf16=random:2 2x128x64xbf16=random:3 2x128x64xbf16=random:4 -> 2x128x64xbf16
tile.kernel @disent(%q: !tile.view<?x?x?xbf16>, %k: !tile.view<?x?x?xbf16>, %r: !tile.view<?x?x?xbf16>, %v: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,1),128), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = tile.load %q[%x2, %x1, %x3] [1, 128, 64] : !tile.view<?x?x?xbf16> -> tensor<1x128x64xbf16>
  %x5 = tile.reshape %x4 [128, 64] : tensor<1x128x64xbf16> -> tensor<128x64xbf16>
  %x6 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x7 = arith.constant dense<-1.0e+30> : tensor<128x1xf32>
  %x8 = arith.constant dense<0.0> : tensor<128x64xf32>
  %x9 = tile.num_tiles %k, 1 by [64] : !tile.view<?x?x?xbf16>
  %x10 = arith.constant 0 : index
  %x11 = arith.constant 1 : index
  %x13, %x14, %x15 = scf.for %x12 = %x10 to %x9 step %x11 iter_args(%x16 = %x7, %x17 = %x6, %x18 = %x8) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>) {
    %x19 = arith.constant 0 : index
    %x20 = tile.load %k[%x2, %x12, %x19] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x21 = tile.reshape %x20 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x22 = arith.constant 0 : index
    %x23 = tile.load %r[%x2, %x12, %x22] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x24 = tile.reshape %x23 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x25 = arith.constant 0 : index
    %x26 = tile.load %v[%x2, %x12, %x25] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x27 = tile.reshape %x26 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x28 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x29 = tile.dot %x5, %x21, %x28 transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x30 = tile.dot %x5, %x24, %x29 transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x31 = arith.constant dense<0.07> : tensor<128x64xf32>
    %x32 = arith.mulf %x30, %x31 : tensor<128x64xf32>
    %x33 = tile.reduce max %x32 axis 1 keepdims : tensor<128x64xf32> -> tensor<128x1xf32>
    %x34 = arith.maximumf %x16, %x33 : tensor<128x1xf32>
    %x35 = tile.broadcast %x34 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x36 = arith.subf %x32, %x35 : tensor<128x64xf32>
    %x37 = math.exp %x36 : tensor<128x64xf32>
    %x38 = arith.subf %x16, %x34 : tensor<128x1xf32>
    %x39 = math.exp %x38 : tensor<128x1xf32>
    %x40 = arith.mulf %x17, %x39 : tensor<128x1xf32>
    %x41 = tile.reduce add %x37 axis 1 keepdims : tensor<128x64xf32> -> tensor<128x1xf32>
    %x42 = arith.addf %x40, %x41 : tensor<128x1xf32>
    %x43 = tile.cast %x37 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x44 = tile.broadcast %x39 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x45 = arith.mulf %x18, %x44 : tensor<128x64xf32>
    %x46 = tile.dot %x43, %x27, %x45 : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x34, %x42, %x46 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>
  }
  %x47 = tile.broadcast %x14 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
  %x48 = arith.divf %x15, %x47 : tensor<128x64xf32>
  %x49 = tile.reshape %x48 [1, 128, 64] : tensor<128x64xf32> -> tensor<1x128x64xf32>
  %x50 = tile.cast %x49 : tensor<1x128x64xf32> to tensor<1x128x64xbf16>
  %x51 = arith.constant 0 : index
  tile.store %x50, %y[%x2, %x1, %x51] : tensor<1x128x64xbf16>, !tile.view<?x?x?xbf16>
}

// Attention backward: gradients of keys and values under a causal mask, with tiles of 128 keys of 128 elements, which leaves
// no registers for the weights of two iterations.
// CASE @attn_dkv_wide rounded K=512: 1x2x200x128xbf16=random:1 1x2x200x128xbf16=random:2 1x2x200x128xbf16=random:3 1x2x200x128xbf16=random:4 1x2x200xf32=random:5 1x2x200xf32=random:6 -> 1x2x200x128xbf16 1x2x200x128xbf16
tile.kernel @attn_dkv_wide(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>, %g: !tile.view<?x?x?x?xbf16>, %lse: !tile.view<?x?x?xf32>, %delta: !tile.view<?x?x?xf32>) outs(%dk: !tile.view<?x?x?x?xbf16>, %dv: !tile.view<?x?x?x?xbf16>)
    grid [ceildiv(dim(%k, 2), 128), dim(%k, 1), dim(%k, 0)] {
  %x1 = tile.block_id 2
  %x2 = tile.block_id 1
  %x3 = tile.block_id 0
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x6 = arith.constant 64 : index
  %x7 = arith.constant 128 : index
  %x8 = tile.select %q[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x9 = tile.select %k[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x10 = tile.select %v[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x11 = tile.select %g[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x12 = tile.select %lse[%x1, %x2] : !tile.view<?x?x?xf32> -> !tile.view<?xf32>
  %x13 = tile.select %delta[%x1, %x2] : !tile.view<?x?x?xf32> -> !tile.view<?xf32>
  %x14 = tile.select %dk[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x15 = tile.select %dv[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x16 = tile.load %x9[%x3, %x4] [128, 128] : !tile.view<?x?xbf16> -> tensor<128x128xbf16>
  %x17 = tile.load %x10[%x3, %x4] [128, 128] : !tile.view<?x?xbf16> -> tensor<128x128xbf16>
  %x18 = tile.num_tiles %x8, 0 by [64] : !tile.view<?x?xbf16>
  %x19 = arith.muli %x3, %x7 : index
  %x20 = arith.divui %x19, %x6 : index
  %x21 = arith.constant 0.0 : f32
  %x22 = tile.splat %x21 [128, 128] : f32 -> tensor<128x128xf32>
  %x26, %x27 = scf.for %x23 = %x20 to %x18 step %x5 iter_args(%x24 = %x22, %x25 = %x22) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
    %x28 = tile.load %x8[%x23, %x4] [64, 128] : !tile.view<?x?xbf16> -> tensor<64x128xbf16>
    %x29 = tile.load %x11[%x23, %x4] [64, 128] : !tile.view<?x?xbf16> -> tensor<64x128xbf16>
    %x30 = tile.load %x12[%x23] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %x31 = tile.load %x13[%x23] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %x32 = tile.expand_dims %x30, 0 : tensor<64xf32> -> tensor<1x64xf32>
    %x33 = tile.expand_dims %x31, 0 : tensor<64xf32> -> tensor<1x64xf32>
    %x34 = arith.constant 0.0 : f32
    %x35 = tile.splat %x34 [128, 64] : f32 -> tensor<128x64xf32>
    %x36 = tile.dot %x16, %x28, %x35 transpose_b : tensor<128x128xbf16>, tensor<64x128xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x37 = arith.constant 0.08838834764831845 : f32
    %x38 = tile.splat %x37 [128, 64] : f32 -> tensor<128x64xf32>
    %x39 = arith.mulf %x36, %x38 : tensor<128x64xf32>
    %x40 = tile.broadcast %x32 [128, 64] : tensor<1x64xf32> -> tensor<128x64xf32>
    %x41 = arith.subf %x39, %x40 : tensor<128x64xf32>
    %x42 = math.exp %x41 : tensor<128x64xf32>
    %x43 = arith.muli %x23, %x6 : index
    %x44 = arith.index_cast %x43 : index to i32
    %x45 = tile.splat %x44 [64] : i32 -> tensor<64xi32>
    %x46 = tile.iota [64] : tensor<64xi32>
    %x47 = arith.addi %x45, %x46 : tensor<64xi32>
    %x48 = tile.expand_dims %x47, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x49 = arith.muli %x3, %x7 : index
    %x50 = arith.index_cast %x49 : index to i32
    %x51 = tile.splat %x50 [128] : i32 -> tensor<128xi32>
    %x52 = tile.iota [128] : tensor<128xi32>
    %x53 = arith.addi %x51, %x52 : tensor<128xi32>
    %x54 = tile.expand_dims %x53, 1 : tensor<128xi32> -> tensor<128x1xi32>
    %x55 = tile.broadcast %x48 [128, 64] : tensor<1x64xi32> -> tensor<128x64xi32>
    %x56 = tile.broadcast %x54 [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
    %x57 = arith.cmpi sge, %x55, %x56 : tensor<128x64xi32>
    %x58 = arith.constant 0.0 : f32
    %x59 = tile.splat %x58 [128, 64] : f32 -> tensor<128x64xf32>
    %x60 = arith.select %x57, %x42, %x59 : tensor<128x64xi1>, tensor<128x64xf32>
    %x61 = tile.dot %x17, %x29, %x35 transpose_b : tensor<128x128xbf16>, tensor<64x128xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x62 = tile.broadcast %x33 [128, 64] : tensor<1x64xf32> -> tensor<128x64xf32>
    %x63 = arith.subf %x61, %x62 : tensor<128x64xf32>
    %x64 = arith.mulf %x60, %x63 : tensor<128x64xf32>
    %x65 = arith.constant 0.08838834764831845 : f32
    %x66 = tile.splat %x65 [128, 64] : f32 -> tensor<128x64xf32>
    %x67 = arith.mulf %x64, %x66 : tensor<128x64xf32>
    %x68 = tile.cast %x60 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x69 = tile.cast %x67 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x70 = tile.dot %x69, %x28, %x24 : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x71 = tile.dot %x68, %x29, %x25 : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x70, %x71 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  %x72 = tile.cast %x26 : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %x72, %x14[%x3, %x4] : tensor<128x128xbf16>, !tile.view<?x?xbf16>
  %x73 = tile.cast %x27 : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %x73, %x15[%x3, %x4] : tensor<128x128xbf16>, !tile.view<?x?xbf16>
}

// Causal attention with interleaved heads.
// CASE @heads_inside rounded K=512: 2x150x3x64xbf16=random:1 2x150x3x64xbf16=random:2 2x150x3x64xbf16=random:3 -> 2x150x3x64xbf16
tile.kernel @heads_inside(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>) outs(%y: !tile.view<?x?x?x?xbf16>)
    grid [ceildiv(dim(%q, 1), 64), dim(%q, 2), dim(%q, 0)] {
  %x1 = tile.block_id 2
  %x2 = tile.block_id 1
  %x3 = tile.block_id 0
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x6 = arith.constant 64 : index
  %x7 = arith.constant 64 : index
  %x8 = tile.dim %q, 2 : !tile.view<?x?x?x?xbf16>
  %x9 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x10 = tile.load %q[%x1, %x3, %x2, %x4] [1, 64, 1, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x64x1x64xbf16>
  %x11 = tile.reshape %x10 [64, 64] : tensor<1x64x1x64xbf16> -> tensor<64x64xbf16>
  %x12 = tile.dim %q, 1 : !tile.view<?x?x?x?xbf16>
  %x13 = tile.dim %k, 1 : !tile.view<?x?x?x?xbf16>
  %x14 = arith.muli %x3, %x6 : index
  %x15 = arith.index_cast %x14 : index to i32
  %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
  %x17 = tile.iota [64] : tensor<64xi32>
  %x18 = arith.addi %x16, %x17 : tensor<64xi32>
  %x19 = tile.expand_dims %x18, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x20 = tile.num_tiles %k, 1 by [64] : !tile.view<?x?x?x?xbf16>
  %x21 = arith.addi %x3, %x5 : index
  %x22 = arith.muli %x21, %x6 : index
  %x23 = arith.ceildivui %x22, %x7 : index
  %x24 = arith.minui %x23, %x20 : index
  %x25 = arith.constant 0xFF800000 : f32
  %x26 = tile.splat %x25 [64, 1] : f32 -> tensor<64x1xf32>
  %x27 = arith.constant 0.0 : f32
  %x28 = tile.splat %x27 [64, 1] : f32 -> tensor<64x1xf32>
  %x29 = arith.constant 0.0 : f32
  %x30 = tile.splat %x29 [64, 64] : f32 -> tensor<64x64xf32>
  %x35, %x36, %x37 = scf.for %x31 = %x4 to %x24 step %x5 iter_args(%x32 = %x26, %x33 = %x28, %x34 = %x30) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %x38 = tile.load %k[%x1, %x31, %x2, %x4] [1, 64, 1, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x64x1x64xbf16>
    %x39 = tile.reshape %x38 [64, 64] : tensor<1x64x1x64xbf16> -> tensor<64x64xbf16>
    %x40 = arith.constant 0.0 : f32
    %x41 = tile.splat %x40 [64, 64] : f32 -> tensor<64x64xf32>
    %x42 = tile.dot %x11, %x39, %x41 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x43 = arith.constant 0.125 : f32
    %x44 = tile.splat %x43 [64, 64] : f32 -> tensor<64x64xf32>
    %x45 = arith.mulf %x42, %x44 : tensor<64x64xf32>
    %x46 = arith.muli %x31, %x7 : index
    %x47 = arith.index_cast %x46 : index to i32
    %x48 = tile.splat %x47 [64] : i32 -> tensor<64xi32>
    %x49 = tile.iota [64] : tensor<64xi32>
    %x50 = arith.addi %x48, %x49 : tensor<64xi32>
    %x51 = tile.expand_dims %x50, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x52 = tile.broadcast %x51 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %x53 = tile.broadcast %x19 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %x54 = arith.cmpi sle, %x52, %x53 : tensor<64x64xi32>
    %x55 = arith.constant 0xFF800000 : f32
    %x56 = tile.splat %x55 [64, 64] : f32 -> tensor<64x64xf32>
    %x57 = arith.select %x54, %x45, %x56 : tensor<64x64xi1>, tensor<64x64xf32>
    %x58 = tile.load %v[%x1, %x31, %x2, %x4] [1, 64, 1, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x64x1x64xbf16>
    %x59 = tile.reshape %x58 [64, 64] : tensor<1x64x1x64xbf16> -> tensor<64x64xbf16>
    %x60 = tile.reduce max %x57 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x61 = arith.maximumf %x32, %x60 : tensor<64x1xf32>
    %x62 = tile.broadcast %x61 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x63 = arith.subf %x57, %x62 : tensor<64x64xf32>
    %x64 = math.exp %x63 : tensor<64x64xf32>
    %x65 = arith.subf %x32, %x61 : tensor<64x1xf32>
    %x66 = math.exp %x65 : tensor<64x1xf32>
    %x67 = tile.reduce add %x64 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x68 = arith.mulf %x33, %x66 : tensor<64x1xf32>
    %x69 = arith.addf %x68, %x67 : tensor<64x1xf32>
    %x70 = tile.cast %x64 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x71 = tile.broadcast %x66 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x72 = arith.mulf %x34, %x71 : tensor<64x64xf32>
    %x73 = tile.dot %x70, %x59, %x72 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x61, %x69, %x73 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %x74 = tile.broadcast %x36 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x75 = arith.divf %x37, %x74 : tensor<64x64xf32>
  %x76 = tile.cast %x75 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x77 = tile.reshape %x76 [1, 64, 1, 64] : tensor<64x64xbf16> -> tensor<1x64x1x64xbf16>
  tile.store %x77, %y[%x1, %x3, %x2, %x4] : tensor<1x64x1x64xbf16>, !tile.view<?x?x?x?xbf16>
}

// A window whose first keys are excluded from the maximum, which starts with a number.
// CASE @begun_with_a_number rounded K=512: 1x2x200x64xbf16=random:1 1x2x200x64xbf16=random:2 1x2x200x64xbf16=random:3 -> 1x2x200x64xbf16
tile.kernel @begun_with_a_number(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>) outs(%y: !tile.view<?x?x?x?xbf16>)
    grid [ceildiv(dim(%q, 2), 64), dim(%q, 1), dim(%q, 0)] {
  %x1 = tile.block_id 2
  %x2 = tile.block_id 1
  %x3 = tile.block_id 0
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x6 = arith.constant 64 : index
  %x7 = arith.constant 64 : index
  %x8 = tile.dim %q, 1 : !tile.view<?x?x?x?xbf16>
  %x9 = tile.dim %k, 1 : !tile.view<?x?x?x?xbf16>
  %x10 = tile.select %q[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x11 = tile.load %x10[%x3, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
  %x12 = tile.dim %q, 2 : !tile.view<?x?x?x?xbf16>
  %x13 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x14 = arith.muli %x3, %x6 : index
  %x15 = arith.index_cast %x14 : index to i32
  %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
  %x17 = tile.iota [64] : tensor<64xi32>
  %x18 = arith.addi %x16, %x17 : tensor<64xi32>
  %x19 = tile.expand_dims %x18, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x20 = tile.num_tiles %k, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x21 = arith.addi %x3, %x5 : index
  %x22 = arith.muli %x21, %x6 : index
  %x23 = arith.ceildivui %x22, %x7 : index
  %x24 = arith.minui %x23, %x20 : index
  %x25 = arith.constant 0xFF800000 : f32
  %x26 = tile.splat %x25 [64, 1] : f32 -> tensor<64x1xf32>
  %x27 = arith.constant -1.0e+30 : f32
  %x28 = tile.splat %x27 [64, 1] : f32 -> tensor<64x1xf32>
  %x29 = arith.constant 0.0 : f32
  %x30 = tile.splat %x29 [64, 1] : f32 -> tensor<64x1xf32>
  %x31 = arith.constant 0.0 : f32
  %x32 = tile.splat %x31 [64, 64] : f32 -> tensor<64x64xf32>
  %x37, %x38, %x39 = scf.for %x33 = %x4 to %x24 step %x5 iter_args(%x34 = %x28, %x35 = %x30, %x36 = %x32) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %x40 = tile.select %k[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x41 = tile.load %x40[%x33, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x42 = arith.constant 0.0 : f32
    %x43 = tile.splat %x42 [64, 64] : f32 -> tensor<64x64xf32>
    %x44 = tile.dot %x11, %x41, %x43 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x45 = arith.constant 0.125 : f32
    %x46 = tile.splat %x45 [64, 64] : f32 -> tensor<64x64xf32>
    %x47 = arith.mulf %x44, %x46 : tensor<64x64xf32>
    %x48 = arith.muli %x33, %x7 : index
    %x49 = arith.index_cast %x48 : index to i32
    %x50 = tile.splat %x49 [64] : i32 -> tensor<64xi32>
    %x51 = tile.iota [64] : tensor<64xi32>
    %x52 = arith.addi %x50, %x51 : tensor<64xi32>
    %x53 = tile.expand_dims %x52, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x54 = tile.broadcast %x53 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %x55 = tile.broadcast %x19 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %x56 = arith.cmpi sle, %x54, %x55 : tensor<64x64xi32>
    %x57 = tile.broadcast %x19 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %x58 = tile.broadcast %x53 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %x59 = arith.subi %x57, %x58 : tensor<64x64xi32>
    %x60 = arith.constant 70 : i32
    %x61 = tile.splat %x60 [64, 64] : i32 -> tensor<64x64xi32>
    %x62 = arith.cmpi slt, %x59, %x61 : tensor<64x64xi32>
    %x63 = arith.andi %x56, %x62 : tensor<64x64xi1>
    %x64 = arith.constant 0xFF800000 : f32
    %x65 = tile.splat %x64 [64, 64] : f32 -> tensor<64x64xf32>
    %x66 = arith.select %x63, %x47, %x65 : tensor<64x64xi1>, tensor<64x64xf32>
    %x67 = tile.select %v[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x68 = tile.load %x67[%x33, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x69 = tile.reduce max %x66 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x70 = arith.maximumf %x34, %x69 : tensor<64x1xf32>
    %x71 = tile.broadcast %x70 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x72 = arith.subf %x66, %x71 : tensor<64x64xf32>
    %x73 = math.exp %x72 : tensor<64x64xf32>
    %x74 = arith.subf %x34, %x70 : tensor<64x1xf32>
    %x75 = math.exp %x74 : tensor<64x1xf32>
    %x76 = tile.reduce add %x73 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x77 = arith.mulf %x35, %x75 : tensor<64x1xf32>
    %x78 = arith.addf %x77, %x76 : tensor<64x1xf32>
    %x79 = tile.cast %x73 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x80 = tile.broadcast %x75 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x81 = arith.mulf %x36, %x80 : tensor<64x64xf32>
    %x82 = tile.dot %x79, %x68, %x81 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x70, %x78, %x82 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %x83 = tile.broadcast %x38 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x84 = arith.divf %x39, %x83 : tensor<64x64xf32>
  %x85 = tile.cast %x84 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x86 = tile.select %y[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  tile.store %x85, %x86[%x3, %x4] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}

// A maximum with a floor.
// CASE @floored_maximum rounded K=512: 1x2x200x64xbf16=random:1 1x2x200x64xbf16=random:2 1x2x200x64xbf16=random:3 -> 1x2x200x64xbf16
tile.kernel @floored_maximum(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>) outs(%y: !tile.view<?x?x?x?xbf16>)
    grid [ceildiv(dim(%q, 2), 64), dim(%q, 1), dim(%q, 0)] {
  %x1 = tile.block_id 2
  %x2 = tile.block_id 1
  %x3 = tile.block_id 0
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x6 = arith.constant 64 : index
  %x7 = arith.constant 64 : index
  %x8 = tile.dim %q, 1 : !tile.view<?x?x?x?xbf16>
  %x9 = tile.dim %k, 1 : !tile.view<?x?x?x?xbf16>
  %x10 = tile.select %q[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x11 = tile.load %x10[%x3, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
  %x12 = tile.dim %q, 2 : !tile.view<?x?x?x?xbf16>
  %x13 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x14 = arith.muli %x3, %x6 : index
  %x15 = arith.index_cast %x14 : index to i32
  %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
  %x17 = tile.iota [64] : tensor<64xi32>
  %x18 = arith.addi %x16, %x17 : tensor<64xi32>
  %x19 = tile.expand_dims %x18, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x20 = tile.num_tiles %k, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x21 = arith.addi %x3, %x5 : index
  %x22 = arith.muli %x21, %x6 : index
  %x23 = arith.ceildivui %x22, %x7 : index
  %x24 = arith.minui %x23, %x20 : index
  %x25 = arith.constant -1.0e+30 : f32
  %x26 = tile.splat %x25 [64, 1] : f32 -> tensor<64x1xf32>
  %x27 = arith.constant 0.0 : f32
  %x28 = tile.splat %x27 [64, 1] : f32 -> tensor<64x1xf32>
  %x29 = arith.constant 0.0 : f32
  %x30 = tile.splat %x29 [64, 64] : f32 -> tensor<64x64xf32>
  %x35, %x36, %x37 = scf.for %x31 = %x4 to %x24 step %x5 iter_args(%x32 = %x26, %x33 = %x28, %x34 = %x30) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %x38 = tile.select %k[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x39 = tile.load %x38[%x31, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x40 = arith.constant 0.0 : f32
    %x41 = tile.splat %x40 [64, 64] : f32 -> tensor<64x64xf32>
    %x42 = tile.dot %x11, %x39, %x41 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x43 = arith.constant 0.125 : f32
    %x44 = tile.splat %x43 [64, 64] : f32 -> tensor<64x64xf32>
    %x45 = arith.mulf %x42, %x44 : tensor<64x64xf32>
    %x46 = arith.muli %x31, %x7 : index
    %x47 = arith.index_cast %x46 : index to i32
    %x48 = tile.splat %x47 [64] : i32 -> tensor<64xi32>
    %x49 = tile.iota [64] : tensor<64xi32>
    %x50 = arith.addi %x48, %x49 : tensor<64xi32>
    %x51 = tile.expand_dims %x50, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x52 = tile.broadcast %x51 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %x53 = tile.broadcast %x19 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %x54 = arith.cmpi sle, %x52, %x53 : tensor<64x64xi32>
    %x55 = arith.constant -3.0e38 : f32
    %x56 = tile.splat %x55 [64, 64] : f32 -> tensor<64x64xf32>
    %x57 = arith.select %x54, %x45, %x56 : tensor<64x64xi1>, tensor<64x64xf32>
    %x58 = tile.select %v[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x59 = tile.load %x58[%x31, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x60 = tile.reduce max %x57 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x61 = arith.maximumf %x32, %x60 : tensor<64x1xf32>
    %x62 = arith.constant -1.0e+30 : f32
    %x63 = tile.splat %x62 [64, 1] : f32 -> tensor<64x1xf32>
    %x64 = arith.maximumf %x61, %x63 : tensor<64x1xf32>
    %x65 = tile.broadcast %x64 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x66 = arith.subf %x57, %x65 : tensor<64x64xf32>
    %x67 = math.exp %x66 : tensor<64x64xf32>
    %x68 = arith.subf %x32, %x64 : tensor<64x1xf32>
    %x69 = math.exp %x68 : tensor<64x1xf32>
    %x70 = tile.reduce add %x67 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x71 = arith.mulf %x33, %x69 : tensor<64x1xf32>
    %x72 = arith.addf %x71, %x70 : tensor<64x1xf32>
    %x73 = tile.cast %x67 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x74 = tile.broadcast %x69 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x75 = arith.mulf %x34, %x74 : tensor<64x64xf32>
    %x76 = tile.dot %x73, %x59, %x75 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x64, %x72, %x76 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %x77 = tile.broadcast %x36 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x78 = arith.divf %x37, %x77 : tensor<64x64xf32>
  %x79 = tile.cast %x78 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x80 = tile.select %y[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  tile.store %x79, %x80[%x3, %x4] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}

// Conditions are converted to numbers and added to scores.
// CASE @added_conditions rounded K=512: 1x2x200x64xbf16=random:1 1x2x200x64xbf16=random:2 1x2x200x64xbf16=random:3 -> 1x2x200x64xbf16
tile.kernel @added_conditions(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>) outs(%y: !tile.view<?x?x?x?xbf16>)
    grid [ceildiv(dim(%q, 2), 64), dim(%q, 1), dim(%q, 0)] {
  %x1 = tile.block_id 2
  %x2 = tile.block_id 1
  %x3 = tile.block_id 0
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x6 = arith.constant 64 : index
  %x7 = arith.constant 64 : index
  %x8 = tile.dim %q, 1 : !tile.view<?x?x?x?xbf16>
  %x9 = tile.dim %k, 1 : !tile.view<?x?x?x?xbf16>
  %x10 = tile.select %q[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x11 = tile.load %x10[%x3, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
  %x12 = tile.dim %q, 2 : !tile.view<?x?x?x?xbf16>
  %x13 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x14 = arith.muli %x3, %x6 : index
  %x15 = arith.index_cast %x14 : index to i32
  %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
  %x17 = tile.iota [64] : tensor<64xi32>
  %x18 = arith.addi %x16, %x17 : tensor<64xi32>
  %x19 = tile.expand_dims %x18, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x20 = tile.num_tiles %k, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x21 = arith.constant 0xFF800000 : f32
  %x22 = tile.splat %x21 [64, 1] : f32 -> tensor<64x1xf32>
  %x23 = arith.constant 0.0 : f32
  %x24 = tile.splat %x23 [64, 1] : f32 -> tensor<64x1xf32>
  %x25 = arith.constant 0.0 : f32
  %x26 = tile.splat %x25 [64, 64] : f32 -> tensor<64x64xf32>
  %x31, %x32, %x33 = scf.for %x27 = %x4 to %x20 step %x5 iter_args(%x28 = %x22, %x29 = %x24, %x30 = %x26) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %x34 = tile.select %k[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x35 = tile.load %x34[%x27, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x36 = arith.constant 0.0 : f32
    %x37 = tile.splat %x36 [64, 64] : f32 -> tensor<64x64xf32>
    %x38 = tile.dot %x11, %x35, %x37 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x39 = arith.constant 0.125 : f32
    %x40 = tile.splat %x39 [64, 64] : f32 -> tensor<64x64xf32>
    %x41 = arith.mulf %x38, %x40 : tensor<64x64xf32>
    %x42 = arith.muli %x27, %x7 : index
    %x43 = arith.index_cast %x42 : index to i32
    %x44 = tile.splat %x43 [64] : i32 -> tensor<64xi32>
    %x45 = tile.iota [64] : tensor<64xi32>
    %x46 = arith.addi %x44, %x45 : tensor<64xi32>
    %x47 = tile.expand_dims %x46, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x48 = tile.broadcast %x47 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
    %x49 = tile.broadcast %x19 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %x50 = arith.cmpi sgt, %x48, %x49 : tensor<64x64xi32>
    %x51 = arith.uitofp %x50 : tensor<64x64xi1> to tensor<64x64xf32>
    %x52 = arith.constant -1000000000.0 : f32
    %x53 = tile.splat %x52 [64, 64] : f32 -> tensor<64x64xf32>
    %x54 = arith.mulf %x51, %x53 : tensor<64x64xf32>
    %x55 = arith.addf %x41, %x54 : tensor<64x64xf32>
    %x56 = tile.select %v[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x57 = tile.load %x56[%x27, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x58 = tile.reduce max %x55 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x59 = arith.maximumf %x28, %x58 : tensor<64x1xf32>
    %x60 = tile.broadcast %x59 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x61 = arith.subf %x55, %x60 : tensor<64x64xf32>
    %x62 = math.exp %x61 : tensor<64x64xf32>
    %x63 = arith.subf %x28, %x59 : tensor<64x1xf32>
    %x64 = math.exp %x63 : tensor<64x1xf32>
    %x65 = tile.reduce add %x62 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x66 = arith.mulf %x29, %x64 : tensor<64x1xf32>
    %x67 = arith.addf %x66, %x65 : tensor<64x1xf32>
    %x68 = tile.cast %x62 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x69 = tile.broadcast %x64 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x70 = arith.mulf %x30, %x69 : tensor<64x64xf32>
    %x71 = tile.dot %x68, %x57, %x70 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x59, %x67, %x71 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %x72 = tile.broadcast %x32 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x73 = arith.divf %x33, %x72 : tensor<64x64xf32>
  %x74 = tile.cast %x73 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x75 = tile.select %y[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  tile.store %x74, %x75[%x3, %x4] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}

// One sequence of keys each, shorter than its capacity; lengths are compared as one row.
// CASE @lengths_of_keys rounded K=512: 2x2x200x64xbf16=random:1 2x2x200x64xbf16=random:2 2x2x200x64xbf16=random:3 2xi32=200,77 -> 2x2x200x64xbf16
tile.kernel @lengths_of_keys(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>, %len: !tile.view<?xi32>) outs(%y: !tile.view<?x?x?x?xbf16>)
    grid [ceildiv(dim(%q, 2), 64), dim(%q, 1), dim(%q, 0)] {
  %x1 = tile.block_id 2
  %x2 = tile.block_id 1
  %x3 = tile.block_id 0
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x6 = arith.constant 64 : index
  %x7 = arith.constant 64 : index
  %x8 = tile.dim %q, 1 : !tile.view<?x?x?x?xbf16>
  %x9 = tile.dim %k, 1 : !tile.view<?x?x?x?xbf16>
  %x10 = tile.select %q[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  %x11 = tile.load %x10[%x3, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
  %x12 = tile.dim %q, 2 : !tile.view<?x?x?x?xbf16>
  %x13 = tile.dim %k, 2 : !tile.view<?x?x?x?xbf16>
  %x14 = arith.muli %x3, %x6 : index
  %x15 = arith.index_cast %x14 : index to i32
  %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
  %x17 = tile.iota [64] : tensor<64xi32>
  %x18 = arith.addi %x16, %x17 : tensor<64xi32>
  %x19 = tile.expand_dims %x18, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x20 = tile.load %len[%x1] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %x21 = arith.constant 0 : index
  %x22 = tensor.extract %x20[%x21] : tensor<1xi32>
  %x23 = tile.num_tiles %k, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x24 = arith.constant 0xFF800000 : f32
  %x25 = tile.splat %x24 [64, 1] : f32 -> tensor<64x1xf32>
  %x26 = arith.constant 0.0 : f32
  %x27 = tile.splat %x26 [64, 1] : f32 -> tensor<64x1xf32>
  %x28 = arith.constant 0.0 : f32
  %x29 = tile.splat %x28 [64, 64] : f32 -> tensor<64x64xf32>
  %x34, %x35, %x36 = scf.for %x30 = %x4 to %x23 step %x5 iter_args(%x31 = %x25, %x32 = %x27, %x33 = %x29) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %x37 = tile.select %k[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x38 = tile.load %x37[%x30, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x39 = arith.constant 0.0 : f32
    %x40 = tile.splat %x39 [64, 64] : f32 -> tensor<64x64xf32>
    %x41 = tile.dot %x11, %x38, %x40 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x42 = arith.constant 0.125 : f32
    %x43 = tile.splat %x42 [64, 64] : f32 -> tensor<64x64xf32>
    %x44 = arith.mulf %x41, %x43 : tensor<64x64xf32>
    %x45 = arith.muli %x30, %x7 : index
    %x46 = arith.index_cast %x45 : index to i32
    %x47 = tile.splat %x46 [64] : i32 -> tensor<64xi32>
    %x48 = tile.iota [64] : tensor<64xi32>
    %x49 = arith.addi %x47, %x48 : tensor<64xi32>
    %x50 = tile.expand_dims %x49, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x51 = tile.splat %x22 [1, 64] : i32 -> tensor<1x64xi32>
    %x52 = arith.cmpi slt, %x50, %x51 : tensor<1x64xi32>
    %x53 = tile.broadcast %x52 [64, 64] : tensor<1x64xi1> -> tensor<64x64xi1>
    %x54 = arith.constant 0xFF800000 : f32
    %x55 = tile.splat %x54 [64, 64] : f32 -> tensor<64x64xf32>
    %x56 = arith.select %x53, %x44, %x55 : tensor<64x64xi1>, tensor<64x64xf32>
    %x57 = tile.select %v[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
    %x58 = tile.load %x57[%x30, %x4] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x59 = tile.reduce max %x56 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x60 = arith.maximumf %x31, %x59 : tensor<64x1xf32>
    %x61 = tile.broadcast %x60 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x62 = arith.subf %x56, %x61 : tensor<64x64xf32>
    %x63 = math.exp %x62 : tensor<64x64xf32>
    %x64 = arith.subf %x31, %x60 : tensor<64x1xf32>
    %x65 = math.exp %x64 : tensor<64x1xf32>
    %x66 = tile.reduce add %x63 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %x67 = arith.mulf %x32, %x65 : tensor<64x1xf32>
    %x68 = arith.addf %x67, %x66 : tensor<64x1xf32>
    %x69 = tile.cast %x63 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x70 = tile.broadcast %x65 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x71 = arith.mulf %x33, %x70 : tensor<64x64xf32>
    %x72 = tile.dot %x69, %x58, %x71 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x60, %x68, %x72 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %x73 = tile.broadcast %x35 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %x74 = arith.divf %x36, %x73 : tensor<64x64xf32>
  %x75 = tile.cast %x74 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x76 = tile.select %y[%x1, %x2] : !tile.view<?x?x?x?xbf16> -> !tile.view<?x?xbf16>
  tile.store %x75, %x76[%x3, %x4] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}
// Attention backward: gradients of keys and values of scores whose rows are queries, which the dots of the sums transpose.
// CASE @gradients_by_rows rounded K=512: 200x64xbf16=random:1 150x64xbf16=random:2 150x64xbf16=random:3 200x64xbf16=random:4 200xf32=random:5:1:2 -> 150x64xf32 150x64xf32
tile.kernel @gradients_by_rows(%q: !tile.view<?x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %g: !tile.view<?x64xbf16>, %l: !tile.view<?xf32>)
    outs(%dk: !tile.view<?x64xf32>, %dv: !tile.view<?x64xf32>) grid [ceildiv(dim(%k, 0), 64)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %kt = tile.load %k[%n, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %vt = tile.load %v[%n, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %c64 = arith.constant 64 : index
  %key = arith.muli %n, %c64 : index
  %ki = arith.index_cast %key : index to i32
  %ks = tile.splat %ki [64] : i32 -> tensor<64xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %columns = arith.addi %iota, %ks : tensor<64xi32>
  %steps = tile.num_tiles %q, 0 by [128] : !tile.view<?x64xbf16>
  %r:2 = scf.for %m = %c0 to %steps step %c1 iter_args(%ak = %zero, %av = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %qt = tile.load %q[%m, %c0] [128, 64] : !tile.view<?x64xbf16> -> tensor<128x64xbf16>
    %gt = tile.load %g[%m, %c0] [128, 64] : !tile.view<?x64xbf16> -> tensor<128x64xbf16>
    %lt = tile.load %l[%m] [128] : !tile.view<?xf32> -> tensor<128xf32>
    %lc = tile.expand_dims %lt, 1 : tensor<128xf32> -> tensor<128x1xf32>
    %s = tile.dot %qt, %kt, %none transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %lb = tile.broadcast %lc [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %d = arith.subf %s, %lb : tensor<128x64xf32>
    %e = math.exp %d : tensor<128x64xf32>
    %rows = tile.iota [128] : tensor<128xi32>
    %first = arith.muli %m, %c128 : index
    %fi = arith.index_cast %first : index to i32
    %fs = tile.splat %fi [128] : i32 -> tensor<128xi32>
    %row = arith.addi %rows, %fs : tensor<128xi32>
    %rc = tile.expand_dims %row, 1 : tensor<128xi32> -> tensor<128x1xi32>
    %rb = tile.broadcast %rc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
    %cb = tile.broadcast %columns [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sge, %rb, %cb : tensor<128x64xi32>
    %p = arith.select %seen, %e, %none : tensor<128x64xi1>, tensor<128x64xf32>
    %pc = tile.cast %p : tensor<128x64xf32> to tensor<128x64xbf16>
    %nv = tile.dot %pc, %gt, %av transpose_a : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %w = tile.dot %gt, %vt, %none transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %ds = arith.mulf %p, %w : tensor<128x64xf32>
    %dc = tile.cast %ds : tensor<128x64xf32> to tensor<128x64xbf16>
    %nk = tile.dot %dc, %qt, %ak transpose_a : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %nk, %nv : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.store %r#0, %dk[%n, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32>
  tile.store %r#1, %dv[%n, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32>
}
