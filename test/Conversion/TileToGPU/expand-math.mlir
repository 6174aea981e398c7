// RUN: tilegpt-opt %s --tile-gpu-expand-math | FileCheck %s

// CHECK-LABEL: func.func @power(
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%arg0)
func.func @power(%x: f32) -> f32 {
  %y = math.exp2 %x : f32
  return %y : f32
}

// Where an approximation will do, results below the normal numbers may be zero.
// CHECK-LABEL: func.func @rough_power(
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%arg0)
func.func @rough_power(%x: f32) -> f32 {
  %y = math.exp2 %x fastmath<afn> : f32
  return %y : f32
}

// CHECK-LABEL: func.func @extremes(
// CHECK:         %[[A:.*]] = llvm.intr.maximum(%arg0, %arg1)
// CHECK:         llvm.intr.minimum(%[[A]], %arg1)
func.func @extremes(%x: f32, %y: f32) -> f32 {
  %a = arith.maximumf %x, %y : f32
  %b = arith.minimumf %a, %y : f32
  return %b : f32
}

// CHECK-LABEL: func.func @extremes_but_nan(
// CHECK:         %[[A:.*]] = llvm.intr.maxnum(%arg0, %arg1)
// CHECK:         llvm.intr.minnum(%[[A]], %arg1)
func.func @extremes_but_nan(%x: f32, %y: f32) -> f32 {
  %a = arith.maxnumf %x, %y : f32
  %b = arith.minnumf %a, %y : f32
  return %b : f32
}

// There is none for f64.
// CHECK-LABEL: func.func @extremes_of_f64(
// CHECK:         arith.maximumf
func.func @extremes_of_f64(%x: f64, %y: f64) -> f64 {
  %a = arith.maximumf %x, %y : f64
  return %a : f64
}

// The reciprocal of a square root is one instruction as well, of f32.
// CHECK-LABEL: func.func @reciprocal_roots(
// CHECK-SAME:    %[[X:.*]]: f32, %[[D:.*]]: f64)
// CHECK-DAG:     %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[X]]) : (f32) -> f32
// CHECK-DAG:     %[[S:.*]] = math.rsqrt %[[D]] : f64
// CHECK:         return %[[R]], %[[S]]
func.func @reciprocal_roots(%x: f32, %d: f64) -> (f32, f64) {
  %r = math.rsqrt %x : f32
  %s = math.rsqrt %d : f64
  return %r, %s : f32, f64
}
