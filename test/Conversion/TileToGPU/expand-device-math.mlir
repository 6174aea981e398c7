// RUN: tilegpt-opt %s --tile-gpu-expand-math | FileCheck %s

// What the hardware has an instruction for, it does; other types are left to whoever comes next.
// CHECK-LABEL: func.func @instructions(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[D:.*]]: f64)
// CHECK-DAG:     %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[X]]) : (f32) -> f32
// CHECK-DAG:     %[[S:.*]] = math.rsqrt %[[D]] : f64
// CHECK-DAG:     %[[M:.*]] = llvm.intr.maximum(%[[R]], %[[Y]]) : (f32, f32) -> f32
// CHECK-DAG:     %[[N:.*]] = llvm.intr.minimum(%[[M]], %[[X]]) : (f32, f32) -> f32
// CHECK:         return %[[N]], %[[S]]
func.func @instructions(%x: f32, %y: f32, %d: f64) -> (f32, f64) {
  %r = math.rsqrt %x : f32
  %s = math.rsqrt %d : f64
  %m = arith.maximumf %r, %y : f32
  %n = arith.minimumf %m, %x : f32
  return %n, %s : f32, f64
}
