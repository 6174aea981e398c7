// Shared memory fits three blocks, but the registers only two.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --arch=sm_90a --arg=x=16384x4096xbf16,g=4096xf32,dy=16384x4096xbf16,dx=16384x4096xbf16,dg=256x4096xf32 --emit=report | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --arg=x=16384x4096xbf16,g=4096xf32,dy=16384x4096xbf16,dx=16384x4096xbf16,dg=256x4096xf32 --emit=ptx | FileCheck %s --check-prefix=PTX

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// PTX: .minnctapersm 2

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
