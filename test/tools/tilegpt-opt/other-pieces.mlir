// Gradients of keys and values of attention with capped scores: beside two sums and two scores, threads would hold the
// hyperbolic tangents; ptxas says so, and the kernel is planned with iterations of half as many queries.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --arg=q=4x16x2048x128xbf16,k=4x16x2048x128xbf16,v=4x16x2048x128xbf16,g=4x16x2048x128xbf16,lse=4x16x2048xf32,delta=4x16x2048xf32,dk=4x16x2048x128xbf16,dv=4x16x2048x128xbf16 --emit=report | FileCheck %s

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK: tile: 2 iterations for each: with one, ptxas reports problems

tile.kernel @key_gradients(%q: !tile.view<?x?x?x?xbf16>, %k: !tile.view<?x?x?x?xbf16>, %v: !tile.view<?x?x?x?xbf16>, %g: !tile.view<?x?x?x?xbf16>, %lse: !tile.view<?x?x?xf32>, %delta: !tile.view<?x?x?xf32>) outs(%dk: !tile.view<?x?x?x?xbf16>, %dv: !tile.view<?x?x?x?xbf16>) grid [ceildiv(dim(%dk,2),128), dim(%dk,1), dim(%dk,0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.block_id 2
  %x4 = arith.constant 0 : index
  %x5 = tile.load %k[%x3, %x2, %x1, %x4] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
  %x6 = tile.reshape %x5 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
  %x7 = arith.constant 0 : index
  %x8 = tile.load %v[%x3, %x2, %x1, %x7] [1, 1, 128, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x128x128xbf16>
  %x9 = tile.reshape %x8 [128, 128] : tensor<1x1x128x128xbf16> -> tensor<128x128xbf16>
  %x10 = arith.constant 128 : index
  %x11 = arith.muli %x1, %x10 : index
  %x12 = arith.index_cast %x11 : index to i32
  %x13 = tile.iota [128] : tensor<128xi32>
  %x14 = tile.splat %x12 [128] : i32 -> tensor<128xi32>
  %x15 = arith.addi %x13, %x14 : tensor<128xi32>
  %x16 = tile.expand_dims %x15, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x17 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x18 = arith.constant 0 : index
  %x19 = arith.constant 128 : index
  %x20 = arith.muli %x1, %x19 : index
  %x21 = arith.constant 64 : index
  %x22 = arith.divui %x20, %x21 : index
  %x23 = tile.num_tiles %q, 2 by [64] : !tile.view<?x?x?x?xbf16>
  %x24 = arith.constant 1 : index
  %x28, %x29 = scf.for %x25 = %x22 to %x23 step %x24 iter_args(%x26 = %x17, %x27 = %x17) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
    %x30 = arith.constant 0 : index
    %x31 = tile.load %q[%x3, %x2, %x25, %x30] [1, 1, 64, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x64x128xbf16>
    %x32 = tile.reshape %x31 [64, 128] : tensor<1x1x64x128xbf16> -> tensor<64x128xbf16>
    %x33 = arith.constant 0 : index
    %x34 = tile.load %g[%x3, %x2, %x25, %x33] [1, 1, 64, 128] : !tile.view<?x?x?x?xbf16> -> tensor<1x1x64x128xbf16>
    %x35 = tile.reshape %x34 [64, 128] : tensor<1x1x64x128xbf16> -> tensor<64x128xbf16>
    %x36 = tile.load %lse[%x3, %x2, %x25] [1, 1, 64] : !tile.view<?x?x?xf32> -> tensor<1x1x64xf32>
    %x37 = tile.reshape %x36 [1, 64] : tensor<1x1x64xf32> -> tensor<1x64xf32>
    %x38 = tile.load %delta[%x3, %x2, %x25] [1, 1, 64] : !tile.view<?x?x?xf32> -> tensor<1x1x64xf32>
    %x39 = tile.reshape %x38 [1, 64] : tensor<1x1x64xf32> -> tensor<1x64xf32>
    %x40 = arith.constant 64 : index
    %x41 = arith.muli %x25, %x40 : index
    %x42 = arith.index_cast %x41 : index to i32
    %x43 = tile.iota [64] : tensor<64xi32>
    %x44 = tile.splat %x42 [64] : i32 -> tensor<64xi32>
    %x45 = arith.addi %x43, %x44 : tensor<64xi32>
    %x46 = tile.expand_dims %x45, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x47 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x48 = tile.dot %x6, %x32, %x47 transpose_b : tensor<128x128xbf16>, tensor<64x128xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x49 = arith.constant dense<0.08838834764831845> : tensor<128x64xf32>
    %x50 = arith.mulf %x48, %x49 : tensor<128x64xf32>
    %x51 = arith.constant dense<30.0> : tensor<128x64xf32>
    %x52 = arith.divf %x50, %x51 : tensor<128x64xf32>
    %x53 = math.tanh %x52 : tensor<128x64xf32>
    %x54 = arith.constant dense<30.0> : tensor<128x64xf32>
    %x55 = arith.mulf %x53, %x54 : tensor<128x64xf32>
    %x56 = tile.broadcast %x37 [128, 64] : tensor<1x64xf32> -> tensor<128x64xf32>
    %x57 = arith.subf %x55, %x56 : tensor<128x64xf32>
    %x58 = math.exp %x57 : tensor<128x64xf32>
    %x59 = tile.broadcast %x46 [128, 64] : tensor<1x64xi32> -> tensor<128x64xi32>
    %x60 = tile.broadcast %x16 [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
    %x61 = arith.cmpi sge, %x59, %x60 : tensor<128x64xi32>
    %x62 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x63 = arith.select %x61, %x58, %x62 : tensor<128x64xi1>, tensor<128x64xf32>
    %x64 = tile.cast %x63 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x65 = tile.dot %x64, %x35, %x27 : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x66 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x67 = tile.dot %x9, %x35, %x66 transpose_b : tensor<128x128xbf16>, tensor<64x128xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x68 = tile.broadcast %x39 [128, 64] : tensor<1x64xf32> -> tensor<128x64xf32>
    %x69 = arith.subf %x67, %x68 : tensor<128x64xf32>
    %x70 = arith.mulf %x63, %x69 : tensor<128x64xf32>
    %x71 = arith.constant dense<1.0> : tensor<128x64xf32>
    %x72 = arith.mulf %x53, %x53 : tensor<128x64xf32>
    %x73 = arith.subf %x71, %x72 : tensor<128x64xf32>
    %x74 = arith.mulf %x70, %x73 : tensor<128x64xf32>
    %x75 = arith.constant dense<0.08838834764831845> : tensor<128x64xf32>
    %x76 = arith.mulf %x74, %x75 : tensor<128x64xf32>
    %x77 = tile.cast %x76 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x78 = tile.dot %x77, %x32, %x26 : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x78, %x65 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  %x79 = arith.constant 0 : index
  %x80 = tile.cast %x28 : tensor<128x128xf32> to tensor<128x128xbf16>
  %x81 = tile.reshape %x80 [1, 1, 128, 128] : tensor<128x128xbf16> -> tensor<1x1x128x128xbf16>
  tile.store %x81, %dk[%x3, %x2, %x1, %x79] : tensor<1x1x128x128xbf16>, !tile.view<?x?x?x?xbf16>
  %x82 = arith.constant 0 : index
  %x83 = tile.cast %x29 : tensor<128x128xf32> to tensor<128x128xbf16>
  %x84 = tile.reshape %x83 [1, 1, 128, 128] : tensor<128x128xbf16> -> tensor<1x1x128x128xbf16>
  tile.store %x84, %dv[%x3, %x2, %x1, %x82] : tensor<1x1x128x128xbf16>, !tile.view<?x?x?x?xbf16>
}
