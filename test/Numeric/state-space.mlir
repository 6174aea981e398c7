// State space models in chunks.
// TYPES: bf16

// Chunks of a state space model (SSD): the decayed keys are written to shared memory as they are.
// CASE @state_space rounded K=512: 1x2x200x64xbf16=random:1 1x200x128xbf16=random:2 1x200x128xbf16=random:3 1x2x200xf32=random:4 -> 1x2x200x64xbf16
tile.kernel @state_space(%x: !tile.view<?x?x?x?xbf16>, %bm: !tile.view<?x?x?xbf16>, %cm: !tile.view<?x?x?xbf16>, %a: !tile.view<?x?x?xf32>) outs(%y: !tile.view<?x?x?x?xbf16>) grid [dim(%y,1), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.iota [128] : tensor<128xi32>
  %x4 = tile.expand_dims %x3, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x5 = tile.iota [128] : tensor<128xi32>
  %x6 = tile.expand_dims %x5, 0 : tensor<128xi32> -> tensor<1x128xi32>
  %x7 = tile.broadcast %x4 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
  %x8 = tile.broadcast %x6 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
  %x9 = arith.cmpi sge, %x7, %x8 : tensor<128x128xi32>
  %x10 = arith.constant 0 : index
  %x11 = tile.num_tiles %x, 2 by [128] : !tile.view<?x?x?x?xbf16>
  %x12 = arith.constant dense<0.0> : tensor<128x64xf32>
  %x13 = arith.constant 1 : index
  %x16 = scf.for %x14 = %x10 to %x11 step %x13 iter_args(%x15 = %x12) -> (tensor<128x64xf32>) {
    %x17 = arith.constant 0 : index
    %x18 = tile.load %x[%x2, %x1, %x14, %x17] [1, 1, 128, 64] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x64xbf16>
    %x19 = tile.reshape %x18 [128, 64] : tensor<1x1x128x64xbf16> -> tensor<128x64xbf16>
    %x20 = arith.constant 0 : index
    %x21 = tile.load %bm[%x2, %x14, %x20] [1, 128, 128] : !tile.view<?x?x?xbf16> -> tensor<1x128x128xbf16>
    %x22 = tile.reshape %x21 [128, 128] : tensor<1x128x128xbf16> -> tensor<128x128xbf16>
    %x23 = arith.constant 0 : index
    %x24 = tile.load %cm[%x2, %x14, %x23] [1, 128, 128] : !tile.view<?x?x?xbf16> -> tensor<1x128x128xbf16>
    %x25 = tile.reshape %x24 [128, 128] : tensor<1x128x128xbf16> -> tensor<128x128xbf16>
    %x26 = tile.load %a[%x2, %x1, %x14] [1, 1, 128] : !tile.view<?x?x?xf32> -> tensor<1x1x128xf32>
    %x27 = tile.reshape %x26 [128, 1] : tensor<1x1x128xf32> -> tensor<128x1xf32>
    %x28 = arith.constant dense<0.02> : tensor<128x1xf32>
    %x29 = arith.mulf %x27, %x28 : tensor<128x1xf32>
    %x30 = tile.scan add %x29 axis 0 : tensor<128x1xf32>
    %x31 = tile.reduce add %x29 axis 0 keepdims : tensor<128x1xf32> -> tensor<1x1xf32>
    %x32 = tile.broadcast %x30 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x33 = tile.reshape %x30 [1, 128] : tensor<128x1xf32> -> tensor<1x128xf32>
    %x34 = tile.broadcast %x33 [128, 128] : tensor<1x128xf32> -> tensor<128x128xf32>
    %x35 = arith.subf %x32, %x34 : tensor<128x128xf32>
    %x36 = math.exp %x35 : tensor<128x128xf32>
    %x37 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x38 = tile.dot %x25, %x22, %x37 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x39 = arith.mulf %x38, %x36 : tensor<128x128xf32>
    %x40 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x41 = arith.select %x9, %x39, %x40 : tensor<128x128xi1>, tensor<128x128xf32>
    %x42 = tile.cast %x15 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x43 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x44 = tile.dot %x25, %x42, %x43 : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x45 = math.exp %x30 : tensor<128x1xf32>
    %x46 = tile.broadcast %x45 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x47 = arith.mulf %x44, %x46 : tensor<128x64xf32>
    %x48 = tile.cast %x41 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x49 = tile.dot %x48, %x19, %x47 : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x50 = arith.constant 0 : index
    %x51 = tile.cast %x49 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x52 = tile.reshape %x51 [1, 1, 128, 64] : tensor<128x64xbf16> -> tensor<1x1x128x64xbf16>
    tile.store %x52, %y[%x2, %x1, %x14, %x50] : tensor<1x1x128x64xbf16>, !tile.view<?x?x?x?xbf16>
    %x53 = tile.cast %x22 : tensor<128x128xbf16> to tensor<128x128xf32>
    %x54 = tile.broadcast %x31 [128, 1] : tensor<1x1xf32> -> tensor<128x1xf32>
    %x55 = arith.subf %x54, %x30 : tensor<128x1xf32>
    %x56 = math.exp %x55 : tensor<128x1xf32>
    %x57 = tile.broadcast %x56 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x58 = arith.mulf %x53, %x57 : tensor<128x128xf32>
    %x59 = tile.cast %x58 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x60 = math.exp %x31 : tensor<1x1xf32>
    %x61 = tile.broadcast %x60 [128, 64] : tensor<1x1xf32> -> tensor<128x64xf32>
    %x62 = arith.mulf %x15, %x61 : tensor<128x64xf32>
    %x63 = tile.dot %x59, %x19, %x62 transpose_a : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x63 : tensor<128x64xf32>
  }
}
