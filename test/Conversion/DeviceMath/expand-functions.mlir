// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(tile-gpu-expand-functions))' | FileCheck %s

// CHECK-LABEL: func.func @in_f64(
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK-NOT:     math.sin
// CHECK-NOT:     math.log2
// CHECK-NOT:     math.powf
// CHECK:         return
func.func @in_f64(%x: f32, %y: f32) -> (f32, f32, f32) {
  %0 = math.sin %x : f32
  %1 = math.log2 %x : f32
  %2 = math.powf %x, %y : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// CHECK-LABEL: func.func @left_alone(
// CHECK:         math.sqrt %{{.*}} : f64
// CHECK:         math.floor %{{.*}} : f64
// CHECK:         math.exp %{{.*}} : f32
// CHECK:         math.tanh %{{.*}} : f32
func.func @left_alone(%x: f64, %y: f32) -> (f64, f64, f32, f32) {
  %0 = math.sqrt %x : f64
  %1 = math.floor %x : f64
  %2 = math.exp %y : f32
  %3 = math.tanh %y : f32
  return %0, %1, %2, %3 : f64, f64, f32, f32
}

// -----

func.func @no_exponential_of_f64(%x: f64) -> f64 {
  // expected-error @below {{'math.exp' op has no code for a GPU in 'f64'; compute it in f32 or run the kernel on the host}}
  %0 = math.exp %x : f64
  return %0 : f64
}

// -----

func.func @no_complementary_error_function(%x: f32) -> f32 {
  // expected-error @below {{'math.erfc' op has no code for a GPU in 'f32'; run the kernel on the host}}
  %0 = math.erfc %x : f32
  return %0 : f32
}
