// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK-LABEL: @named_reductions
func.func @named_reductions(%x: tensor<4x?xf32>, %i: tensor<4x?xi32>, %b: tensor<4x?xi1>) {
  // CHECK: tile.reduce add %{{.*}} axis 1 : tensor<4x?xf32> -> tensor<4xf32>
  %0 = tile.reduce add %x axis 1 : tensor<4x?xf32> -> tensor<4xf32>
  // CHECK: tile.reduce mul %{{.*}} axis 0 : tensor<4x?xi32> -> tensor<?xi32>
  %1 = tile.reduce mul %i axis 0 : tensor<4x?xi32> -> tensor<?xi32>
  // CHECK: tile.reduce max %{{.*}} axis 1 keepdims : tensor<4x?xf32> -> tensor<4x1xf32>
  %2 = tile.reduce max %x axis 1 keepdims : tensor<4x?xf32> -> tensor<4x1xf32>
  // CHECK: tile.reduce min %{{.*}} axis 1 nan(ignore) : tensor<4x?xf32> -> tensor<4xf32>
  %3 = tile.reduce min %x axis 1 nan(ignore) : tensor<4x?xf32> -> tensor<4xf32>
  // CHECK: tile.reduce max %{{.*}} axis 1 keepdims nan(ignore) {hint = 1 : i64} : tensor<4x?xf32> -> tensor<4x1xf32>
  %4 = tile.reduce max %x axis 1 keepdims nan(ignore) {hint = 1} : tensor<4x?xf32> -> tensor<4x1xf32>
  // Propagation is the default policy and not printed.
  // CHECK: tile.reduce max %{{.*}} axis 1 : tensor<4x?xf32> -> tensor<4xf32>
  %5 = tile.reduce max %x axis 1 nan(propagate) : tensor<4x?xf32> -> tensor<4xf32>
  // CHECK: tile.reduce umax %{{.*}} axis 1 :
  %6 = tile.reduce umax %i axis 1 : tensor<4x?xi32> -> tensor<4xi32>
  // CHECK: tile.reduce umin %{{.*}} axis 1 :
  %7 = tile.reduce umin %i axis 1 : tensor<4x?xi32> -> tensor<4xi32>
  // CHECK: tile.reduce and %{{.*}} axis 1 : tensor<4x?xi1> -> tensor<4xi1>
  %8 = tile.reduce and %b axis 1 : tensor<4x?xi1> -> tensor<4xi1>
  // CHECK: tile.reduce or %{{.*}} axis 1 :
  %9 = tile.reduce or %b axis 1 : tensor<4x?xi1> -> tensor<4xi1>
  // CHECK: tile.reduce xor %{{.*}} axis 1 :
  %10 = tile.reduce xor %i axis 1 : tensor<4x?xi32> -> tensor<4xi32>
  // CHECK: tile.reduce argmax %{{.*}} axis 1 : tensor<4x?xf32> -> tensor<4xi32>
  %11 = tile.reduce argmax %x axis 1 : tensor<4x?xf32> -> tensor<4xi32>
  // CHECK: tile.reduce argmin %{{.*}} axis 0 keepdims nan(ignore) : tensor<4x?xf32> -> tensor<1x?xi32>
  %12 = tile.reduce argmin %x axis 0 keepdims nan(ignore) : tensor<4x?xf32> -> tensor<1x?xi32>
  return
}

// CHECK-LABEL: @reduction_by_region
func.func @reduction_by_region(%x: tensor<8xf32>, %y: tensor<?xi32>) {
  // CHECK: %{{.*}}:2 = tile.reduce %{{.*}}, %{{.*}} axis 0 identities [0.000000e+00 : f32, 1 : i32] {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: i32, %[[U:.*]]: f32, %[[V:.*]]: i32):
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
  // CHECK: } {hint = "both"} : tensor<8xf32>, tensor<?xi32> -> (tensor<f32>, tensor<i32>)
  %s, %q = tile.reduce %x, %y axis 0 identities [0.0 : f32, 1 : i32] {
    ^bb0(%a: f32, %b: i32, %u: f32, %v: i32):
      %0 = arith.addf %a, %u : f32
      %1 = arith.muli %b, %v : i32
      tile.yield %0, %1 : f32, i32
    } {hint = "both"} : tensor<8xf32>, tensor<?xi32> -> (tensor<f32>, tensor<i32>)
  // CHECK: tile.reduce %{{.*}} axis 0 keepdims identities [0.000000e+00 : f32] {
  // CHECK: } : tensor<8xf32> -> tensor<1xf32>
  %r = tile.reduce %x axis 0 keepdims identities [0.0 : f32] {
    ^bb0(%a: f32, %u: f32):
      %0 = arith.maximumf %a, %u : f32
      tile.yield %0 : f32
    } : tensor<8xf32> -> tensor<1xf32>
  return
}
