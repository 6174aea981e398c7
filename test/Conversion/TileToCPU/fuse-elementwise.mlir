// RUN: tilegpt-opt %s --cpu-fuse-elementwise --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_reader(
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      math.exp
// CHECK-NOT:     linalg.generic
func.func @one_reader(%x: tensor<4x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %d = arith.subf %x, %m : tensor<4x8xf32>
  %e = math.exp %d : tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

// -----

// A difference is cheaper computed twice than stored; an exponential is not.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      math.exp
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      arith.divf
// CHECK:         linalg.generic
// CHECK-NOT:       math.exp
// CHECK:           math.log
func.func @two_readers(%x: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %d = arith.subf %x, %m : tensor<8xf32>
  %e = math.exp %d : tensor<8xf32>
  %q = arith.divf %d, %e : tensor<8xf32>
  %l = math.log %e : tensor<8xf32>
  return %e, %q, %l : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0, 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// One root a row, not one an element.
// CHECK-LABEL: func.func @computes_no_more_often(
// CHECK:         linalg.generic
// CHECK:           math.rsqrt
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic
// CHECK-NOT:       math.rsqrt
// CHECK:           arith.mulf
func.func @computes_no_more_often(%x: tensor<4x8xf32>, %v: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %s = math.rsqrt %v : tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x1xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%i: f32, %o: f32):
      linalg.yield %i : f32
  } -> tensor<4x8xf32>
  %r = arith.mulf %x, %b : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @fills_constants(
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK:         return %[[FILL]]
func.func @fills_constants() -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  return %c : tensor<4xf32>
}
