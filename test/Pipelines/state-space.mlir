// Chunks of a state space model: the decayed keys are computed in the layout of their loads, and written to shared memory
// for a dot as they are. The exchange that would convert them first does not fit shared memory beside two stages.
// RUN: tilegpt-opt %s --arch=sm_90a --arg=x=4x16x2048x64xbf16,bm=4x2048x128xbf16,cm=4x2048x128xbf16,a=4x16x2048xf32,y=4x16x2048x64xbf16 --compile-to=layouts | FileCheck %s

// CHECK-NOT: tile_gpu.convert_layout {{.*}} : tensor<128x128xbf16
// CHECK:     tile_gpu.write %{{.*}} : tensor<128x128xbf16, {{.*}}>, !tile_gpu.shared<128x128xbf16, swizzle = 128>
// CHECK-NOT: tile_gpu.convert_layout {{.*}} : tensor<128x128xbf16

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
    %x28 = tile.scan add %x27 axis 0 : tensor<128x1xf32>
    %x29 = tile.reduce add %x27 axis 0 keepdims : tensor<128x1xf32> -> tensor<1x1xf32>
    %x30 = tile.broadcast %x28 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x31 = tile.reshape %x28 [1, 128] : tensor<128x1xf32> -> tensor<1x128xf32>
    %x32 = tile.broadcast %x31 [128, 128] : tensor<1x128xf32> -> tensor<128x128xf32>
    %x33 = arith.subf %x30, %x32 : tensor<128x128xf32>
    %x34 = math.exp %x33 : tensor<128x128xf32>
    %x35 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x36 = tile.dot %x25, %x22, %x35 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x37 = arith.mulf %x36, %x34 : tensor<128x128xf32>
    %x38 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x39 = arith.select %x9, %x37, %x38 : tensor<128x128xi1>, tensor<128x128xf32>
    %x40 = tile.cast %x15 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x41 = arith.constant dense<0.0> : tensor<128x64xf32>
    %x42 = tile.dot %x25, %x40, %x41 : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x43 = math.exp %x28 : tensor<128x1xf32>
    %x44 = tile.broadcast %x43 [128, 64] : tensor<128x1xf32> -> tensor<128x64xf32>
    %x45 = arith.mulf %x42, %x44 : tensor<128x64xf32>
    %x46 = tile.cast %x39 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x47 = tile.dot %x46, %x19, %x45 : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %x48 = arith.constant 0 : index
    %x49 = tile.cast %x47 : tensor<128x64xf32> to tensor<128x64xbf16>
    %x50 = tile.reshape %x49 [1, 1, 128, 64] : tensor<128x64xbf16> -> tensor<1x1x128x64xbf16>
    tile.store %x50, %y[%x2, %x1, %x14, %x48] : tensor<1x1x128x64xbf16>, !tile.view<?x?x?x?xbf16>
    %x51 = tile.cast %x22 : tensor<128x128xbf16> to tensor<128x128xf32>
    %x52 = tile.broadcast %x29 [128, 1] : tensor<1x1xf32> -> tensor<128x1xf32>
    %x53 = arith.subf %x52, %x28 : tensor<128x1xf32>
    %x54 = math.exp %x53 : tensor<128x1xf32>
    %x55 = tile.broadcast %x54 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x56 = arith.mulf %x51, %x55 : tensor<128x128xf32>
    %x57 = tile.cast %x56 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x58 = math.exp %x29 : tensor<1x1xf32>
    %x59 = tile.broadcast %x58 [128, 64] : tensor<1x1xf32> -> tensor<128x64xf32>
    %x60 = arith.mulf %x15, %x59 : tensor<128x64xf32>
    %x61 = tile.dot %x57, %x19, %x60 transpose_a : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %x61 : tensor<128x64xf32>
  }
}
