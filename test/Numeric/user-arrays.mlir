// Gathers, scans, statistics and integers as users write them.
// TYPES: bf16

// CASE @philox rounded K=512: 10x700xbf16=random:1 -> 10x700xbf16
tile.kernel @philox(%x: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),4), ceildiv(dim(%y,1),512)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.dim %x, 1 : !tile.view<?x?xbf16>
  %x4 = arith.index_cast %x3 : index to i32
  %x5 = arith.constant 4 : index
  %x6 = arith.muli %x1, %x5 : index
  %x7 = tile.iota [4] : tensor<4xi32>
  %x8 = arith.index_cast %x6 : index to i32
  %x9 = tile.splat %x8 [4] : i32 -> tensor<4xi32>
  %x10 = arith.addi %x7, %x9 : tensor<4xi32>
  %x11 = tile.expand_dims %x10, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %x12 = tile.broadcast %x11 [4, 512] : tensor<4x1xi32> -> tensor<4x512xi32>
  %x13 = arith.constant 512 : index
  %x14 = arith.muli %x2, %x13 : index
  %x15 = tile.iota [512] : tensor<512xi32>
  %x16 = arith.index_cast %x14 : index to i32
  %x17 = tile.splat %x16 [512] : i32 -> tensor<512xi32>
  %x18 = arith.addi %x15, %x17 : tensor<512xi32>
  %x19 = tile.expand_dims %x18, 0 : tensor<512xi32> -> tensor<1x512xi32>
  %x20 = tile.broadcast %x19 [4, 512] : tensor<1x512xi32> -> tensor<4x512xi32>
  %x21 = tile.splat %x4 [4, 512] : i32 -> tensor<4x512xi32>
  %x22 = arith.muli %x12, %x21 : tensor<4x512xi32>
  %x23 = arith.addi %x22, %x20 : tensor<4x512xi32>
  %x24 = arith.constant dense<0> : tensor<4x512xi32>
  %x25 = arith.constant dense<-766435501> : tensor<4x512xi32>
  %x26, %x27 = arith.mului_extended %x23, %x25 : tensor<4x512xi32>
  %x28 = arith.constant dense<-845247145> : tensor<4x512xi32>
  %x29, %x30 = arith.mului_extended %x24, %x28 : tensor<4x512xi32>
  %x31 = arith.xori %x30, %x24 : tensor<4x512xi32>
  %x32 = arith.constant dense<1234> : tensor<4x512xi32>
  %x33 = arith.xori %x31, %x32 : tensor<4x512xi32>
  %x34 = arith.xori %x27, %x24 : tensor<4x512xi32>
  %x35 = arith.constant dense<5678> : tensor<4x512xi32>
  %x36 = arith.xori %x34, %x35 : tensor<4x512xi32>
  %x37 = arith.constant dense<-766435501> : tensor<4x512xi32>
  %x38, %x39 = arith.mului_extended %x33, %x37 : tensor<4x512xi32>
  %x40 = arith.constant dense<-845247145> : tensor<4x512xi32>
  %x41, %x42 = arith.mului_extended %x36, %x40 : tensor<4x512xi32>
  %x43 = arith.xori %x42, %x29 : tensor<4x512xi32>
  %x44 = arith.constant dense<-1640530293> : tensor<4x512xi32>
  %x45 = arith.xori %x43, %x44 : tensor<4x512xi32>
  %x46 = arith.xori %x39, %x26 : tensor<4x512xi32>
  %x47 = arith.constant dense<-1150827341> : tensor<4x512xi32>
  %x48 = arith.xori %x46, %x47 : tensor<4x512xi32>
  %x49 = arith.constant dense<-766435501> : tensor<4x512xi32>
  %x50, %x51 = arith.mului_extended %x45, %x49 : tensor<4x512xi32>
  %x52 = arith.constant dense<-845247145> : tensor<4x512xi32>
  %x53, %x54 = arith.mului_extended %x48, %x52 : tensor<4x512xi32>
  %x55 = arith.xori %x54, %x41 : tensor<4x512xi32>
  %x56 = arith.constant dense<1013905476> : tensor<4x512xi32>
  %x57 = arith.xori %x55, %x56 : tensor<4x512xi32>
  %x58 = arith.xori %x51, %x38 : tensor<4x512xi32>
  %x59 = arith.constant dense<1993306936> : tensor<4x512xi32>
  %x60 = arith.xori %x58, %x59 : tensor<4x512xi32>
  %x61 = arith.constant dense<-766435501> : tensor<4x512xi32>
  %x62, %x63 = arith.mului_extended %x57, %x61 : tensor<4x512xi32>
  %x64 = arith.constant dense<-845247145> : tensor<4x512xi32>
  %x65, %x66 = arith.mului_extended %x60, %x64 : tensor<4x512xi32>
  %x67 = arith.xori %x66, %x53 : tensor<4x512xi32>
  %x68 = arith.constant dense<-626626051> : tensor<4x512xi32>
  %x69 = arith.xori %x67, %x68 : tensor<4x512xi32>
  %x70 = arith.xori %x63, %x50 : tensor<4x512xi32>
  %x71 = arith.constant dense<842473917> : tensor<4x512xi32>
  %x72 = arith.xori %x70, %x71 : tensor<4x512xi32>
  %x73 = arith.constant dense<-766435501> : tensor<4x512xi32>
  %x74, %x75 = arith.mului_extended %x69, %x73 : tensor<4x512xi32>
  %x76 = arith.constant dense<-845247145> : tensor<4x512xi32>
  %x77, %x78 = arith.mului_extended %x72, %x76 : tensor<4x512xi32>
  %x79 = arith.xori %x78, %x65 : tensor<4x512xi32>
  %x80 = arith.constant dense<2027809718> : tensor<4x512xi32>
  %x81 = arith.xori %x79, %x80 : tensor<4x512xi32>
  %x82 = arith.xori %x75, %x62 : tensor<4x512xi32>
  %x83 = arith.constant dense<-308359102> : tensor<4x512xi32>
  %x84 = arith.xori %x82, %x83 : tensor<4x512xi32>
  %x85 = arith.constant dense<-766435501> : tensor<4x512xi32>
  %x86, %x87 = arith.mului_extended %x81, %x85 : tensor<4x512xi32>
  %x88 = arith.constant dense<-845247145> : tensor<4x512xi32>
  %x89, %x90 = arith.mului_extended %x84, %x88 : tensor<4x512xi32>
  %x91 = arith.xori %x90, %x77 : tensor<4x512xi32>
  %x92 = arith.constant dense<387278191> : tensor<4x512xi32>
  %x93 = arith.xori %x91, %x92 : tensor<4x512xi32>
  %x94 = arith.xori %x87, %x74 : tensor<4x512xi32>
  %x95 = arith.constant dense<-1459192121> : tensor<4x512xi32>
  %x96 = arith.xori %x94, %x95 : tensor<4x512xi32>
  %x97 = arith.constant dense<429496729> : tensor<4x512xi32>
  %x98 = arith.cmpi ugt, %x93, %x97 : tensor<4x512xi32>
  %x99 = tile.load %x[%x1, %x2] [4, 512] : !tile.view<?x?xbf16> -> tensor<4x512xbf16>
  %x100 = tile.cast %x99 : tensor<4x512xbf16> to tensor<4x512xf32>
  %x101 = arith.constant dense<1.1111> : tensor<4x512xf32>
  %x102 = arith.mulf %x100, %x101 : tensor<4x512xf32>
  %x103 = arith.constant dense<0.0> : tensor<4x512xf32>
  %x104 = arith.select %x98, %x102, %x103 : tensor<4x512xi1>, tensor<4x512xf32>
  %x105 = tile.cast %x104 : tensor<4x512xf32> to tensor<4x512xbf16>
  tile.store %x105, %y[%x1, %x2] : tensor<4x512xbf16>, !tile.view<?x?xbf16>
}

// CASE @paged rounded K=512: 3x64xbf16=random:1 8x64x64xbf16=random:2 8x64x64xbf16=random:3 3x4xi32=1,2,0,7,3,3,6,5,4,1,0,9 -> 3x64xbf16
tile.kernel @paged(%q: !tile.view<?x?xbf16>, %kc: !tile.view<?x?x?xbf16>, %vc: !tile.view<?x?x?xbf16>, %bt: !tile.view<?x?xi32>) outs(%y: !tile.view<?x?xbf16>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [1, 64] : !tile.view<?x?xbf16> -> tensor<1x64xbf16>
  %x4 = arith.constant dense<0.0> : tensor<1x1xf32>
  %x5 = arith.constant dense<-1.0e+30> : tensor<1x1xf32>
  %x6 = arith.constant dense<0.0> : tensor<1x64xf32>
  %x7 = tile.num_tiles %bt, 1 by [1] : !tile.view<?x?xi32>
  %x8 = arith.constant 0 : index
  %x9 = arith.constant 1 : index
  %x11, %x12, %x13 = scf.for %x10 = %x8 to %x7 step %x9 iter_args(%x14 = %x5, %x15 = %x4, %x16 = %x6) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x64xf32>) {
    %x17 = tile.load %bt[%x1, %x10] [1, 1] : !tile.view<?x?xi32> -> tensor<1x1xi32>
    %x19 = arith.constant 0 : index
    %x18 = tensor.extract %x17[%x19, %x19] : tensor<1x1xi32>
    %x20 = arith.index_cast %x18 : i32 to index
    %x21 = arith.constant 0 : index
    %x22 = arith.constant 0 : index
    %x23 = tile.load %kc[%x20, %x21, %x22] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x24 = tile.reshape %x23 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x25 = arith.constant 0 : index
    %x26 = arith.constant 0 : index
    %x27 = tile.load %vc[%x20, %x25, %x26] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
    %x28 = tile.reshape %x27 [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %x29 = arith.constant dense<0.0> : tensor<1x64xf32>
    %x30 = tile.dot %x3, %x24, %x29 transpose_b : tensor<1x64xbf16>, tensor<64x64xbf16>, tensor<1x64xf32> -> tensor<1x64xf32>
    %x31 = arith.constant dense<0.125> : tensor<1x64xf32>
    %x32 = arith.mulf %x30, %x31 : tensor<1x64xf32>
    %x33 = tile.reduce max %x32 axis 1 keepdims : tensor<1x64xf32> -> tensor<1x1xf32>
    %x34 = arith.maximumf %x14, %x33 : tensor<1x1xf32>
    %x35 = tile.broadcast %x34 [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
    %x36 = arith.subf %x32, %x35 : tensor<1x64xf32>
    %x37 = math.exp %x36 : tensor<1x64xf32>
    %x38 = arith.subf %x14, %x34 : tensor<1x1xf32>
    %x39 = math.exp %x38 : tensor<1x1xf32>
    %x40 = arith.mulf %x15, %x39 : tensor<1x1xf32>
    %x41 = tile.reduce add %x37 axis 1 keepdims : tensor<1x64xf32> -> tensor<1x1xf32>
    %x42 = arith.addf %x40, %x41 : tensor<1x1xf32>
    %x43 = tile.cast %x37 : tensor<1x64xf32> to tensor<1x64xbf16>
    %x44 = tile.broadcast %x39 [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
    %x45 = arith.mulf %x16, %x44 : tensor<1x64xf32>
    %x46 = tile.dot %x43, %x28, %x45 : tensor<1x64xbf16>, tensor<64x64xbf16>, tensor<1x64xf32> -> tensor<1x64xf32>
    scf.yield %x34, %x42, %x46 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x64xf32>
  }
  %x47 = tile.broadcast %x12 [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
  %x48 = arith.divf %x13, %x47 : tensor<1x64xf32>
  %x49 = tile.cast %x48 : tensor<1x64xf32> to tensor<1x64xbf16>
  %x50 = arith.constant 0 : index
  tile.store %x49, %y[%x1, %x50] : tensor<1x64xbf16>, !tile.view<?x?xbf16>
}

// CASE @topk rounded K=512: 20x128xf32=random:1 -> 20x4xf32 20x4xi32
tile.kernel @topk(%x: !tile.view<?x?xf32>) outs(%w: !tile.view<?x?xf32>, %id: !tile.view<?x?xi32>) grid [ceildiv(dim(%w,0),8)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %x[%x1, %x2] [8, 128] : !tile.view<?x?xf32> -> tensor<8x128xf32>
  %x4 = math.exp %x3 : tensor<8x128xf32>
  %x5 = tile.reduce add %x4 axis 1 keepdims : tensor<8x128xf32> -> tensor<8x1xf32>
  %x6 = tile.broadcast %x5 [8, 128] : tensor<8x1xf32> -> tensor<8x128xf32>
  %x7 = arith.divf %x4, %x6 : tensor<8x128xf32>
  %x8 = tile.iota [128] : tensor<128xi32>
  %x9 = tile.expand_dims %x8, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %x10 = tile.broadcast %x9 [8, 128] : tensor<1x128xi32> -> tensor<8x128xi32>
  %x11 = tile.reduce max %x7 axis 1 keepdims : tensor<8x128xf32> -> tensor<8x1xf32>
  %x12 = arith.constant dense<1000> : tensor<8x128xi32>
  %x13 = tile.broadcast %x11 [8, 128] : tensor<8x1xf32> -> tensor<8x128xf32>
  %x14 = arith.cmpf oge, %x7, %x13 : tensor<8x128xf32>
  %x15 = arith.select %x14, %x10, %x12 : tensor<8x128xi1>, tensor<8x128xi32>
  %x16 = tile.reduce min %x15 axis 1 keepdims : tensor<8x128xi32> -> tensor<8x1xi32>
  %x17 = arith.constant 0 : index
  tile.store %x11, %w[%x1, %x17] : tensor<8x1xf32>, !tile.view<?x?xf32>
  %x18 = arith.constant 0 : index
  tile.store %x16, %id[%x1, %x18] : tensor<8x1xi32>, !tile.view<?x?xi32>
  %x19 = tile.broadcast %x16 [8, 128] : tensor<8x1xi32> -> tensor<8x128xi32>
  %x20 = arith.cmpi eq, %x10, %x19 : tensor<8x128xi32>
  %x21 = arith.constant dense<-1.0> : tensor<8x128xf32>
  %x22 = arith.select %x20, %x21, %x7 : tensor<8x128xi1>, tensor<8x128xf32>
  %x23 = tile.reduce max %x22 axis 1 keepdims : tensor<8x128xf32> -> tensor<8x1xf32>
  %x24 = arith.constant dense<1000> : tensor<8x128xi32>
  %x25 = tile.broadcast %x23 [8, 128] : tensor<8x1xf32> -> tensor<8x128xf32>
  %x26 = arith.cmpf oge, %x22, %x25 : tensor<8x128xf32>
  %x27 = arith.select %x26, %x10, %x24 : tensor<8x128xi1>, tensor<8x128xi32>
  %x28 = tile.reduce min %x27 axis 1 keepdims : tensor<8x128xi32> -> tensor<8x1xi32>
  %x29 = arith.constant 1 : index
  tile.store %x23, %w[%x1, %x29] : tensor<8x1xf32>, !tile.view<?x?xf32>
  %x30 = arith.constant 1 : index
  tile.store %x28, %id[%x1, %x30] : tensor<8x1xi32>, !tile.view<?x?xi32>
  %x31 = tile.broadcast %x28 [8, 128] : tensor<8x1xi32> -> tensor<8x128xi32>
  %x32 = arith.cmpi eq, %x10, %x31 : tensor<8x128xi32>
  %x33 = arith.constant dense<-1.0> : tensor<8x128xf32>
  %x34 = arith.select %x32, %x33, %x22 : tensor<8x128xi1>, tensor<8x128xf32>
  %x35 = tile.reduce max %x34 axis 1 keepdims : tensor<8x128xf32> -> tensor<8x1xf32>
  %x36 = arith.constant dense<1000> : tensor<8x128xi32>
  %x37 = tile.broadcast %x35 [8, 128] : tensor<8x1xf32> -> tensor<8x128xf32>
  %x38 = arith.cmpf oge, %x34, %x37 : tensor<8x128xf32>
  %x39 = arith.select %x38, %x10, %x36 : tensor<8x128xi1>, tensor<8x128xi32>
  %x40 = tile.reduce min %x39 axis 1 keepdims : tensor<8x128xi32> -> tensor<8x1xi32>
  %x41 = arith.constant 2 : index
  tile.store %x35, %w[%x1, %x41] : tensor<8x1xf32>, !tile.view<?x?xf32>
  %x42 = arith.constant 2 : index
  tile.store %x40, %id[%x1, %x42] : tensor<8x1xi32>, !tile.view<?x?xi32>
  %x43 = tile.broadcast %x40 [8, 128] : tensor<8x1xi32> -> tensor<8x128xi32>
  %x44 = arith.cmpi eq, %x10, %x43 : tensor<8x128xi32>
  %x45 = arith.constant dense<-1.0> : tensor<8x128xf32>
  %x46 = arith.select %x44, %x45, %x34 : tensor<8x128xi1>, tensor<8x128xf32>
  %x47 = tile.reduce max %x46 axis 1 keepdims : tensor<8x128xf32> -> tensor<8x1xf32>
  %x48 = arith.constant dense<1000> : tensor<8x128xi32>
  %x49 = tile.broadcast %x47 [8, 128] : tensor<8x1xf32> -> tensor<8x128xf32>
  %x50 = arith.cmpf oge, %x46, %x49 : tensor<8x128xf32>
  %x51 = arith.select %x50, %x10, %x48 : tensor<8x128xi1>, tensor<8x128xi32>
  %x52 = tile.reduce min %x51 axis 1 keepdims : tensor<8x128xi32> -> tensor<8x1xi32>
  %x53 = arith.constant 3 : index
  tile.store %x47, %w[%x1, %x53] : tensor<8x1xf32>, !tile.view<?x?xf32>
  %x54 = arith.constant 3 : index
  tile.store %x52, %id[%x1, %x54] : tensor<8x1xi32>, !tile.view<?x?xi32>
  %x55 = tile.broadcast %x52 [8, 128] : tensor<8x1xi32> -> tensor<8x128xi32>
  %x56 = arith.cmpi eq, %x10, %x55 : tensor<8x128xi32>
  %x57 = arith.constant dense<-1.0> : tensor<8x128xf32>
  %x58 = arith.select %x56, %x57, %x46 : tensor<8x128xi1>, tensor<8x128xf32>
}

// CASE @maxpool rounded K=512: 66x130xbf16=random:1 -> 33x65xbf16
tile.kernel @maxpool(%x: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),16), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.load %x[%x1, %x2] [32, 128] : !tile.view<?x?xbf16> -> tensor<32x128xbf16>
  %x4 = tile.reshape %x3 [16, 2, 64, 2] : tensor<32x128xbf16> -> tensor<16x2x64x2xbf16>
  %x5 = tile.cast %x4 : tensor<16x2x64x2xbf16> to tensor<16x2x64x2xf32>
  %x6 = tile.reduce max %x5 axis 3 keepdims : tensor<16x2x64x2xf32> -> tensor<16x2x64x1xf32>
  %x7 = tile.reduce max %x6 axis 1 keepdims : tensor<16x2x64x1xf32> -> tensor<16x1x64x1xf32>
  %x8 = tile.reshape %x7 [16, 64] : tensor<16x1x64x1xf32> -> tensor<16x64xf32>
  %x9 = tile.cast %x8 : tensor<16x64xf32> to tensor<16x64xbf16>
  tile.store %x9, %y[%x1, %x2] : tensor<16x64xbf16>, !tile.view<?x?xbf16>
}

// CASE @kl rounded K=512: 5x700xbf16=random:1 5x700xbf16=random:2 -> 5xf32
tile.kernel @kl(%a: !tile.view<?x?xbf16>, %b: !tile.view<?x?xbf16>) outs(%y: !tile.view<?xf32>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.num_tiles %a, 1 by [1024] : !tile.view<?x?xbf16>
  %x3 = arith.constant dense<0.0> : tensor<1x1xf32>
  %x4 = arith.constant dense<-1.0e+30> : tensor<1x1xf32>
  %x5 = tile.dim %a, 1 : !tile.view<?x?xbf16>
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.splat %x6 [1, 1024] : i32 -> tensor<1x1024xi32>
  %x8 = arith.constant 0 : index
  %x9 = arith.constant 1 : index
  %x11, %x12 = scf.for %x10 = %x8 to %x2 step %x9 iter_args(%x13 = %x4, %x14 = %x3) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %x15 = arith.constant 1024 : index
    %x16 = arith.muli %x10, %x15 : index
    %x17 = tile.iota [1024] : tensor<1024xi32>
    %x18 = arith.index_cast %x16 : index to i32
    %x19 = tile.splat %x18 [1024] : i32 -> tensor<1024xi32>
    %x20 = arith.addi %x17, %x19 : tensor<1024xi32>
    %x21 = tile.expand_dims %x20, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %x22 = arith.cmpi slt, %x21, %x7 : tensor<1x1024xi32>
    %x23 = tile.load %a[%x1, %x10] [1, 1024] : !tile.view<?x?xbf16> -> tensor<1x1024xbf16>
    %x24 = tile.cast %x23 : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %x25 = arith.constant dense<0xFF800000> : tensor<1x1024xf32>
    %x26 = arith.select %x22, %x24, %x25 : tensor<1x1024xi1>, tensor<1x1024xf32>
    %x27 = tile.reduce max %x26 axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %x28 = arith.maximumf %x13, %x27 : tensor<1x1xf32>
    %x29 = arith.subf %x13, %x28 : tensor<1x1xf32>
    %x30 = math.exp %x29 : tensor<1x1xf32>
    %x31 = arith.mulf %x14, %x30 : tensor<1x1xf32>
    %x32 = tile.broadcast %x28 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %x33 = arith.subf %x26, %x32 : tensor<1x1024xf32>
    %x34 = math.exp %x33 : tensor<1x1024xf32>
    %x35 = tile.reduce add %x34 axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %x36 = arith.addf %x31, %x35 : tensor<1x1xf32>
    scf.yield %x28, %x36 : tensor<1x1xf32>, tensor<1x1xf32>
  }
  %x37 = math.log %x12 : tensor<1x1xf32>
  %x38 = arith.addf %x11, %x37 : tensor<1x1xf32>
  %x39 = arith.constant 0 : index
  %x40 = arith.constant 1 : index
  %x42, %x43 = scf.for %x41 = %x39 to %x2 step %x40 iter_args(%x44 = %x4, %x45 = %x3) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %x46 = arith.constant 1024 : index
    %x47 = arith.muli %x41, %x46 : index
    %x48 = tile.iota [1024] : tensor<1024xi32>
    %x49 = arith.index_cast %x47 : index to i32
    %x50 = tile.splat %x49 [1024] : i32 -> tensor<1024xi32>
    %x51 = arith.addi %x48, %x50 : tensor<1024xi32>
    %x52 = tile.expand_dims %x51, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %x53 = arith.cmpi slt, %x52, %x7 : tensor<1x1024xi32>
    %x54 = tile.load %b[%x1, %x41] [1, 1024] : !tile.view<?x?xbf16> -> tensor<1x1024xbf16>
    %x55 = tile.cast %x54 : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %x56 = arith.constant dense<0xFF800000> : tensor<1x1024xf32>
    %x57 = arith.select %x53, %x55, %x56 : tensor<1x1024xi1>, tensor<1x1024xf32>
    %x58 = tile.reduce max %x57 axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %x59 = arith.maximumf %x44, %x58 : tensor<1x1xf32>
    %x60 = arith.subf %x44, %x59 : tensor<1x1xf32>
    %x61 = math.exp %x60 : tensor<1x1xf32>
    %x62 = arith.mulf %x45, %x61 : tensor<1x1xf32>
    %x63 = tile.broadcast %x59 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %x64 = arith.subf %x57, %x63 : tensor<1x1024xf32>
    %x65 = math.exp %x64 : tensor<1x1024xf32>
    %x66 = tile.reduce add %x65 axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %x67 = arith.addf %x62, %x66 : tensor<1x1xf32>
    scf.yield %x59, %x67 : tensor<1x1xf32>, tensor<1x1xf32>
  }
  %x68 = math.log %x43 : tensor<1x1xf32>
  %x69 = arith.addf %x42, %x68 : tensor<1x1xf32>
  %x70 = arith.constant 0 : index
  %x71 = arith.constant 1 : index
  %x73 = scf.for %x72 = %x70 to %x2 step %x71 iter_args(%x74 = %x3) -> (tensor<1x1xf32>) {
    %x75 = arith.constant 1024 : index
    %x76 = arith.muli %x72, %x75 : index
    %x77 = tile.iota [1024] : tensor<1024xi32>
    %x78 = arith.index_cast %x76 : index to i32
    %x79 = tile.splat %x78 [1024] : i32 -> tensor<1024xi32>
    %x80 = arith.addi %x77, %x79 : tensor<1024xi32>
    %x81 = tile.expand_dims %x80, 0 : tensor<1024xi32> -> tensor<1x1024xi32>
    %x82 = arith.cmpi slt, %x81, %x7 : tensor<1x1024xi32>
    %x83 = tile.load %a[%x1, %x72] [1, 1024] : !tile.view<?x?xbf16> -> tensor<1x1024xbf16>
    %x84 = tile.cast %x83 : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %x85 = tile.broadcast %x38 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %x86 = arith.subf %x84, %x85 : tensor<1x1024xf32>
    %x87 = tile.load %b[%x1, %x72] [1, 1024] : !tile.view<?x?xbf16> -> tensor<1x1024xbf16>
    %x88 = tile.cast %x87 : tensor<1x1024xbf16> to tensor<1x1024xf32>
    %x89 = tile.broadcast %x69 [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
    %x90 = arith.subf %x88, %x89 : tensor<1x1024xf32>
    %x91 = math.exp %x86 : tensor<1x1024xf32>
    %x92 = arith.subf %x86, %x90 : tensor<1x1024xf32>
    %x93 = arith.mulf %x91, %x92 : tensor<1x1024xf32>
    %x94 = arith.constant dense<0.0> : tensor<1x1024xf32>
    %x95 = arith.select %x82, %x93, %x94 : tensor<1x1024xi1>, tensor<1x1024xf32>
    %x96 = tile.reduce add %x95 axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
    %x97 = arith.addf %x74, %x96 : tensor<1x1xf32>
    scf.yield %x97 : tensor<1x1xf32>
  }
  %x98 = tile.reshape %x73 [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %x98, %y[%x1] : tensor<1xf32>, !tile.view<?xf32>
}

// CASE @softmax_bwd rounded K=512: 5x1500xbf16=random:1 5x1500xbf16=random:2 -> 5x1500xbf16
tile.kernel @softmax_bwd(%p: !tile.view<?x?xbf16>, %g: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %p[%x1, %x2] [1, 2048] : !tile.view<?x?xbf16> -> tensor<1x2048xbf16>
  %x4 = tile.cast %x3 : tensor<1x2048xbf16> to tensor<1x2048xf32>
  %x5 = arith.constant 0 : index
  %x6 = tile.load %g[%x1, %x5] [1, 2048] : !tile.view<?x?xbf16> -> tensor<1x2048xbf16>
  %x7 = tile.cast %x6 : tensor<1x2048xbf16> to tensor<1x2048xf32>
  %x8 = arith.mulf %x4, %x7 : tensor<1x2048xf32>
  %x9 = tile.reduce add %x8 axis 1 keepdims : tensor<1x2048xf32> -> tensor<1x1xf32>
  %x10 = tile.broadcast %x9 [1, 2048] : tensor<1x1xf32> -> tensor<1x2048xf32>
  %x11 = arith.subf %x7, %x10 : tensor<1x2048xf32>
  %x12 = arith.mulf %x4, %x11 : tensor<1x2048xf32>
  %x13 = tile.cast %x12 : tensor<1x2048xf32> to tensor<1x2048xbf16>
  %x14 = arith.constant 0 : index
  tile.store %x13, %y[%x1, %x14] : tensor<1x2048xbf16>, !tile.view<?x?xbf16>
}

// CASE @rms_bwd rounded K=512: 130x300xbf16=random:1 300xf32=random:2 130x300xbf16=random:3 -> 130x300xbf16 3x300xf32
tile.kernel @rms_bwd(%x: !tile.view<?x?xbf16>, %g: !tile.view<?xf32>, %dy: !tile.view<?x?xbf16>) outs(%dx: !tile.view<?x?xbf16>, %dg: !tile.view<?x?xf32>) grid [ceildiv(dim(%dx,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %g[%x2] [4096] : !tile.view<?xf32> -> tensor<4096xf32>
  %x4 = tile.reshape %x3 [1, 4096] : tensor<4096xf32> -> tensor<1x4096xf32>
  %x5 = arith.constant dense<0.0> : tensor<1x4096xf32>
  %x7 = tile.dim %x, 1 : !tile.view<?x?xbf16>
  %x8 = arith.index_cast %x7 : index to i32
  %x6 = arith.sitofp %x8 : i32 to f32
  %x9 = tile.splat %x6 [1, 1] : f32 -> tensor<1x1xf32>
  %x10 = arith.constant 64 : index
  %x11 = arith.muli %x1, %x10 : index
  %x12 = arith.constant 0 : index
  %x13 = arith.constant 64 : index
  %x14 = arith.constant 1 : index
  %x16 = scf.for %x15 = %x12 to %x13 step %x14 iter_args(%x17 = %x5) -> (tensor<1x4096xf32>) {
    %x18 = arith.addi %x11, %x15 : index
    %x19 = arith.constant 0 : index
    %x20 = tile.load %x[%x18, %x19] [1, 4096] : !tile.view<?x?xbf16> -> tensor<1x4096xbf16>
    %x21 = tile.cast %x20 : tensor<1x4096xbf16> to tensor<1x4096xf32>
    %x22 = arith.constant 0 : index
    %x23 = tile.load %dy[%x18, %x22] [1, 4096] : !tile.view<?x?xbf16> -> tensor<1x4096xbf16>
    %x24 = tile.cast %x23 : tensor<1x4096xbf16> to tensor<1x4096xf32>
    %x25 = arith.mulf %x21, %x21 : tensor<1x4096xf32>
    %x26 = tile.reduce add %x25 axis 1 keepdims : tensor<1x4096xf32> -> tensor<1x1xf32>
    %x27 = arith.divf %x26, %x9 : tensor<1x1xf32>
    %x28 = arith.constant dense<1.0e-06> : tensor<1x1xf32>
    %x29 = arith.addf %x27, %x28 : tensor<1x1xf32>
    %x30 = math.rsqrt %x29 : tensor<1x1xf32>
    %x31 = tile.broadcast %x30 [1, 4096] : tensor<1x1xf32> -> tensor<1x4096xf32>
    %x32 = arith.mulf %x21, %x31 : tensor<1x4096xf32>
    %x33 = arith.mulf %x24, %x4 : tensor<1x4096xf32>
    %x34 = arith.mulf %x32, %x33 : tensor<1x4096xf32>
    %x35 = tile.reduce add %x34 axis 1 keepdims : tensor<1x4096xf32> -> tensor<1x1xf32>
    %x36 = arith.divf %x35, %x9 : tensor<1x1xf32>
    %x37 = tile.broadcast %x36 [1, 4096] : tensor<1x1xf32> -> tensor<1x4096xf32>
    %x38 = arith.mulf %x32, %x37 : tensor<1x4096xf32>
    %x39 = arith.subf %x33, %x38 : tensor<1x4096xf32>
    %x40 = tile.broadcast %x30 [1, 4096] : tensor<1x1xf32> -> tensor<1x4096xf32>
    %x41 = arith.mulf %x39, %x40 : tensor<1x4096xf32>
    %x42 = tile.cast %x41 : tensor<1x4096xf32> to tensor<1x4096xbf16>
    %x43 = arith.constant 0 : index
    tile.store %x42, %dx[%x18, %x43] : tensor<1x4096xbf16>, !tile.view<?x?xbf16>
    %x44 = arith.mulf %x24, %x32 : tensor<1x4096xf32>
    %x45 = arith.addf %x17, %x44 : tensor<1x4096xf32>
    scf.yield %x45 : tensor<1x4096xf32>
  }
  %x46 = arith.constant 0 : index
  tile.store %x16, %dg[%x1, %x46] : tensor<1x4096xf32>, !tile.view<?x?xf32>
}

// CASE @dwconv rounded K=512: 150x100xbf16=random:1 4x100xf32=random:2 -> 150x100xbf16
tile.kernel @dwconv(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),64), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x4 = arith.constant 64 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = tile.iota [64] : tensor<64xi32>
  %x7 = arith.index_cast %x5 : index to i32
  %x8 = tile.splat %x7 [64] : i32 -> tensor<64xi32>
  %x9 = arith.addi %x6, %x8 : tensor<64xi32>
  %x10 = arith.constant dense<0> : tensor<64xi32>
  %x11 = arith.subi %x9, %x10 : tensor<64xi32>
  %x12 = tile.gather %x[%x2] at %x11 axis 0 [64, 64] : !tile.view<?x?xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
  %x13 = tile.cast %x12 : tensor<64x64xbf16> to tensor<64x64xf32>
  %x14 = tile.expand_dims %x11, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x15 = arith.constant dense<0> : tensor<64x1xi32>
  %x16 = arith.cmpi sge, %x14, %x15 : tensor<64x1xi32>
  %x17 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x18 = tile.broadcast %x16 [64, 64] : tensor<64x1xi1> -> tensor<64x64xi1>
  %x19 = arith.select %x18, %x13, %x17 : tensor<64x64xi1>, tensor<64x64xf32>
  %x20 = arith.constant 0 : index
  %x21 = tile.load %w[%x20, %x2] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
  %x22 = tile.broadcast %x21 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %x23 = arith.mulf %x19, %x22 : tensor<64x64xf32>
  %x24 = arith.addf %x3, %x23 : tensor<64x64xf32>
  %x25 = arith.constant dense<1> : tensor<64xi32>
  %x26 = arith.subi %x9, %x25 : tensor<64xi32>
  %x27 = tile.gather %x[%x2] at %x26 axis 0 [64, 64] : !tile.view<?x?xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
  %x28 = tile.cast %x27 : tensor<64x64xbf16> to tensor<64x64xf32>
  %x29 = tile.expand_dims %x26, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x30 = arith.constant dense<0> : tensor<64x1xi32>
  %x31 = arith.cmpi sge, %x29, %x30 : tensor<64x1xi32>
  %x32 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x33 = tile.broadcast %x31 [64, 64] : tensor<64x1xi1> -> tensor<64x64xi1>
  %x34 = arith.select %x33, %x28, %x32 : tensor<64x64xi1>, tensor<64x64xf32>
  %x35 = arith.constant 1 : index
  %x36 = tile.load %w[%x35, %x2] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
  %x37 = tile.broadcast %x36 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %x38 = arith.mulf %x34, %x37 : tensor<64x64xf32>
  %x39 = arith.addf %x24, %x38 : tensor<64x64xf32>
  %x40 = arith.constant dense<2> : tensor<64xi32>
  %x41 = arith.subi %x9, %x40 : tensor<64xi32>
  %x42 = tile.gather %x[%x2] at %x41 axis 0 [64, 64] : !tile.view<?x?xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
  %x43 = tile.cast %x42 : tensor<64x64xbf16> to tensor<64x64xf32>
  %x44 = tile.expand_dims %x41, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x45 = arith.constant dense<0> : tensor<64x1xi32>
  %x46 = arith.cmpi sge, %x44, %x45 : tensor<64x1xi32>
  %x47 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x48 = tile.broadcast %x46 [64, 64] : tensor<64x1xi1> -> tensor<64x64xi1>
  %x49 = arith.select %x48, %x43, %x47 : tensor<64x64xi1>, tensor<64x64xf32>
  %x50 = arith.constant 2 : index
  %x51 = tile.load %w[%x50, %x2] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
  %x52 = tile.broadcast %x51 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %x53 = arith.mulf %x49, %x52 : tensor<64x64xf32>
  %x54 = arith.addf %x39, %x53 : tensor<64x64xf32>
  %x55 = arith.constant dense<3> : tensor<64xi32>
  %x56 = arith.subi %x9, %x55 : tensor<64xi32>
  %x57 = tile.gather %x[%x2] at %x56 axis 0 [64, 64] : !tile.view<?x?xbf16>, tensor<64xi32> -> tensor<64x64xbf16>
  %x58 = tile.cast %x57 : tensor<64x64xbf16> to tensor<64x64xf32>
  %x59 = tile.expand_dims %x56, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %x60 = arith.constant dense<0> : tensor<64x1xi32>
  %x61 = arith.cmpi sge, %x59, %x60 : tensor<64x1xi32>
  %x62 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x63 = tile.broadcast %x61 [64, 64] : tensor<64x1xi1> -> tensor<64x64xi1>
  %x64 = arith.select %x63, %x58, %x62 : tensor<64x64xi1>, tensor<64x64xf32>
  %x65 = arith.constant 3 : index
  %x66 = tile.load %w[%x65, %x2] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
  %x67 = tile.broadcast %x66 [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %x68 = arith.mulf %x64, %x67 : tensor<64x64xf32>
  %x69 = arith.addf %x54, %x68 : tensor<64x64xf32>
  %x70 = arith.constant dense<-1.0> : tensor<64x64xf32>
  %x71 = arith.mulf %x69, %x70 : tensor<64x64xf32>
  %x72 = math.exp %x71 : tensor<64x64xf32>
  %x73 = arith.constant dense<1.0> : tensor<64x64xf32>
  %x74 = arith.addf %x72, %x73 : tensor<64x64xf32>
  %x75 = arith.divf %x69, %x74 : tensor<64x64xf32>
  %x76 = tile.cast %x75 : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %x76, %y[%x1, %x2] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}

// CASE @w4 rounded K=512: 100x128xbf16=random:1 72x64xi8=random:2 72x2xf32=random:3 -> 100x72xbf16
tile.kernel @w4(%x: !tile.view<?x?xbf16>, %w: !tile.view<?x?xi8>, %s: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),64), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x4 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?xbf16>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x9 = %x3) -> (tensor<64x64xf32>) {
    %x10 = tile.load %w[%x2, %x7] [64, 32] : !tile.view<?x?xi8> -> tensor<64x32xi8>
    %x11 = arith.extsi %x10 : tensor<64x32xi8> to tensor<64x32xi32>
    %x12 = arith.constant dense<15> : tensor<64x32xi32>
    %x13 = arith.andi %x11, %x12 : tensor<64x32xi32>
    %x14 = arith.constant dense<8> : tensor<64x32xi32>
    %x15 = arith.subi %x13, %x14 : tensor<64x32xi32>
    %x16 = arith.constant dense<4> : tensor<64x32xi32>
    %x17 = arith.shrui %x11, %x16 : tensor<64x32xi32>
    %x18 = arith.constant dense<15> : tensor<64x32xi32>
    %x19 = arith.andi %x17, %x18 : tensor<64x32xi32>
    %x20 = arith.constant dense<8> : tensor<64x32xi32>
    %x21 = arith.subi %x19, %x20 : tensor<64x32xi32>
    %x22 = tile.reshape %x15 [64, 32, 1] : tensor<64x32xi32> -> tensor<64x32x1xi32>
    %x23 = tile.reshape %x21 [64, 32, 1] : tensor<64x32xi32> -> tensor<64x32x1xi32>
    %x24 = tile.cat %x22, %x23 axis 2 : tensor<64x32x1xi32>, tensor<64x32x1xi32> -> tensor<64x32x2xi32>
    %x25 = tile.reshape %x24 [64, 64] : tensor<64x32x2xi32> -> tensor<64x64xi32>
    %x26 = tile.load %s[%x2, %x7] [64, 1] : !tile.view<?x?xf32> -> tensor<64x1xf32>
    %x27 = tile.load %x[%x1, %x7] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x28 = arith.sitofp %x25 : tensor<64x64xi32> to tensor<64x64xf32>
    %x29 = tile.broadcast %x26 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %x30 = arith.mulf %x28, %x29 : tensor<64x64xf32>
    %x31 = tile.cast %x30 : tensor<64x64xf32> to tensor<64x64xbf16>
    %x32 = tile.dot %x27, %x31, %x9 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x32 : tensor<64x64xf32>
  }
  %x33 = tile.cast %x8 : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %x33, %y[%x1, %x2] : tensor<64x64xbf16>, !tile.view<?x?xbf16>
}

// CASE @cdist1 rounded K=512: 50x64xf32=random:1 40x64xf32=random:2 -> 50x40xf32
tile.kernel @cdist1(%x: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y,0),32), ceildiv(dim(%y,1),32)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<32x32xf32>
  %x4 = tile.num_tiles %x, 1 by [8] : !tile.view<?x?xf32>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x9 = %x3) -> (tensor<32x32xf32>) {
    %x10 = tile.load %x[%x1, %x7] [32, 8] : !tile.view<?x?xf32> -> tensor<32x8xf32>
    %x11 = tile.reshape %x10 [32, 1, 8] : tensor<32x8xf32> -> tensor<32x1x8xf32>
    %x12 = tile.load %c[%x2, %x7] [32, 8] : !tile.view<?x?xf32> -> tensor<32x8xf32>
    %x13 = tile.reshape %x12 [1, 32, 8] : tensor<32x8xf32> -> tensor<1x32x8xf32>
    %x14 = tile.broadcast %x11 [32, 32, 8] : tensor<32x1x8xf32> -> tensor<32x32x8xf32>
    %x15 = tile.broadcast %x13 [32, 32, 8] : tensor<1x32x8xf32> -> tensor<32x32x8xf32>
    %x16 = arith.subf %x14, %x15 : tensor<32x32x8xf32>
    %x17 = math.absf %x16 : tensor<32x32x8xf32>
    %x18 = tile.reduce add %x17 axis 2 keepdims : tensor<32x32x8xf32> -> tensor<32x32x1xf32>
    %x19 = tile.reshape %x18 [32, 32] : tensor<32x32x1xf32> -> tensor<32x32xf32>
    %x20 = arith.addf %x9, %x19 : tensor<32x32xf32>
    scf.yield %x20 : tensor<32x32xf32>
  }
  tile.store %x8, %y[%x1, %x2] : tensor<32x32xf32>, !tile.view<?x?xf32>
}

// CASE @bag rounded K=512: 20x300xbf16=random:1 3x32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,0,1,2,3,4,5,6,7,8,9,10,11,12,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,0,1,2,3,4,5,6,7,8,9,10,11,12,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,0,1,2,3,4,5,6,7,8,9,10,11,12 -> 3x300xbf16
tile.kernel @bag(%t: !tile.view<?x?xbf16>, %id: !tile.view<?x?xi32>) outs(%y: !tile.view<?x?xbf16>) grid [dim(%y,0), ceildiv(dim(%y,1),256)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant 0 : index
  %x4 = tile.load %id[%x1, %x3] [1, 32] : !tile.view<?x?xi32> -> tensor<1x32xi32>
  %x5 = tile.reshape %x4 [32] : tensor<1x32xi32> -> tensor<32xi32>
  %x6 = tile.gather %t[%x2] at %x5 axis 0 [32, 256] : !tile.view<?x?xbf16>, tensor<32xi32> -> tensor<32x256xbf16>
  %x7 = tile.cast %x6 : tensor<32x256xbf16> to tensor<32x256xf32>
  %x8 = tile.reduce add %x7 axis 0 keepdims : tensor<32x256xf32> -> tensor<1x256xf32>
  %x9 = arith.constant dense<0.03125> : tensor<1x256xf32>
  %x10 = arith.mulf %x8, %x9 : tensor<1x256xf32>
  %x11 = tile.cast %x10 : tensor<1x256xf32> to tensor<1x256xbf16>
  tile.store %x11, %y[%x1, %x2] : tensor<1x256xbf16>, !tile.view<?x?xbf16>
}

// CASE @ema rounded K=512: 3x1100xf32=random:1 -> 3x1100xf32
tile.kernel @ema(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<1x1xf32>
  %x3 = tile.num_tiles %x, 1 by [512] : !tile.view<?x?xf32>
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x7 = scf.for %x6 = %x4 to %x3 step %x5 iter_args(%x8 = %x2) -> (tensor<1x1xf32>) {
    %x9 = tile.load %x[%x1, %x6] [1, 512] : !tile.view<?x?xf32> -> tensor<1x512xf32>
    %x10 = arith.constant dense<0.1> : tensor<1x512xf32>
    %x11 = arith.mulf %x9, %x10 : tensor<1x512xf32>
    %x12 = arith.constant dense<0.9> : tensor<1x512xf32>
    %x13, %x14 = tile.scan %x12, %x11 axis 1 identities [1.0 : f32, 0.0 : f32] {
    ^bb0(%g0: f32, %v0: f32, %g1: f32, %v1: f32):
      %p = arith.mulf %g0, %g1 : f32
      %q = arith.mulf %v0, %g1 : f32
      %r = arith.addf %q, %v1 : f32
      tile.yield %p, %r : f32, f32
    } : tensor<1x512xf32>, tensor<1x512xf32>
    %x15 = tile.broadcast %x8 [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %x16 = arith.mulf %x13, %x15 : tensor<1x512xf32>
    %x17 = arith.addf %x14, %x16 : tensor<1x512xf32>
    tile.store %x17, %y[%x1, %x6] : tensor<1x512xf32>, !tile.view<?x?xf32>
    %x18 = arith.constant 0 : index
    %x19 = arith.constant 511 : index
    %x20 = tile.extract %x17[%x18, %x19] [1, 1] : tensor<1x512xf32> -> tensor<1x1xf32>
    scf.yield %x20 : tensor<1x1xf32>
  }
}

// CASE @permute4 rounded K=512: 2x70x3x64xbf16=random:1 -> 2x3x70x64xbf16
tile.kernel @permute4(%x: !tile.view<?x?x?x?xbf16>) outs(%y: !tile.view<?x?x?x?xbf16>) grid [ceildiv(dim(%y,2),32), dim(%y,1), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = arith.constant 0 : index
  %x5 = tile.load %x[%x3, %x1, %x2, %x4] [1, 32, 1, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x32x1x64xbf16>
  %x6 = tile.permute %x5 [0, 2, 1, 3] : tensor<1x32x1x64xbf16> -> tensor<1x1x32x64xbf16>
  %x7 = tile.cast %x6 : tensor<1x1x32x64xbf16> to tensor<1x1x32x64xf32>
  %x8 = arith.constant dense<0.5> : tensor<1x1x32x64xf32>
  %x9 = arith.mulf %x7, %x8 : tensor<1x1x32x64xf32>
  %x10 = tile.cast %x9 : tensor<1x1x32x64xf32> to tensor<1x1x32x64xbf16>
  %x11 = arith.constant 0 : index
  tile.store %x10, %y[%x3, %x2, %x1, %x11] : tensor<1x1x32x64xbf16>, !tile.view<?x?x?x?xbf16>
}

// CASE @transpose3 rounded K=512: 2x70x100xbf16=random:1 -> 2x100x70xbf16
tile.kernel @transpose3(%x: !tile.view<?x?x?xbf16>) outs(%y: !tile.view<?x?x?xbf16>) grid [ceildiv(dim(%y,1),64), ceildiv(dim(%y,2),64), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = tile.load %x[%x3, %x2, %x1] [1, 64, 64] : !tile.view<?x?x?xbf16> -> tensor<1x64x64xbf16>
  %x5 = tile.permute %x4 [0, 2, 1] : tensor<1x64x64xbf16> -> tensor<1x64x64xbf16>
  tile.store %x5, %y[%x3, %x1, %x2] : tensor<1x64x64xbf16>, !tile.view<?x?x?xbf16>
}

// CASE @stencil rounded K=512: 50x4096xf32=random:1 -> 50x4096xf32
tile.kernel @stencil(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [ceildiv(dim(%y,0),8)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 8 : index
  %x3 = arith.muli %x1, %x2 : index
  %x4 = tile.iota [8] : tensor<8xi32>
  %x5 = arith.index_cast %x3 : index to i32
  %x6 = tile.splat %x5 [8] : i32 -> tensor<8xi32>
  %x7 = arith.addi %x4, %x6 : tensor<8xi32>
  %x8 = tile.iota [4096] : tensor<4096xi32>
  %x9 = arith.constant 0 : index
  %x10 = tile.load %x[%x1, %x9] [8, 4096] : !tile.view<?x?xf32> -> tensor<8x4096xf32>
  %x11 = arith.constant dense<1> : tensor<8xi32>
  %x12 = arith.subi %x7, %x11 : tensor<8xi32>
  %x13 = arith.constant 0 : index
  %x14 = tile.gather %x[%x13] at %x12 axis 0 [8, 4096] : !tile.view<?x?xf32>, tensor<8xi32> -> tensor<8x4096xf32>
  %x15 = arith.constant dense<1> : tensor<8xi32>
  %x16 = arith.addi %x7, %x15 : tensor<8xi32>
  %x17 = arith.constant 0 : index
  %x18 = tile.gather %x[%x17] at %x16 axis 0 [8, 4096] : !tile.view<?x?xf32>, tensor<8xi32> -> tensor<8x4096xf32>
  %x19 = arith.constant dense<1> : tensor<4096xi32>
  %x20 = arith.subi %x8, %x19 : tensor<4096xi32>
  %x21 = tile.gather %x[%x1] at %x20 axis 1 [8, 4096] : !tile.view<?x?xf32>, tensor<4096xi32> -> tensor<8x4096xf32>
  %x22 = arith.constant dense<1> : tensor<4096xi32>
  %x23 = arith.addi %x8, %x22 : tensor<4096xi32>
  %x24 = tile.gather %x[%x1] at %x23 axis 1 [8, 4096] : !tile.view<?x?xf32>, tensor<4096xi32> -> tensor<8x4096xf32>
  %x25 = arith.constant dense<0.5> : tensor<8x4096xf32>
  %x26 = arith.mulf %x10, %x25 : tensor<8x4096xf32>
  %x27 = arith.addf %x14, %x18 : tensor<8x4096xf32>
  %x28 = arith.addf %x27, %x21 : tensor<8x4096xf32>
  %x29 = arith.addf %x28, %x24 : tensor<8x4096xf32>
  %x30 = arith.constant dense<0.125> : tensor<8x4096xf32>
  %x31 = arith.mulf %x29, %x30 : tensor<8x4096xf32>
  %x32 = arith.addf %x26, %x31 : tensor<8x4096xf32>
  %x33 = arith.constant 0 : index
  tile.store %x32, %y[%x1, %x33] : tensor<8x4096xf32>, !tile.view<?x?xf32>
}

// CASE @bn_stats rounded K=512: 700x100xbf16=random:1 -> 100xf32 100xf32
tile.kernel @bn_stats(%x: !tile.view<?x?xbf16>) outs(%mu: !tile.view<?xf32>, %va: !tile.view<?xf32>) grid [ceildiv(dim(%mu,0),64)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0.0> : tensor<1x64xf32>
  %x3 = tile.num_tiles %x, 0 by [64] : !tile.view<?x?xbf16>
  %x4 = arith.constant 0 : index
  %x5 = arith.constant 1 : index
  %x7, %x8 = scf.for %x6 = %x4 to %x3 step %x5 iter_args(%x9 = %x2, %x10 = %x2) -> (tensor<1x64xf32>, tensor<1x64xf32>) {
    %x11 = tile.load %x[%x6, %x1] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x12 = tile.cast %x11 : tensor<64x64xbf16> to tensor<64x64xf32>
    %x13 = tile.reduce add %x12 axis 0 keepdims : tensor<64x64xf32> -> tensor<1x64xf32>
    %x14 = arith.addf %x9, %x13 : tensor<1x64xf32>
    %x15 = arith.mulf %x12, %x12 : tensor<64x64xf32>
    %x16 = tile.reduce add %x15 axis 0 keepdims : tensor<64x64xf32> -> tensor<1x64xf32>
    %x17 = arith.addf %x10, %x16 : tensor<1x64xf32>
    scf.yield %x14, %x17 : tensor<1x64xf32>, tensor<1x64xf32>
  }
  %x19 = tile.dim %x, 0 : !tile.view<?x?xbf16>
  %x20 = arith.index_cast %x19 : index to i32
  %x18 = arith.sitofp %x20 : i32 to f32
  %x21 = tile.splat %x18 [1, 64] : f32 -> tensor<1x64xf32>
  %x22 = arith.divf %x7, %x21 : tensor<1x64xf32>
  %x23 = tile.reshape %x22 [64] : tensor<1x64xf32> -> tensor<64xf32>
  tile.store %x23, %mu[%x1] : tensor<64xf32>, !tile.view<?xf32>
  %x24 = arith.divf %x8, %x21 : tensor<1x64xf32>
  %x25 = arith.mulf %x22, %x22 : tensor<1x64xf32>
  %x26 = arith.subf %x24, %x25 : tensor<1x64xf32>
  %x27 = tile.reshape %x26 [64] : tensor<1x64xf32> -> tensor<64xf32>
  tile.store %x27, %va[%x1] : tensor<64xf32>, !tile.view<?xf32>
}

// CASE @lion rounded K=512: 3000xf32=random:1 3000xbf16=random:2 3000xf32=random:3 -> 3000xf32 3000xf32
tile.kernel @lion(%p: !tile.view<?xf32>, %g: !tile.view<?xbf16>, %m: !tile.view<?xf32>) outs(%po: !tile.view<?xf32>, %mo: !tile.view<?xf32>) grid [ceildiv(dim(%po,0),1024)] {
  %x1 = tile.block_id 0
  %x2 = tile.load %p[%x1] [1024] : !tile.view<?xf32> -> tensor<1024xf32>
  %x3 = tile.load %g[%x1] [1024] : !tile.view<?xbf16> -> tensor<1024xbf16>
  %x4 = tile.cast %x3 : tensor<1024xbf16> to tensor<1024xf32>
  %x5 = tile.load %m[%x1] [1024] : !tile.view<?xf32> -> tensor<1024xf32>
  %x6 = arith.constant dense<0.9> : tensor<1024xf32>
  %x7 = arith.mulf %x5, %x6 : tensor<1024xf32>
  %x8 = arith.constant dense<0.1> : tensor<1024xf32>
  %x9 = arith.mulf %x4, %x8 : tensor<1024xf32>
  %x10 = arith.addf %x7, %x9 : tensor<1024xf32>
  %x11 = arith.constant dense<0.0> : tensor<1024xf32>
  %x12 = arith.cmpf ogt, %x10, %x11 : tensor<1024xf32>
  %x13 = arith.constant dense<1.0> : tensor<1024xf32>
  %x14 = arith.constant dense<-1.0> : tensor<1024xf32>
  %x15 = arith.select %x12, %x13, %x14 : tensor<1024xi1>, tensor<1024xf32>
  %x16 = arith.constant dense<0.9999> : tensor<1024xf32>
  %x17 = arith.mulf %x2, %x16 : tensor<1024xf32>
  %x18 = arith.constant dense<0.001> : tensor<1024xf32>
  %x19 = arith.mulf %x15, %x18 : tensor<1024xf32>
  %x20 = arith.subf %x17, %x19 : tensor<1024xf32>
  tile.store %x20, %po[%x1] : tensor<1024xf32>, !tile.view<?xf32>
  %x21 = arith.constant dense<0.99> : tensor<1024xf32>
  %x22 = arith.mulf %x5, %x21 : tensor<1024xf32>
  %x23 = arith.constant dense<0.01> : tensor<1024xf32>
  %x24 = arith.mulf %x4, %x23 : tensor<1024xf32>
  %x25 = arith.addf %x22, %x24 : tensor<1024xf32>
  tile.store %x25, %mo[%x1] : tensor<1024xf32>, !tile.view<?xf32>
}

// CASE @onehot_sum rounded K=512: 20000xi32=random:1 -> 3x64xi32
tile.kernel @onehot_sum(%id: !tile.view<?xi32>) outs(%y: !tile.view<?x?xi32>) grid [ceildiv(dim(%id,0),8192)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant dense<0> : tensor<1x64xi32>
  %x3 = tile.iota [64] : tensor<64xi32>
  %x4 = tile.expand_dims %x3, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %x5 = arith.constant 64 : index
  %x6 = arith.muli %x1, %x5 : index
  %x7 = arith.constant 0 : index
  %x8 = arith.constant 64 : index
  %x9 = arith.constant 1 : index
  %x11 = scf.for %x10 = %x7 to %x8 step %x9 iter_args(%x12 = %x2) -> (tensor<1x64xi32>) {
    %x13 = arith.addi %x6, %x10 : index
    %x14 = tile.load %id[%x13] [128] : !tile.view<?xi32> -> tensor<128xi32>
    %x15 = arith.constant dense<63> : tensor<128xi32>
    %x16 = arith.andi %x14, %x15 : tensor<128xi32>
    %x17 = tile.expand_dims %x16, 1 : tensor<128xi32> -> tensor<128x1xi32>
    %x18 = tile.broadcast %x4 [128, 64] : tensor<1x64xi32> -> tensor<128x64xi32>
    %x19 = tile.broadcast %x17 [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
    %x20 = arith.cmpi eq, %x19, %x18 : tensor<128x64xi32>
    %x21 = arith.extui %x20 : tensor<128x64xi1> to tensor<128x64xi32>
    %x22 = tile.reduce add %x21 axis 0 keepdims : tensor<128x64xi32> -> tensor<1x64xi32>
    %x23 = arith.addi %x12, %x22 : tensor<1x64xi32>
    scf.yield %x23 : tensor<1x64xi32>
  }
  %x24 = arith.constant 0 : index
  tile.store %x11, %y[%x1, %x24] : tensor<1x64xi32>, !tile.view<?x?xi32>
}

// CASE @rank rounded K=512: 3x256xf32=random:1 -> 3x256xi32
tile.kernel @rank(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xi32>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %x[%x1, %x2] [1, 256] : !tile.view<?x?xf32> -> tensor<1x256xf32>
  %x4 = tile.reshape %x3 [256, 1] : tensor<1x256xf32> -> tensor<256x1xf32>
  %x5 = tile.broadcast %x3 [256, 256] : tensor<1x256xf32> -> tensor<256x256xf32>
  %x6 = tile.broadcast %x4 [256, 256] : tensor<256x1xf32> -> tensor<256x256xf32>
  %x7 = arith.cmpf olt, %x5, %x6 : tensor<256x256xf32>
  %x8 = arith.extui %x7 : tensor<256x256xi1> to tensor<256x256xi32>
  %x9 = tile.reduce add %x8 axis 1 keepdims : tensor<256x256xi32> -> tensor<256x1xi32>
  %x10 = tile.reshape %x9 [1, 256] : tensor<256x1xi32> -> tensor<1x256xi32>
  %x11 = arith.constant 0 : index
  tile.store %x10, %y[%x1, %x11] : tensor<1x256xi32>, !tile.view<?x?xi32>
}

// CASE @cgemm rounded K=512: 100x128xbf16=random:1 100x128xbf16=random:2 72x128xbf16=random:3 72x128xbf16=random:4 -> 100x72xf32 100x72xf32
tile.kernel @cgemm(%ar: !tile.view<?x?xbf16>, %ai: !tile.view<?x?xbf16>, %br: !tile.view<?x?xbf16>, %bi: !tile.view<?x?xbf16>) outs(%yr: !tile.view<?x?xf32>, %yi: !tile.view<?x?xf32>) grid [ceildiv(dim(%yr,0),64), ceildiv(dim(%yr,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x4 = tile.num_tiles %ar, 1 by [64] : !tile.view<?x?xbf16>
  %x5 = arith.constant 0 : index
  %x6 = arith.constant 1 : index
  %x8, %x9, %x10 = scf.for %x7 = %x5 to %x4 step %x6 iter_args(%x11 = %x3, %x12 = %x3, %x13 = %x3) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %x14 = tile.load %ar[%x1, %x7] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x15 = tile.load %ai[%x1, %x7] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x16 = tile.load %br[%x2, %x7] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x17 = tile.load %bi[%x2, %x7] [64, 64] : !tile.view<?x?xbf16> -> tensor<64x64xbf16>
    %x18 = tile.dot %x14, %x16, %x11 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x19 = tile.dot %x15, %x17, %x12 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x20 = tile.dot %x14, %x17, %x13 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x21 = tile.dot %x15, %x16, %x20 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %x18, %x19, %x21 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  %x22 = arith.subf %x8, %x9 : tensor<64x64xf32>
  tile.store %x22, %yr[%x1, %x2] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %x10, %yi[%x1, %x2] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CASE @ln_pieces rounded K=512: 3x1536xbf16=random:1 3x1536xbf16=random:2 1536xf32=random:3 1536xf32=random:4 -> 3x1536xbf16
tile.kernel @ln_pieces(%x: !tile.view<?x?xbf16>, %r: !tile.view<?x?xbf16>, %g: !tile.view<?xf32>, %b: !tile.view<?xf32>) outs(%y: !tile.view<?x?xbf16>) grid [dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.num_tiles %x, 1 by [512] : !tile.view<?x?xbf16>
  %x3 = arith.constant dense<0.0> : tensor<1x1xf32>
  %x5 = tile.dim %x, 1 : !tile.view<?x?xbf16>
  %x6 = arith.index_cast %x5 : index to i32
  %x4 = arith.sitofp %x6 : i32 to f32
  %x7 = tile.splat %x4 [1, 1] : f32 -> tensor<1x1xf32>
  %x8 = arith.constant 0 : index
  %x9 = arith.constant 1 : index
  %x11 = scf.for %x10 = %x8 to %x2 step %x9 iter_args(%x12 = %x3) -> (tensor<1x1xf32>) {
    %x13 = tile.load %x[%x1, %x10] [1, 512] : !tile.view<?x?xbf16> -> tensor<1x512xbf16>
    %x14 = tile.cast %x13 : tensor<1x512xbf16> to tensor<1x512xf32>
    %x15 = tile.load %r[%x1, %x10] [1, 512] : !tile.view<?x?xbf16> -> tensor<1x512xbf16>
    %x16 = tile.cast %x15 : tensor<1x512xbf16> to tensor<1x512xf32>
    %x17 = arith.addf %x14, %x16 : tensor<1x512xf32>
    %x18 = tile.reduce add %x17 axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %x19 = arith.addf %x12, %x18 : tensor<1x1xf32>
    scf.yield %x19 : tensor<1x1xf32>
  }
  %x20 = arith.divf %x11, %x7 : tensor<1x1xf32>
  %x21 = arith.constant 0 : index
  %x22 = arith.constant 1 : index
  %x24 = scf.for %x23 = %x21 to %x2 step %x22 iter_args(%x25 = %x3) -> (tensor<1x1xf32>) {
    %x26 = tile.load %x[%x1, %x23] [1, 512] : !tile.view<?x?xbf16> -> tensor<1x512xbf16>
    %x27 = tile.cast %x26 : tensor<1x512xbf16> to tensor<1x512xf32>
    %x28 = tile.load %r[%x1, %x23] [1, 512] : !tile.view<?x?xbf16> -> tensor<1x512xbf16>
    %x29 = tile.cast %x28 : tensor<1x512xbf16> to tensor<1x512xf32>
    %x30 = arith.addf %x27, %x29 : tensor<1x512xf32>
    %x31 = tile.broadcast %x20 [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %x32 = arith.subf %x30, %x31 : tensor<1x512xf32>
    %x33 = arith.mulf %x32, %x32 : tensor<1x512xf32>
    %x34 = tile.reduce add %x33 axis 1 keepdims : tensor<1x512xf32> -> tensor<1x1xf32>
    %x35 = arith.addf %x25, %x34 : tensor<1x1xf32>
    scf.yield %x35 : tensor<1x1xf32>
  }
  %x36 = arith.divf %x24, %x7 : tensor<1x1xf32>
  %x37 = arith.constant dense<1.0e-05> : tensor<1x1xf32>
  %x38 = arith.addf %x36, %x37 : tensor<1x1xf32>
  %x39 = math.rsqrt %x38 : tensor<1x1xf32>
  %x40 = arith.constant 0 : index
  %x41 = arith.constant 1 : index
  scf.for %x42 = %x40 to %x2 step %x41 {
    %x43 = tile.load %x[%x1, %x42] [1, 512] : !tile.view<?x?xbf16> -> tensor<1x512xbf16>
    %x44 = tile.cast %x43 : tensor<1x512xbf16> to tensor<1x512xf32>
    %x45 = tile.load %r[%x1, %x42] [1, 512] : !tile.view<?x?xbf16> -> tensor<1x512xbf16>
    %x46 = tile.cast %x45 : tensor<1x512xbf16> to tensor<1x512xf32>
    %x47 = arith.addf %x44, %x46 : tensor<1x512xf32>
    %x48 = tile.broadcast %x20 [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %x49 = arith.subf %x47, %x48 : tensor<1x512xf32>
    %x50 = tile.broadcast %x39 [1, 512] : tensor<1x1xf32> -> tensor<1x512xf32>
    %x51 = arith.mulf %x49, %x50 : tensor<1x512xf32>
    %x52 = tile.load %g[%x42] [512] : !tile.view<?xf32> -> tensor<512xf32>
    %x53 = tile.reshape %x52 [1, 512] : tensor<512xf32> -> tensor<1x512xf32>
    %x54 = arith.mulf %x51, %x53 : tensor<1x512xf32>
    %x55 = tile.load %b[%x42] [512] : !tile.view<?xf32> -> tensor<512xf32>
    %x56 = tile.reshape %x55 [1, 512] : tensor<512xf32> -> tensor<1x512xf32>
    %x57 = arith.addf %x54, %x56 : tensor<1x512xf32>
    %x58 = arith.constant dense<0.70710678> : tensor<1x512xf32>
    %x59 = arith.mulf %x57, %x58 : tensor<1x512xf32>
    %x60 = math.erf %x59 : tensor<1x512xf32>
    %x61 = arith.constant dense<1.0> : tensor<1x512xf32>
    %x62 = arith.addf %x60, %x61 : tensor<1x512xf32>
    %x63 = arith.mulf %x57, %x62 : tensor<1x512xf32>
    %x64 = arith.constant dense<0.5> : tensor<1x512xf32>
    %x65 = arith.mulf %x63, %x64 : tensor<1x512xf32>
    %x66 = tile.cast %x65 : tensor<1x512xf32> to tensor<1x512xbf16>
    tile.store %x66, %y[%x1, %x42] : tensor<1x512xbf16>, !tile.view<?x?xbf16>
  }
}

// CASE @gather_mm rounded K=512: 20x128xbf16=random:1 7xi32=3,1,0,19,5,5,6 72x128xbf16=random:3 -> 7x72xbf16
tile.kernel @gather_mm(%x: !tile.view<?x?xbf16>, %id: !tile.view<?xi32>, %w: !tile.view<?x?xbf16>) outs(%y: !tile.view<?x?xbf16>) grid [ceildiv(dim(%y,0),128), ceildiv(dim(%y,1),128)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x4 = tile.load %id[%x1] [128] : !tile.view<?xi32> -> tensor<128xi32>
  %x5 = tile.num_tiles %w, 1 by [64] : !tile.view<?x?xbf16>
  %x6 = arith.constant 0 : index
  %x7 = arith.constant 1 : index
  %x9 = scf.for %x8 = %x6 to %x5 step %x7 iter_args(%x10 = %x3) -> (tensor<128x128xf32>) {
    %x11 = tile.gather %x[%x8] at %x4 axis 0 [128, 64] : !tile.view<?x?xbf16>, tensor<128xi32> -> tensor<128x64xbf16>
    %x12 = tile.load %w[%x2, %x8] [128, 64] : !tile.view<?x?xbf16> -> tensor<128x64xbf16>
    %x13 = tile.dot %x11, %x12, %x10 transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x13 : tensor<128x128xf32>
  }
  %x14 = tile.cast %x9 : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %x14, %y[%x1, %x2] : tensor<128x128xbf16>, !tile.view<?x?xbf16>
}

// CASE @meanpool rounded K=512: 2x100x200xbf16=random:1 2xi32=37,100 -> 2x200xbf16
tile.kernel @meanpool(%x: !tile.view<?x?x?xbf16>, %len: !tile.view<?xi32>) outs(%y: !tile.view<?x?xbf16>) grid [dim(%y,0), ceildiv(dim(%y,1),128)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.load %len[%x1] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %x4 = tile.reshape %x3 [1, 1] : tensor<1xi32> -> tensor<1x1xi32>
  %x5 = arith.constant dense<0.0> : tensor<1x128xf32>
  %x6 = tile.num_tiles %x, 1 by [64] : !tile.view<?x?x?xbf16>
  %x7 = arith.constant 0 : index
  %x8 = arith.constant 1 : index
  %x10 = scf.for %x9 = %x7 to %x6 step %x8 iter_args(%x11 = %x5) -> (tensor<1x128xf32>) {
    %x12 = arith.constant 64 : index
    %x13 = arith.muli %x9, %x12 : index
    %x14 = tile.iota [64] : tensor<64xi32>
    %x15 = arith.index_cast %x13 : index to i32
    %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
    %x17 = arith.addi %x14, %x16 : tensor<64xi32>
    %x18 = tile.expand_dims %x17, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %x19 = tile.broadcast %x4 [64, 1] : tensor<1x1xi32> -> tensor<64x1xi32>
    %x20 = arith.cmpi slt, %x18, %x19 : tensor<64x1xi32>
    %x21 = tile.load %x[%x1, %x9, %x2] [1, 64, 128] : !tile.view<?x?x?xbf16> -> tensor<1x64x128xbf16>
    %x22 = tile.reshape %x21 [64, 128] : tensor<1x64x128xbf16> -> tensor<64x128xbf16>
    %x23 = tile.cast %x22 : tensor<64x128xbf16> to tensor<64x128xf32>
    %x24 = arith.constant dense<0.0> : tensor<64x128xf32>
    %x25 = tile.broadcast %x20 [64, 128] : tensor<64x1xi1> -> tensor<64x128xi1>
    %x26 = arith.select %x25, %x23, %x24 : tensor<64x128xi1>, tensor<64x128xf32>
    %x27 = tile.reduce add %x26 axis 0 keepdims : tensor<64x128xf32> -> tensor<1x128xf32>
    %x28 = arith.addf %x11, %x27 : tensor<1x128xf32>
    scf.yield %x28 : tensor<1x128xf32>
  }
  %x29 = arith.sitofp %x4 : tensor<1x1xi32> to tensor<1x1xf32>
  %x30 = tile.broadcast %x29 [1, 128] : tensor<1x1xf32> -> tensor<1x128xf32>
  %x31 = arith.divf %x10, %x30 : tensor<1x128xf32>
  %x32 = tile.cast %x31 : tensor<1x128xf32> to tensor<1x128xbf16>
  tile.store %x32, %y[%x1, %x2] : tensor<1x128xbf16>, !tile.view<?x?xbf16>
}

// CASE @segment_sum rounded K=512: 100x70xf32=random:1 5xi32=0,10,10,77,100 -> 4x70xf32
tile.kernel @segment_sum(%x: !tile.view<?x?xf32>, %off: !tile.view<?xi32>) outs(%y: !tile.view<?x?xf32>) grid [dim(%y,0), ceildiv(dim(%y,1),64)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = arith.constant dense<0.0> : tensor<1x64xf32>
  %x4 = tile.load %off[%x1] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %x5 = arith.constant 0 : index
  %x6 = tensor.extract %x4[%x5] : tensor<1xi32>
  %x7 = arith.index_cast %x6 : i32 to index
  %x8 = arith.constant 1 : index
  %x9 = arith.addi %x1, %x8 : index
  %x10 = tile.load %off[%x9] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %x11 = arith.constant 0 : index
  %x12 = tensor.extract %x10[%x11] : tensor<1xi32>
  %x13 = arith.index_cast %x12 : i32 to index
  %x14 = arith.constant 1 : index
  %x16 = scf.for %x15 = %x7 to %x13 step %x14 iter_args(%x17 = %x3) -> (tensor<1x64xf32>) {
    %x18 = tile.load %x[%x15, %x2] [1, 64] : !tile.view<?x?xf32> -> tensor<1x64xf32>
    %x19 = arith.addf %x17, %x18 : tensor<1x64xf32>
    scf.yield %x19 : tensor<1x64xf32>
  }
  tile.store %x16, %y[%x1, %x2] : tensor<1x64xf32>, !tile.view<?x?xf32>
}

