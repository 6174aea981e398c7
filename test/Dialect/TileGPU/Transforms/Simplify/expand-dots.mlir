// RUN: tilegpt-opt %s -split-input-file --tile-gpu-expand-dots --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// One row against sixteen: the weights are read once, in pieces; products are summed elementwise until the end.
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

// Computed operands are not split into pieces; an rhs that is not transposed is summed along its rows.
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

// Integers wrap, and are extended as the dot specifies.
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

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!Q = !tile.view<?x64xbf16>

// Rows in a loop that share its loads are left to tensor cores, even just two or one.
// CHECK-LABEL: @in_loop
// CHECK:       scf.for
// CHECK:         tile.dot {{.*}} transpose_b : tensor<2x64xbf16>, tensor<32x64xbf16>, tensor<2x32xf32>
// CHECK:         tile.dot {{.*}} transpose_b : tensor<1x64xbf16>, tensor<32x64xbf16>, tensor<1x32xf32>
tile.kernel @in_loop(%q: !Q, %k: !Q, %n: index) outs(%y: !tile.view<2x32xf32>, %z: !tile.view<1x32xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant dense<0.0> : tensor<2x32xf32>
  %one = arith.constant dense<0.0> : tensor<1x32xf32>
  %q2 = tile.load %q[%c0, %c0] [2, 64] : !Q -> tensor<2x64xbf16>
  %q1 = tile.load %q[%c0, %c0] [1, 64] : !Q -> tensor<1x64xbf16>
  %s2, %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%a2 = %two, %a1 = %one) -> (tensor<2x32xf32>, tensor<1x32xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !Q -> tensor<32x64xbf16>
    %n2 = tile.dot %q2, %kt, %a2 transpose_b : tensor<2x64xbf16>, tensor<32x64xbf16>, tensor<2x32xf32> -> tensor<2x32xf32>
    %n1 = tile.dot %q1, %kt, %a1 transpose_b : tensor<1x64xbf16>, tensor<32x64xbf16>, tensor<1x32xf32> -> tensor<1x32xf32>
    scf.yield %n2, %n1 : tensor<2x32xf32>, tensor<1x32xf32>
  }
  tile.store %s2, %y[%c0, %c0] : tensor<2x32xf32>, !tile.view<2x32xf32>
  tile.store %s1, %z[%c0, %c0] : tensor<1x32xf32>, !tile.view<1x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!Q = !tile.view<?x64xf32>

// f32 keeps full precision: two rows are multiplied from shared memory; for one row all products are computed at once.
// CHECK-LABEL: @f32_in_loop
// CHECK:       scf.for
// CHECK:         tile.dot {{.*}} transpose_b : tensor<2x64xf32>, tensor<32x64xf32>, tensor<2x32xf32>
// CHECK:         tile.reduce add %{{.*}} axis 2 : tensor<1x32x64xf32>
// CHECK-NOT:     tile.dot
tile.kernel @f32_in_loop(%q: !Q, %k: !Q, %n: index) outs(%y: !tile.view<2x32xf32>, %z: !tile.view<1x32xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant dense<0.0> : tensor<2x32xf32>
  %one = arith.constant dense<0.0> : tensor<1x32xf32>
  %q2 = tile.load %q[%c0, %c0] [2, 64] : !Q -> tensor<2x64xf32>
  %q1 = tile.load %q[%c0, %c0] [1, 64] : !Q -> tensor<1x64xf32>
  %s2, %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%a2 = %two, %a1 = %one) -> (tensor<2x32xf32>, tensor<1x32xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !Q -> tensor<32x64xf32>
    %n2 = tile.dot %q2, %kt, %a2 transpose_b : tensor<2x64xf32>, tensor<32x64xf32>, tensor<2x32xf32> -> tensor<2x32xf32>
    %n1 = tile.dot %q1, %kt, %a1 transpose_b : tensor<1x64xf32>, tensor<32x64xf32>, tensor<1x32xf32> -> tensor<1x32xf32>
    scf.yield %n2, %n1 : tensor<2x32xf32>, tensor<1x32xf32>
  }
  tile.store %s2, %y[%c0, %c0] : tensor<2x32xf32>, !tile.view<2x32xf32>
  tile.store %s1, %z[%c0, %c0] : tensor<1x32xf32>, !tile.view<1x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!Q = !tile.view<?x?xf32>

// f32 products without a matrix instruction: more than registers hold at once, and exactly as many.
// CHECK-LABEL: @many_products
// CHECK:       tile.dot {{.*}} transpose_b : tensor<4x128xf32>, tensor<64x128xf32>, tensor<4x64xf32>
// CHECK:       tile.reduce add %{{.*}} axis 2 : tensor<4x16x64xf32>
tile.kernel @many_products(%q: !Q, %k: !Q) outs(%y: !Q, %z: !Q) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %large = arith.constant dense<0.0> : tensor<4x64xf32>
  %small = arith.constant dense<0.0> : tensor<4x16xf32>
  %ql = tile.load %q[%c0, %c0] [4, 128] : !Q -> tensor<4x128xf32>
  %qs = tile.load %q[%c0, %c0] [4, 64] : !Q -> tensor<4x64xf32>
  %kl = tile.load %k[%c0, %c0] [64, 128] : !Q -> tensor<64x128xf32>
  %ks = tile.load %k[%c0, %c0] [16, 64] : !Q -> tensor<16x64xf32>
  %a = tile.dot %ql, %kl, %large transpose_b : tensor<4x128xf32>, tensor<64x128xf32>, tensor<4x64xf32> -> tensor<4x64xf32>
  %b = tile.dot %qs, %ks, %small transpose_b : tensor<4x64xf32>, tensor<16x64xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  tile.store %a, %y[%c0, %c0] : tensor<4x64xf32>, !Q
  tile.store %b, %z[%c0, %c0] : tensor<4x16xf32>, !Q
}
