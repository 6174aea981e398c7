// RUN: tilegpt-opt %s --tile-gpu-relax-rounded | FileCheck %s

// Weights of a softmax, divided by their sum and rounded to 16 bits.
// CHECK-LABEL: tile.kernel @weights
// CHECK:         math.exp %{{.*}} fastmath<afn>
tile.kernel @weights(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %e = math.exp %x : tensor<1x768xf32>
  %s = tile.reduce add %e axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %s [1, 768] : tensor<1x1xf32> -> tensor<1x768xf32>
  %d = arith.divf %e, %b : tensor<1x768xf32>
  %r = tile.cast %d : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %r, %y[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
}

// What is stored as it is, added to something, or summed up behind a product that may be negative stays exact.
// CHECK-LABEL: tile.kernel @exact
// CHECK-NOT:     fastmath
tile.kernel @exact(%xs: !tile.view<?x768xf32>) outs(%y: !tile.view<?x768xf32>, %z: !tile.view<?x768xbf16>, %w: !tile.view<?x1xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %xs[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %a = math.exp %x : tensor<1x768xf32>
  tile.store %a, %y[%c0, %c0] : tensor<1x768xf32>, !tile.view<?x768xf32>
  %b = math.exp %x : tensor<1x768xf32>
  %bs = arith.subf %b, %x : tensor<1x768xf32>
  %br = tile.cast %bs : tensor<1x768xf32> to tensor<1x768xbf16>
  tile.store %br, %z[%c0, %c0] : tensor<1x768xbf16>, !tile.view<?x768xbf16>
  %c = math.exp %x : tensor<1x768xf32>
  %cp = arith.mulf %c, %x : tensor<1x768xf32>
  %cs = tile.reduce add %cp axis 1 keepdims : tensor<1x768xf32> -> tensor<1x1xf32>
  %cr = tile.cast %cs : tensor<1x1xf32> to tensor<1x1xbf16>
  tile.store %cr, %w[%c0, %c0] : tensor<1x1xbf16>, !tile.view<?x1xbf16>
}
