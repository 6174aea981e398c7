// Weights that a producer copies are read in the layout of a left operand, whatever axis is contiguous; loads from global
// memory, whose lanes would read eight bytes each, are not scattered like this.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s

!X = !tile.view<128x1024xf16>
!W = !tile.view<1024x128xi8>
!Y = !tile.view<128x128xf32>

// CHECK-LABEL: tile.kernel @weights(
// CHECK:       } consumer {
// CHECK-NOT:     tile_gpu.convert_layout
// CHECK:         %[[Q:.*]] = tile_gpu.read %{{.*}} : !tile_gpu.shared<64x64xi8, swizzle = 64>
// CHECK:         %[[T:.*]] = tile.permute %{{.*}} [1, 0]
// CHECK-NEXT:    tile_gpu.pack %[[T]]
// CHECK-NOT:     tile_gpu.convert_layout
tile.kernel @weights(%x: !X, %w: !W) outs(%y: !Y) grid [2, 2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xf16>
    %q = tile.load %w[%k, %n] [64, 64] : !W -> tensor<64x64xi8>
    %b = arith.sitofp %q : tensor<64x64xi8> to tensor<64x64xf16>
    %p = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %p : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !Y
}
