// RUN: tilegpt-opt %s --cpu-extend-math --canonicalize | FileCheck %s

// The floor is that of the number rounded to bf16.
// CHECK-LABEL: func.func @chain(
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK:         %[[E:.*]] = math.exp %[[A]] : vector<8xf32>
// CHECK:         %[[R:.*]] = arith.truncf %[[E]] : vector<8xf32> to vector<8xbf16>
// CHECK:         %[[W:.*]] = arith.extf %[[R]] : vector<8xbf16> to vector<8xf32>
// CHECK:         %[[F:.*]] = math.floor %[[W]] : vector<8xf32>
// CHECK:         arith.truncf %[[F]] : vector<8xf32> to vector<8xbf16>
func.func @chain(%a: vector<8xbf16>) -> vector<8xbf16> {
  %e = math.exp %a : vector<8xbf16>
  %f = math.floor %e : vector<8xbf16>
  return %f : vector<8xbf16>
}

// Conversions in the kernel keep their fast-math flags.
// CHECK-LABEL: func.func @given(
// CHECK-NEXT:    return %arg0
func.func @given(%a: f32) -> f32 {
  %t = arith.truncf %a fastmath<contract> : f32 to bf16
  %w = arith.extf %t fastmath<contract> : bf16 to f32
  return %w : f32
}

// CHECK-LABEL: func.func @wide(
// CHECK-NOT:     truncf
// CHECK:         math.sin %{{.*}} : f64
func.func @wide(%a: f64) -> f64 {
  %0 = math.sin %a : f64
  return %0 : f64
}
