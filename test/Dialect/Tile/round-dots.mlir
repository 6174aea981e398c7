// RUN: tilegpt-opt %s --tile-round-dots | FileCheck %s

// CHECK-LABEL: @dots
// CHECK:       tile.dot {{.*}} precision(tf32) : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
// CHECK:       tile.dot
// CHECK-NOT:   precision
// CHECK-SAME:  tensor<16x8xbf16>, tensor<8x16xf32>
tile.kernel @dots(%x: !tile.view<16x8xf32>, %h: !tile.view<16x8xbf16>, %w: !tile.view<8x16xf32>) outs(%y: !tile.view<16x16xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %xt = tile.load %x[%c0, %c0] [16, 8] : !tile.view<16x8xf32> -> tensor<16x8xf32>
  %ht = tile.load %h[%c0, %c0] [16, 8] : !tile.view<16x8xbf16> -> tensor<16x8xbf16>
  %wt = tile.load %w[%c0, %c0] [8, 16] : !tile.view<8x16xf32> -> tensor<8x16xf32>
  %a = tile.dot %xt, %wt, %zero : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %b = tile.dot %ht, %wt, %a : tensor<16x8xbf16>, tensor<8x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %b, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
}
