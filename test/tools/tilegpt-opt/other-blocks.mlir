// Gradients of keys and values that groups of queries share: two blocks of a multiprocessor would spill more than a few
// registers; ptxas says so, and the kernel is planned with one.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --arg=q=64x2048x64xbf16,k=16x2048x64xbf16,v=16x2048x64xbf16,g=64x2048x64xbf16,lse=64x2048xf32,delta=64x2048xf32,dk=16x2048x64xbf16,dv=16x2048x64xbf16 --emit=report | FileCheck %s

// CHECK: tile: 1 block in a multiprocessor: with 2, ptxas reports problems

tile.kernel @shared_key_gradients(%q: !tile.view<?x?x64xbf16>, %k: !tile.view<?x?x64xbf16>, %v: !tile.view<?x?x64xbf16>, %g: !tile.view<?x?x64xbf16>, %lse: !tile.view<?x?xf32>, %delta: !tile.view<?x?xf32>) outs(%dk: !tile.view<?x?x64xbf16>, %dv: !tile.view<?x?x64xbf16>)
    grid [ceildiv(dim(%k, 1), 64), dim(%k, 0)] {
  %x1 = tile.block_id 0
  %x2 = tile.block_id 1
  %x3 = tile.dim %q, 0 : !tile.view<?x?x64xbf16>
  %x4 = tile.dim %k, 0 : !tile.view<?x?x64xbf16>
  %x5 = arith.divui %x3, %x4 : index
  %x6 = tile.select %k[%x2] : !tile.view<?x?x64xbf16> -> !tile.view<?x64xbf16>
  %x7 = arith.constant 0 : index
  %x8 = tile.load %x6[%x1, %x7] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %x9 = tile.select %v[%x2] : !tile.view<?x?x64xbf16> -> !tile.view<?x64xbf16>
  %x10 = arith.constant 0 : index
  %x11 = tile.load %x9[%x1, %x10] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %x12 = tile.iota [64] : tensor<64xi32>
  %x13 = arith.constant 64 : index
  %x14 = arith.muli %x1, %x13 : index
  %x15 = arith.index_cast %x14 : index to i32
  %x16 = tile.splat %x15 [64] : i32 -> tensor<64xi32>
  %x17 = arith.addi %x12, %x16 : tensor<64xi32>
  %x18 = tile.broadcast %x17 [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
  %x19 = tile.dim %q, 1 : !tile.view<?x?x64xbf16>
  %x20 = arith.index_cast %x19 : index to i32
  %x21 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x22 = arith.constant dense<0.0> : tensor<64x64xf32>
  %x23 = arith.constant 0 : index
  %x24 = arith.constant 1 : index
  %r28:2 = scf.for %i25 = %x23 to %x5 step %x24 iter_args(%a26 = %x21, %a27 = %x22) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x29 = arith.muli %x2, %x5 : index
    %x30 = arith.addi %x29, %i25 : index
    %x31 = tile.num_tiles %q, 1 by [64] : !tile.view<?x?x64xbf16>
    %x32 = arith.constant 1 : index
    %r36:2 = scf.for %i33 = %x1 to %x31 step %x32 iter_args(%a34 = %a26, %a35 = %a27) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %x37 = tile.select %q[%x30] : !tile.view<?x?x64xbf16> -> !tile.view<?x64xbf16>
      %x38 = arith.constant 0 : index
      %x39 = tile.load %x37[%i33, %x38] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
      %x40 = tile.select %g[%x30] : !tile.view<?x?x64xbf16> -> !tile.view<?x64xbf16>
      %x41 = arith.constant 0 : index
      %x42 = tile.load %x40[%i33, %x41] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
      %x43 = tile.select %lse[%x30] : !tile.view<?x?xf32> -> !tile.view<?xf32>
      %x44 = tile.load %x43[%i33] [64] : !tile.view<?xf32> -> tensor<64xf32>
      %x45 = tile.expand_dims %x44, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %x46 = tile.select %delta[%x30] : !tile.view<?x?xf32> -> !tile.view<?xf32>
      %x47 = tile.load %x46[%i33] [64] : !tile.view<?xf32> -> tensor<64xf32>
      %x48 = tile.expand_dims %x47, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %x49 = tile.iota [64] : tensor<64xi32>
      %x50 = arith.constant 64 : index
      %x51 = arith.muli %i33, %x50 : index
      %x52 = arith.index_cast %x51 : index to i32
      %x53 = tile.splat %x52 [64] : i32 -> tensor<64xi32>
      %x54 = arith.addi %x49, %x53 : tensor<64xi32>
      %x55 = tile.expand_dims %x54, 1 : tensor<64xi32> -> tensor<64x1xi32>
      %x56 = tile.broadcast %x55 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
      %x57 = arith.constant dense<0.0> : tensor<64x64xf32>
      %x58 = tile.dot %x39, %x8, %x57 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      %x59 = arith.constant dense<0.125> : tensor<64x64xf32>
      %x60 = arith.mulf %x58, %x59 : tensor<64x64xf32>
      %x61 = arith.cmpi sle, %x18, %x56 : tensor<64x64xi32>
      %x62 = tile.splat %x20 [64, 64] : i32 -> tensor<64x64xi32>
      %x63 = arith.cmpi slt, %x56, %x62 : tensor<64x64xi32>
      %x64 = arith.andi %x61, %x63 : tensor<64x64xi1>
      %x65 = tile.broadcast %x45 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
      %x66 = arith.subf %x60, %x65 : tensor<64x64xf32>
      %x67 = math.exp %x66 : tensor<64x64xf32>
      %x68 = arith.constant dense<0.0> : tensor<64x64xf32>
      %x69 = arith.select %x64, %x67, %x68 : tensor<64x64xi1>, tensor<64x64xf32>
      %x70 = tile.cast %x69 : tensor<64x64xf32> to tensor<64x64xbf16>
      %x71 = tile.dot %x70, %x42, %a35 transpose_a : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      %x72 = arith.constant dense<0.0> : tensor<64x64xf32>
      %x73 = tile.dot %x42, %x11, %x72 transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      %x74 = tile.broadcast %x48 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
      %x75 = arith.subf %x73, %x74 : tensor<64x64xf32>
      %x76 = arith.mulf %x69, %x75 : tensor<64x64xf32>
      %x77 = arith.constant dense<0.125> : tensor<64x64xf32>
      %x78 = arith.mulf %x76, %x77 : tensor<64x64xf32>
      %x79 = tile.cast %x78 : tensor<64x64xf32> to tensor<64x64xbf16>
      %x80 = tile.dot %x79, %x39, %a34 transpose_a : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      scf.yield %x80, %x71 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    scf.yield %r36#0, %r36#1 : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %x81 = tile.cast %r28#0 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x82 = tile.select %dk[%x2] : !tile.view<?x?x64xbf16> -> !tile.view<?x64xbf16>
  %x83 = arith.constant 0 : index
  tile.store %x81, %x82[%x1, %x83] : tensor<64x64xbf16>, !tile.view<?x64xbf16>
  %x84 = tile.cast %r28#1 : tensor<64x64xf32> to tensor<64x64xbf16>
  %x85 = tile.select %dv[%x2] : !tile.view<?x?x64xbf16> -> !tile.view<?x64xbf16>
  %x86 = arith.constant 0 : index
  tile.store %x84, %x85[%x1, %x86] : tensor<64x64xbf16>, !tile.view<?x64xbf16>
}
