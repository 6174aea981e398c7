// Attention over normalized keys, whose main loop takes all registers of a thread. Addresses recomputed where a kernel
// spills: RematerializeTest.cpp.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --arg=q=4x16x2048x128xbf16,k=4x16x2048x128xbf16,v=4x16x2048x128xbf16,tau=16xf32,y=4x16x2048x128xbf16 --emit=report | FileCheck %s

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

tile.kernel @normalized_keys(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>, %tau: !tile.view<?xf32>) outs(%y: !tile.view<?x?x?x?xbf16>) grid [ceildiv(dim(%y,2),128), dim(%y,1), dim(%y,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = arith.constant 0 : index
  %x5 = tile.load %q[%x3, %x2, %x1, %x4] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
  %x6 = tile.reshape %x5 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
  %x7 = tile.cast %x6 : tensor<128x128xbf16> to tensor<128x128xf32>
  %x8 = arith.mulf %x7, %x7 : tensor<128x128xf32>
  %x9 = tile.reduce add %x8 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
  %x10 = arith.constant dense<1.000000000e-06> : tensor<128x1xf32>
  %x11 = arith.addf %x9, %x10 : tensor<128x1xf32>
  %x12 = math.rsqrt %x11 : tensor<128x1xf32>
  %x13 = tile.broadcast %x12 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x14 = arith.mulf %x7, %x13 : tensor<128x128xf32>
  %x15 = tile.cast %x14 : tensor<128x128xf32> to tensor<128x128xbf16>
  %x16 = arith.constant 128 : index
  %x17 = arith.muli %x1, %x16 : index
  %x18 = arith.index_cast %x17 : index to i32
  %x19 = tile.iota [128] : tensor<128xi32>
  %x20 = tile.splat %x18 [128] : i32 -> tensor<128xi32>
  %x21 = arith.addi %x19, %x20 : tensor<128xi32>
  %x22 = tile.expand_dims %x21, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x23 = tile.load %tau[%x2] [1] : !tile.view<?xf32> -> tensor<1xf32>
  %x24 = tile.reshape %x23 [1, 1] : tensor<1xf32> -> tensor<1x1xf32>
  %x25 = arith.constant 0 : index
  %x26 = tile.num_tiles %k, 2 by [128] : !tile.view<?x?x?x?xbf16>
  %x27 = arith.constant 1 : index
  %x28 = arith.addi %x1, %x27 : index
  %x29 = arith.constant 128 : index
  %x30 = arith.muli %x28, %x29 : index
  %x31 = arith.constant 127 : index
  %x32 = arith.addi %x30, %x31 : index
  %x33 = arith.constant 128 : index
  %x34 = arith.divui %x32, %x33 : index
  %x35 = arith.minui %x34, %x26 : index
  %x36 = arith.constant dense<-1.000000000e+30> : tensor<128x1xf32>
  %x37 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x38 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x39 = arith.constant 1 : index
  %x44, %x45, %x46 = scf.for %x40 = %x25 to %x35 step %x39 iter_args(%x41 = %x36, %x42 = %x37, %x43 = %x38) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>) {
    %x47 = arith.constant 0 : index
    %x48 = tile.load %k[%x3, %x2, %x40, %x47] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
    %x49 = tile.reshape %x48 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
    %x50 = arith.constant 0 : index
    %x51 = tile.load %v[%x3, %x2, %x40, %x50] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
    %x52 = tile.reshape %x51 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
    %x53 = tile.cast %x49 : tensor<128x128xbf16> to tensor<128x128xf32>
    %x54 = arith.mulf %x53, %x53 : tensor<128x128xf32>
    %x55 = tile.reduce add %x54 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x56 = arith.constant dense<1.000000000e-06> : tensor<128x1xf32>
    %x57 = arith.addf %x55, %x56 : tensor<128x1xf32>
    %x58 = math.rsqrt %x57 : tensor<128x1xf32>
    %x59 = tile.broadcast %x58 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x60 = arith.mulf %x53, %x59 : tensor<128x128xf32>
    %x61 = tile.cast %x60 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x62 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x63 = tile.dot %x15, %x61, %x62 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x64 = arith.constant 128 : index
    %x65 = arith.muli %x40, %x64 : index
    %x66 = arith.index_cast %x65 : index to i32
    %x67 = tile.iota [128] : tensor<128xi32>
    %x68 = tile.splat %x66 [128] : i32 -> tensor<128xi32>
    %x69 = arith.addi %x67, %x68 : tensor<128xi32>
    %x70 = tile.expand_dims %x69, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %x71 = arith.constant dense<1.0> : tensor<128x128xf32>
    %x72 = arith.mulf %x63, %x71 : tensor<128x128xf32>
    %x73 = tile.broadcast %x24 [128, 128] : tensor<1x1xf32> -> tensor<128x128xf32>
    %x74 = arith.mulf %x72, %x73 : tensor<128x128xf32>
    %x75 = tile.broadcast %x22 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x76 = tile.broadcast %x70 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x77 = arith.cmpi sge, %x75, %x76 : tensor<128x128xi32>
    %x78 = arith.constant dense<0xFF800000> : tensor<128x128xf32>
    %x79 = arith.select %x77, %x74, %x78 : tensor<128x128xi1>, tensor<128x128xf32>
    %x80 = tile.reduce max %x79 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x81 = arith.maximumf %x41, %x80 : tensor<128x1xf32>
    %x82 = tile.broadcast %x81 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x83 = arith.subf %x79, %x82 : tensor<128x128xf32>
    %x84 = math.exp %x83 : tensor<128x128xf32>
    %x85 = arith.subf %x41, %x81 : tensor<128x1xf32>
    %x86 = math.exp %x85 : tensor<128x1xf32>
    %x87 = arith.mulf %x42, %x86 : tensor<128x1xf32>
    %x88 = tile.reduce add %x84 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x89 = arith.addf %x87, %x88 : tensor<128x1xf32>
    %x90 = tile.cast %x84 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x91 = tile.broadcast %x86 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x92 = arith.mulf %x43, %x91 : tensor<128x128xf32>
    %x93 = tile.dot %x90, %x52, %x92 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x81, %x89, %x93 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>
  }
  %x94 = tile.broadcast %x45 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x95 = arith.divf %x46, %x94 : tensor<128x128xf32>
  %x96 = arith.constant 0 : index
  %x97 = tile.cast %x95 : tensor<128x128xf32> to tensor<128x128xbf16>
  %x98 = tile.reshape %x97 [1, 1, 128, 128] : tensor<128x128xbf16> -> tensor<1x1x128x128xbf16>
  tile.store %x98, %y[%x3, %x2, %x1, %x96] : tensor<1x1x128x128xbf16>, !tile.view<?x?x?x?xbf16>
}
