// RUN: tilegpt-opt %s -split-input-file --tile-gpu-expand-dots --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// One row against sixteen: the weights are read once, in pieces; products are summed element by element until the end.
// CHECK-LABEL: @one_row
// CHECK-NOT:   tile.dot
// CHECK:       %[[SUMS:.*]] = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<1x16x128xf32>)
// CHECK:         %[[X:.*]] = tile.load %{{.*}}[%c0, %[[K]]] [1, 128]
// CHECK:         %[[W:.*]] = tile.load %{{.*}}[%{{.*}}, %[[K]]] [16, 128]
// CHECK:         arith.extf %[[W]] : tensor<16x128xbf16> to tensor<16x128xf32>
// CHECK:         arith.mulf {{.*}} fastmath<contract> : tensor<1x16x128xf32>
// CHECK:         arith.addf %[[ACC]], %{{.*}} fastmath<contract>
// CHECK:       tile.reduce add %[[SUMS]] axis 2 : tensor<1x16x128xf32> -> tensor<1x16xf32>
tile.kernel @one_row(%x: !tile.view<?x768xf32>, %w: !tile.view<?x768xbf16>) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 1), 16)] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<1x16xf32>
  %xt = tile.load %x[%c0, %c0] [1, 768] : !tile.view<?x768xf32> -> tensor<1x768xf32>
  %wt = tile.load %w[%n, %c0] [16, 768] : !tile.view<?x768xbf16> -> tensor<16x768xbf16>
  %sum = tile.dot %xt, %wt, %init transpose_b : tensor<1x768xf32>, tensor<16x768xbf16>, tensor<1x16xf32> -> tensor<1x16xf32>
  tile.store %sum, %y[%c0, %n] : tensor<1x16xf32>, !tile.view<?x?xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// What is computed is not cut into pieces; a right-hand side that is not transposed is summed along its rows.
// CHECK-LABEL: @computed
// CHECK-NOT:   scf.for
// CHECK:       tile.expand_dims %{{.*}}, 2 : tensor<2x32xf32> -> tensor<2x32x1xf32>
// CHECK:       tile.reduce add %{{.*}} axis 1 : tensor<2x32x64xf32> -> tensor<2x64xf32>
tile.kernel @computed(%p: !tile.view<2x32xf32>, %v: !tile.view<32x64xf32>) outs(%y: !tile.view<2x64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<2x64xf32>
  %pt = tile.load %p[%c0, %c0] [2, 32] : !tile.view<2x32xf32> -> tensor<2x32xf32>
  %e = math.exp2 %pt : tensor<2x32xf32>
  %vt = tile.load %v[%c0, %c0] [32, 64] : !tile.view<32x64xf32> -> tensor<32x64xf32>
  %o = tile.dot %e, %vt, %init : tensor<2x32xf32>, tensor<32x64xf32>, tensor<2x64xf32> -> tensor<2x64xf32>
  tile.store %o, %y[%c0, %c0] : tensor<2x64xf32>, !tile.view<2x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Integers wrap, and are widened as the dot says.
// CHECK-LABEL: @bytes
// CHECK:       arith.extui {{.*}} : tensor<1x32xi8> to tensor<1x32xi32>
// CHECK:       arith.extsi {{.*}} : tensor<8x32xi8> to tensor<8x32xi32>
// CHECK:       arith.muli
// CHECK:       tile.reduce add
// CHECK:       arith.addi
tile.kernel @bytes(%a: !tile.view<1x32xi8>, %b: !tile.view<8x32xi8>) outs(%y: !tile.view<1x8xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0> : tensor<1x8xi32>
  %at = tile.load %a[%c0, %c0] [1, 32] : !tile.view<1x32xi8> -> tensor<1x32xi8>
  %bt = tile.load %b[%c0, %c0] [8, 32] : !tile.view<8x32xi8> -> tensor<8x32xi8>
  %s = tile.dot %at, %bt, %init transpose_b unsigned_lhs : tensor<1x32xi8>, tensor<8x32xi8>, tensor<1x8xi32> -> tensor<1x8xi32>
  tile.store %s, %y[%c0, %c0] : tensor<1x8xi32>, !tile.view<1x8xi32>
}
