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

// Numbers that exceed the precision of f64 are pairs.
// CHECK-LABEL: func.func @of_f64(
// CHECK-NOT:     math.exp
// CHECK-NOT:     math.atan2
// CHECK-NOT:     arith.extf
// CHECK:         math.fma
// CHECK:         return
func.func @of_f64(%x: f64, %y: f64) -> (f64, f64) {
  %0 = math.exp %x : f64
  %1 = math.atan2 %x, %y : f64
  return %0, %1 : f64, f64
}

// -----

// CHECK-LABEL: func.func @whole_powers(
// CHECK:         %[[Y:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK-NOT:     math.fpowi
// CHECK:         return
func.func @whole_powers(%x: f32, %n: i32) -> f32 {
  %0 = math.fpowi %x, %n : f32, i32
  return %0 : f32
}

// -----

// A constant exponent of 1 to 4 multiplies, -1 divides; 5 does not.
// CHECK-LABEL: func.func @constant_powers(
// CHECK-SAME:      %[[X:.*]]: f32)
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-DAG:     %[[CUBE:.*]] = arith.mulf %{{.*}}, %[[X]] : f32
// CHECK-DAG:     %[[INVERSE:.*]] = arith.divf %[[ONE]], %[[X]] : f32
// CHECK:         return %[[X]], %{{.*}}, %{{.*}}, %{{.*}}, %[[INVERSE]]
func.func @constant_powers(%x: f32) -> (f32, f32, f32, f32, f32) {
  %c1 = arith.constant 1.0 : f32
  %c2 = arith.constant 2.0 : f32
  %c3 = arith.constant 3.0 : f32
  %i4 = arith.constant 4 : i32
  %cn = arith.constant -1.0 : f32
  %0 = math.powf %x, %c1 : f32
  %1 = math.powf %x, %c2 : f32
  %2 = math.powf %x, %c3 : f32
  %3 = math.fpowi %x, %i4 : f32, i32
  %4 = math.powf %x, %cn : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// The root of -0 is -0, that of minus infinity is not a number; powers are 0 and infinity.
// CHECK-LABEL: func.func @half_powers(
// CHECK-SAME:      %[[X:.*]]: f32)
// CHECK:         %[[A:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK:         %[[LEAST:.*]] = arith.cmpf oeq, %[[X]], %{{.*}} : f32
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[A]] : f32
// CHECK:         %[[Y:.*]] = arith.select %[[LEAST]], %{{.*}}, %[[ROOT]] : f32
// CHECK:         %[[Z:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         return %[[Y]], %[[Z]]
func.func @half_powers(%x: f32) -> (f32, f32) {
  %half = arith.constant 0.5 : f32
  %minus = arith.constant -0.5 : f32
  %0 = math.powf %x, %half : f32
  %1 = math.powf %x, %minus : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @other_powers(
// CHECK-COUNT-2: arith.extf %{{.*}} : f32 to f64
// CHECK:         return
func.func @other_powers(%x: f32) -> (f32, f32) {
  %c5 = arith.constant 5.0 : f32
  %c15 = arith.constant 1.5 : f32
  %0 = math.powf %x, %c5 : f32
  %1 = math.powf %x, %c15 : f32
  return %0, %1 : f32, f32
}

// -----

// CHECK-LABEL: func.func @remainder(
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         scf.while
// CHECK-NOT:     scf.while
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK-NOT:     arith.remf
func.func @remainder(%x: f32, %y: f32) -> f32 {
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}

// -----

// Once by a multiple of a subnormal divisor, once by the divisor.
// CHECK-LABEL: func.func @remainder_of_f64(
// CHECK-COUNT-2: scf.while
// CHECK-NOT:     scf.while
func.func @remainder_of_f64(%x: f64, %y: f64) -> f64 {
  %0 = arith.remf %x, %y : f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @rounded(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f64, %[[H:.*]]: f16
// CHECK:         llvm.call_intrinsic "llvm.nvvm.add.rm.ftz.f"(%[[X]], %[[X]]) : (f32, f32) -> f32
// CHECK:         %[[N:.*]] = arith.negf %[[Y]] : f64
// CHECK:         llvm.call_intrinsic "llvm.nvvm.add.rp.d"(%[[Y]], %[[N]])
// CHECK:         llvm.call_intrinsic "llvm.nvvm.fma.rz.d"(%[[Y]], %[[Y]], %[[Y]])
// CHECK:         llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"(%[[X]])
// Left to cpu-expand-math.
// CHECK:         tile.rounded div %[[H]], %[[H]] mode(up) : f16
func.func @rounded(%x: f32, %y: f64, %h: f16) -> (f32, f64, f64, f32, f16) {
  %0 = tile.rounded add %x, %x mode(down) ftz : f32
  %1 = tile.rounded sub %y, %y mode(up) : f64
  %2 = tile.rounded fma %y, %y, %y mode(zero) : f64
  %3 = tile.rounded sqrt %x mode(even) : f32
  %4 = tile.rounded div %h, %h mode(up) : f16
  return %0, %1, %2, %3, %4 : f32, f64, f64, f32, f16
}

// -----

func.func @no_clamping(%x: f64) -> f64 {
  // expected-error @below {{'math.clampf' op has no code for a GPU in 'f64'; run the kernel on the host}}
  %0 = math.clampf %x to [%x, %x] : f64
  return %0 : f64
}

// -----

// Approximate logarithms are left to tile-gpu-expand-math.
// CHECK-LABEL: func.func @rough_logarithms(
// CHECK-NEXT:    math.log2 %{{.*}} fastmath<afn>
// CHECK-NEXT:    math.log10 %{{.*}} fastmath<afn>
// CHECK-NEXT:    math.log1p %{{.*}} fastmath<afn>
func.func @rough_logarithms(%x: f32) -> (f32, f32, f32) {
  %a = math.log2 %x fastmath<afn> : f32
  %b = math.log10 %x fastmath<afn> : f32
  %c = math.log1p %x fastmath<afn> : f32
  return %a, %b, %c : f32, f32, f32
}
