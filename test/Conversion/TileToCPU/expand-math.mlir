// RUN: tilegpt-opt %s --cpu-expand-math | FileCheck %s

// CHECK-LABEL: func.func @polynomials(
// CHECK-NOT:     math.exp
// CHECK-NOT:     math.tanh
// CHECK:         math.roundeven %{{.*}} : vector<16xf32>
// CHECK:         math.fma
// CHECK:         arith.shli
// CHECK:         math.copysign
func.func @polynomials(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %e = math.exp %x : vector<16xf32>
  %t = math.tanh %x : vector<16xf32>
  return %e, %t : vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func.func @left_to_libm(
// CHECK:         math.exp %{{.*}} : f64
// CHECK:         math.sin %{{.*}} : f32
func.func @left_to_libm(%x: f64, %y: f32) -> (f64, f32) {
  %e = math.exp %x : f64
  %s = math.sin %y : f32
  return %e, %s : f64, f32
}
