// RUN: tilegpt-opt %s --cpu-expand-floats --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @bf16_arithmetic(
// CHECK-NOT:     bf16{{$}}
// CHECK:         arith.shli
// CHECK:         arith.addf %{{.*}} : vector<8xf32>
// CHECK-NOT:     arith.truncf
// CHECK:         return
func.func @bf16_arithmetic(%a: vector<8xbf16>, %b: vector<8xbf16>) -> vector<8xbf16> {
  %s = arith.addf %a, %b : vector<8xbf16>
  return %s : vector<8xbf16>
}

// -----

// f64 is rounded to odd before it is rounded to nearest: once in effect.
// CHECK-LABEL: func.func @f64_to_f16(
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         arith.ori
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @f64_to_f16(%a: f64) -> f16 {
  %t = arith.truncf %a : f64 to f16
  return %t : f16
}

// -----

// CHECK-LABEL: func.func @i32_to_f16(
// CHECK:         arith.sitofp %{{.*}} : i32 to f64
func.func @i32_to_f16(%a: i32) -> f16 {
  %t = arith.sitofp %a : i32 to f16
  return %t : f16
}
