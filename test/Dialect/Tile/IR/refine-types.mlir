// Binding the parameters of a kernel makes the result types of every op static.
// RUN: tilegpt-opt %s --tile-specialize | FileCheck %s
// RUN: tilegpt-opt %s --tile-bind-parameters=bind=BM=2,BN=12,X=bf16 --tile-specialize | FileCheck %s --check-prefix=BOUND

!X = !tile.view<?x?x!tile.elt<X>>

// CHECK-LABEL: tile.kernel @views
tile.kernel @views(%x: !tile.view<?x?x6x8xf32>, %w: !tile.view<?x64xf32>) params {D = 16} grid [1] {
  %i = tile.block_id 0
  %d = tile.param D
  // CHECK: tile.subview {{.*}} -> !tile.view<?x16xf32, strides=[64, 1]>
  %0 = tile.subview %w[%i, 0] [%i, %d] : !tile.view<?x64xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
  // CHECK: tile.select {{.*}} -> !tile.view<6x8xf32>
  %1 = tile.select %x[%i, %i] : !tile.view<?x?x6x8xf32> -> !tile.view<?x?xf32>
  // CHECK: tile.transpose {{.*}} -> !tile.view<8x6xf32, strides=[1, 8]>
  %2 = tile.transpose %1 [1, 0] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[?, ?]>
  // CHECK: tile.subview {{.*}} : !tile.view<8x6xf32, strides=[1, 8]> -> !tile.view<2x3xf32, strides=[1, 8]>
  %3 = tile.subview %2[4, 0] [2, 3] : !tile.view<?x?xf32, strides=[?, ?]> -> !tile.view<?x?xf32, strides=[?, ?]>
  // CHECK: tile.dim {{.*}} : !tile.view<8x6xf32, strides=[1, 8]>
  %4 = tile.dim %2, 0 : !tile.view<?x?xf32, strides=[?, ?]>
}

// CHECK-LABEL: tile.kernel @tiles
// CHECK-SAME: !tile.view<?x?xf32>
// BOUND-LABEL: tile.kernel @tiles
// BOUND-SAME: !tile.view<?x?xbf16>
tile.kernel @tiles(%x: !X, %ids: !tile.view<?xi32>, %s: f32) outs(%y: !X)
    params {BM = 4 in [2], BN = 6 in [12], X: type = f32 in [bf16]} grid [1] {
  %i = tile.block_id 0
  // CHECK: tile.load {{.*}} [4, 6] : !tile.view<?x?xf32> -> tensor<4x6xf32>
  // BOUND: tile.load {{.*}} [2, 12] : !tile.view<?x?xbf16> -> tensor<2x12xbf16>
  %0 = tile.load %x[%i, %i] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  // CHECK: tile.load {{.*}} -> tensor<4xi32>
  %1 = tile.load %ids[%i] [BM] : !tile.view<?xi32> -> tensor<?xi32>
  // CHECK: tile.gather {{.*}} tensor<4xi32> -> tensor<4x6xf32>
  // BOUND: tile.gather {{.*}} tensor<2xi32> -> tensor<2x12xbf16>
  %2 = tile.gather %x[%i] at %1 axis 0 [BM, BN] : !X, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  // CHECK: tile.cast {{.*}} : tensor<4x6xf32> to tensor<4x6xf32>
  // BOUND: tile.cast {{.*}} : tensor<2x12xbf16> to tensor<2x12xf32>
  %3 = tile.cast %0 : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  // CHECK: tile.splat {{.*}} -> tensor<4x4xf32>
  %4 = tile.splat %s [BM, BM] : f32 -> tensor<?x?xf32>
  // CHECK: tile.dot {{.*}} -> tensor<4x4xf32>
  // BOUND: tile.dot {{.*}} -> tensor<2x2xf32>
  %5 = tile.dot %0, %2, %4 transpose_b : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: tile.iota [6] : tensor<6xi32>
  %6 = tile.iota [BN] : tensor<?xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<1x6xi32>
  %7 = tile.expand_dims %6, 0 : tensor<?xi32> -> tensor<1x?xi32>
  // CHECK: tile.broadcast {{.*}} -> tensor<4x6xi32>
  %8 = tile.broadcast %7 [BM, BN] : tensor<1x?xi32> -> tensor<?x?xi32>
  // CHECK: tile.permute {{.*}} -> tensor<6x4xi32>
  %9 = tile.permute %8 [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
  // CHECK: tile.cat {{.*}} -> tensor<12x4xi32>
  // BOUND: tile.cat {{.*}} -> tensor<24x2xi32>
  %10 = tile.cat %9, %9 axis 0 : tensor<?x?xi32>, tensor<?x?xi32> -> tensor<?x?xi32>
  // CHECK: tile.extract {{.*}} -> tensor<6x2xi32>
  %11 = tile.extract %10[%i, %i] [BN, 2] : tensor<?x?xi32> -> tensor<?x2xi32>
  // CHECK: tile.insert {{.*}} -> tensor<12x4xi32>
  %12 = tile.insert %11 into %10[%i, %i] : tensor<?x2xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  // CHECK: tile.cat {{.*}} -> tensor<4x12xi32>
  %13 = tile.cat %8, %8 axis 1 : tensor<?x?xi32>, tensor<?x?xi32> -> tensor<?x?xi32>
  // CHECK: tile.reshape {{.*}} -> tensor<4x2x6xi32>
  // BOUND: tile.reshape {{.*}} -> tensor<2x2x12xi32>
  %14 = tile.reshape %13 [BM, 2, BN] : tensor<?x?xi32> -> tensor<?x2x?xi32>
  // CHECK: tile.reduce argmax {{.*}} -> tensor<4x1xi32>
  %15 = tile.reduce argmax %3 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xi32>
  // CHECK: tile.reduce {{.*}} axis 0 identities
  // CHECK: } : tensor<4x6xf32>, tensor<4x6xi32> -> (tensor<6xf32>, tensor<6xi32>)
  %16:2 = tile.reduce %3, %8 axis 0 identities [0.0 : f32, 0 : i32] {
    ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
      tile.yield %c, %d : f32, i32
  } : tensor<?x?xf32>, tensor<?x?xi32> -> (tensor<?xf32>, tensor<?xi32>)
  tile.store %0, %y[%i, %i] : tensor<?x?x!tile.elt<X>>, !X
}
