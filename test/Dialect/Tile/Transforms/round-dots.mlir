// RUN: tilegpt-opt %s --tile-round-dots='tf32 f8' | FileCheck %s --check-prefixes=CHECK,TF32,F8
// RUN: tilegpt-opt %s --tile-round-dots=tf32 | FileCheck %s --check-prefixes=CHECK,TF32
// RUN: tilegpt-opt %s --tile-round-dots=f8 | FileCheck %s --check-prefixes=CHECK,F8
// RUN: tilegpt-opt %s --tile-round-dots | FileCheck %s

// CHECK-LABEL: @dots
// TF32:        tile.dot {{.*}} precision(tf32) : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
// F8:          tile.dot {{.*}} precision(fast) : tensor<16x8xf8E4M3FN>, tensor<8x16xf8E5M2>, tensor<16x16xf32>
// CHECK:       tile.dot %{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}} : tensor<16x8xbf16>, tensor<8x16xf32>
// CHECK:       tile.dot %{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}} : tensor<16x8xbf16>, tensor<8x16xf8E5M2>
tile.kernel @dots(%x: !tile.view<16x8xf32>, %h: !tile.view<16x8xbf16>, %w: !tile.view<8x16xf32>,
                  %q: !tile.view<16x8xf8E4M3FN>, %v: !tile.view<8x16xf8E5M2>) outs(%y: !tile.view<16x16xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %xt = tile.load %x[%c0, %c0] [16, 8] : !tile.view<16x8xf32> -> tensor<16x8xf32>
  %ht = tile.load %h[%c0, %c0] [16, 8] : !tile.view<16x8xbf16> -> tensor<16x8xbf16>
  %wt = tile.load %w[%c0, %c0] [8, 16] : !tile.view<8x16xf32> -> tensor<8x16xf32>
  %qt = tile.load %q[%c0, %c0] [16, 8] : !tile.view<16x8xf8E4M3FN> -> tensor<16x8xf8E4M3FN>
  %vt = tile.load %v[%c0, %c0] [8, 16] : !tile.view<8x16xf8E5M2> -> tensor<8x16xf8E5M2>
  %a = tile.dot %xt, %wt, %zero : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %b = tile.dot %qt, %vt, %a : tensor<16x8xf8E4M3FN>, tensor<8x16xf8E5M2>, tensor<16x16xf32> -> tensor<16x16xf32>
  %c = tile.dot %ht, %wt, %b : tensor<16x8xbf16>, tensor<8x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %d = tile.dot %ht, %vt, %c : tensor<16x8xbf16>, tensor<8x16xf8E5M2>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %d, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
}
