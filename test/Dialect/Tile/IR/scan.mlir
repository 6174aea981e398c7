// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK-LABEL: @named_scans
func.func @named_scans(%x: tensor<4x?xf32>, %i: tensor<4x?xi32>, %b: tensor<4xi1>) {
  // CHECK: tile.scan add %{{.*}} axis 1 : tensor<4x?xf32>
  %0 = tile.scan add %x axis 1 : tensor<4x?xf32>
  // CHECK: tile.scan mul %{{.*}} axis 0 exclusive : tensor<4x?xi32>
  %1 = tile.scan mul %i axis 0 exclusive : tensor<4x?xi32>
  // CHECK: tile.scan max %{{.*}} axis 1 reverse nan(ignore) : tensor<4x?xf32>
  %2 = tile.scan max %x axis 1 reverse nan(ignore) : tensor<4x?xf32>
  // CHECK: tile.scan umin %{{.*}} axis 1 exclusive reverse {hint = 1 : i64} : tensor<4x?xi32>
  %3 = tile.scan umin %i axis 1 exclusive reverse {hint = 1} : tensor<4x?xi32>
  // CHECK: tile.scan xor %{{.*}} axis 0 : tensor<4xi1>
  %4 = tile.scan xor %b axis 0 : tensor<4xi1>
  return
}

// CHECK-LABEL: @by_region
func.func @by_region(%a: tensor<8xf32>, %n: tensor<8xi32>) {
  // CHECK: %{{.*}}:2 = tile.scan %{{.*}}, %{{.*}} axis 0 exclusive identities [0.000000e+00 : f32, 0 : i32] {
  // CHECK: ^bb0(%[[F:.*]]: f32, %[[I:.*]]: i32, %[[G:.*]]: f32, %[[J:.*]]: i32):
  // CHECK: tile.yield
  // CHECK: } : tensor<8xf32>, tensor<8xi32>
  %0, %1 = tile.scan %a, %n axis 0 exclusive identities [0.0 : f32, 0 : i32] {
  ^bb0(%f: f32, %i: i32, %g: f32, %j: i32):
    %2 = arith.addf %f, %g : f32
    %3 = arith.addi %i, %j : i32
    tile.yield %2, %3 : f32, i32
  } : tensor<8xf32>, tensor<8xi32>
  return
}

// Clauses may come in any order; they are printed in this one.
// CHECK-LABEL: @clauses_in_any_order
func.func @clauses_in_any_order(%a: tensor<8xf32>) {
  // CHECK: tile.scan %{{.*}} axis 0 exclusive reverse identities [0.000000e+00 : f32] {
  %0 = tile.scan %a axis 0 identities [0.0 : f32] reverse exclusive {
  ^bb0(%f: f32, %g: f32):
    %1 = arith.addf %f, %g : f32
    tile.yield %1 : f32
  } : tensor<8xf32>
  // CHECK: tile.reduce max %{{.*}} axis 0 keepdims nan(ignore) : tensor<8xf32> -> tensor<1xf32>
  %2 = tile.reduce max %a axis 0 nan(ignore) keepdims : tensor<8xf32> -> tensor<1xf32>
  return
}
