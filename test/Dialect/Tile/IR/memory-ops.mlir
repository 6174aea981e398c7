// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

!V = !tile.view<?x?xf32>
!W = !tile.view<?x?x!tile.elt<W>>

// CHECK-LABEL: @loads_and_stores
tile.kernel @loads_and_stores(%x: !V, %w: !W, %s: !tile.view<f32>) outs(%y: !V, %z: !W)
    params {BM = 8, BN = 16, W: type = f32} grid [1] {
  %i = tile.block_id 0
  // CHECK: %[[T:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}] [BM, 64] : !tile.view<?x?xf32> -> tensor<?x64xf32>
  %t = tile.load %x[%i, %i] [BM, 64] : !V -> tensor<?x64xf32>
  // CHECK: tile.load %{{.*}} [BM, BN] : !tile.view<?x?x!tile.elt<W>> -> tensor<?x?x!tile.elt<W>>
  %w0 = tile.load %w[%i, %i] [BM, BN] : !W -> tensor<?x?x!tile.elt<W>>
  // Zero is the default pad value and not printed.
  // CHECK: tile.load %{{.*}} [8, 4] : !tile.view<?x?xf32> -> tensor<8x4xf32>
  %p0 = tile.load %x[%i, %i] [8, 4] pad(zero) : !V -> tensor<8x4xf32>
  // CHECK: pad(neg_inf)
  %p1 = tile.load %x[%i, %i] [8, 4] pad(neg_inf) : !V -> tensor<8x4xf32>
  // CHECK: pad(pos_inf)
  %p2 = tile.load %x[%i, %i] [8, 4] pad(pos_inf) : !V -> tensor<8x4xf32>
  // CHECK: pad(nan)
  %p3 = tile.load %w[%i, %i] [8, 4] pad(nan) : !W -> tensor<8x4x!tile.elt<W>>
  // CHECK: order [1, 0] :
  %o = tile.load %x[%i, %i] [8, 4] order [1, 0] : !V -> tensor<8x4xf32>
  %m = arith.constant dense<true> : tensor<8x4xi1>
  // CHECK: order [1, 0] pad(nan) mask(%{{.*}} : tensor<8x4xi1>) {hint = "keep"} : !tile.view<?x?xf32> -> tensor<8x4xf32>
  %q = tile.load %x[%i, %i] [8, 4] order [1, 0] pad(nan) mask(%m : tensor<8x4xi1>) {hint = "keep"} : !V -> tensor<8x4xf32>
  // CHECK: tile.load %{{.*}}[] [] : !tile.view<f32> -> tensor<f32>
  %r = tile.load %s[] [] : !tile.view<f32> -> tensor<f32>

  // CHECK: tile.store %[[T]], %{{.*}}[%{{.*}}, %{{.*}}] : tensor<?x64xf32>, !tile.view<?x?xf32>
  tile.store %t, %y[%i, %i] : tensor<?x64xf32>, !V
  // CHECK: tile.store %{{.*}} order [1, 0] : tensor<8x4xf32>, !tile.view<?x?xf32>
  tile.store %o, %y[%i, %i] order [1, 0] : tensor<8x4xf32>, !V
  // CHECK: tile.store %{{.*}} mask(%{{.*}} : tensor<8x4xi1>) : tensor<8x4xf32>, !tile.view<?x?xf32>
  tile.store %o, %y[%i, %i] mask(%m : tensor<8x4xi1>) : tensor<8x4xf32>, !V
  // CHECK: tile.store %{{.*}} : tensor<?x?x!tile.elt<W>>, !tile.view<?x?x!tile.elt<W>>
  tile.store %w0, %z[%i, %i] : tensor<?x?x!tile.elt<W>>, !W
}

// CHECK-LABEL: @gathers_and_scatters
tile.kernel @gathers_and_scatters(%x: !V, %ids: !tile.view<?xi32>) outs(%y: !V)
    params {BM = 8, BN = 16} grid [1] {
  %i = tile.block_id 0
  // CHECK: %[[I:.*]] = tile.load
  %id = tile.load %ids[%i] [BM] : !tile.view<?xi32> -> tensor<?xi32>
  // CHECK: %[[T:.*]] = tile.gather %{{.*}}[%{{.*}}] at %[[I]] axis 0 [BM, BN] : !tile.view<?x?xf32>, tensor<?xi32> -> tensor<?x?xf32>
  %t = tile.gather %x[%i] at %id axis 0 [BM, BN] : !V, tensor<?xi32> -> tensor<?x?xf32>
  %j = tile.iota [4] : tensor<4xi64>
  %m = arith.constant dense<true> : tensor<8x4xi1>
  // CHECK: axis 1 [8, 4] pad(neg_inf) mask(%{{.*}} : tensor<8x4xi1>) : !tile.view<?x?xf32>, tensor<4xi64> -> tensor<8x4xf32>
  %u = tile.gather %x[%i] at %j axis 1 [8, 4] pad(neg_inf) mask(%m : tensor<8x4xi1>) : !V, tensor<4xi64> -> tensor<8x4xf32>
  // CHECK: tile.scatter %[[T]], %{{.*}}[%{{.*}}] at %[[I]] axis 0 : tensor<?x?xf32>, !tile.view<?x?xf32>, tensor<?xi32>
  tile.scatter %t, %y[%i] at %id axis 0 : tensor<?x?xf32>, !V, tensor<?xi32>
  // CHECK: tile.scatter %{{.*}} axis 1 mask(%{{.*}} : tensor<8x4xi1>) : tensor<8x4xf32>, !tile.view<?x?xf32>, tensor<4xi64>
  tile.scatter %u, %y[%i] at %j axis 1 mask(%m : tensor<8x4xi1>) : tensor<8x4xf32>, !V, tensor<4xi64>
}

// Windows of an out may be written.
// CHECK-LABEL: @stores_through_windows
tile.kernel @stores_through_windows(%n: index) outs(%y: !tile.view<?x8x16xf32>) grid [1] {
  %i = tile.block_id 0
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %s = tile.select %y[%i] : !tile.view<?x8x16xf32> -> !tile.view<8x16xf32>
  %t = tile.transpose %s [1, 0] : !tile.view<8x16xf32> -> !tile.view<16x8xf32, strides=[1, 16]>
  %w = tile.subview %t[4, 0] [4, 8] : !tile.view<16x8xf32, strides=[1, 16]> -> !tile.view<4x8xf32, strides=[1, 16]>
  // CHECK: tile.store
  tile.store %z, %w[%i, %i] : tensor<4x8xf32>, !tile.view<4x8xf32, strides=[1, 16]>
}
