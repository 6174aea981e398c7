// Rounding of f32 products is requested explicitly, on any device.
// RUN: tilegpt-opt %s --compile-to=specialized --tf32 | FileCheck %s --check-prefix=TF32
// RUN: tilegpt-opt %s --compile-to=specialized --arch=sm_90a | FileCheck %s --check-prefix=F32

// TF32: tile.dot {{.*}} precision(tf32)
// F32: tile.dot
// F32-NOT: precision(tf32)
tile.kernel @square(%x: !tile.view<16x16xf32>) outs(%y: !tile.view<16x16xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %t = tile.load %x[%c0, %c0] [16, 16] : !tile.view<16x16xf32> -> tensor<16x16xf32>
  %s = tile.dot %t, %t, %zero : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %s, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
}
