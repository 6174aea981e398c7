// RUN: tilegpt-opt %s --tile-gpu-convert-f8 --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_89", warps = 4>

// CHECK-LABEL: func.func @widens(
// CHECK:         %[[PAIR:.*]] = llvm.insertelement %{{.*}} : vector<2xi8>
// CHECK:         %[[WIDE:.*]] = nvvm.convert.f8x2.to.f16x2 %[[PAIR]] : vector<2xi8>(f8E5M2) -> vector<2xf16>
// CHECK:         %[[HALF:.*]] = llvm.extractelement %[[WIDE]]
// CHECK:         arith.extf %[[HALF]] : f16 to f64
func.func @widens(%x: f8E5M2) -> f64 attributes {tile_gpu.plan = #plan} {
  %y = arith.extf %x : f8E5M2 to f64
  return %y : f64
}

// What the instruction holds at the largest number goes on to NaN.
// CHECK-LABEL: func.func @narrows(
// CHECK-DAG:     %[[LARGEST:.*]] = arith.constant 4.640000e+02 : f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i8
// CHECK:         %[[X:.*]] = arith.extf %arg0 : bf16 to f32
// CHECK:         %[[PAIR:.*]] = nvvm.convert.f32x2.to.f8x2 %[[ZERO]], %[[X]] {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
// CHECK:         %[[BITS:.*]] = arith.trunci %[[PAIR]] : i16 to i8
// CHECK:         %[[TOO_LARGE:.*]] = arith.cmpf ogt, %{{.*}}, %[[LARGEST]]
// CHECK:         %[[NEXT:.*]] = arith.addi %[[BITS]], %[[ONE]]
// CHECK:         arith.select %[[TOO_LARGE]], %[[NEXT]], %[[BITS]]
func.func @narrows(%x: bf16) -> f8E4M3FN attributes {tile_gpu.plan = #plan} {
  %y = arith.truncf %x : bf16 to f8E4M3FN
  return %y : f8E4M3FN
}

// -----

// Before sm_89 there is no instruction.
#plan = #tile_gpu.plan<target = "sm_86", warps = 4>
// CHECK-LABEL: func.func @left_alone(
// CHECK-NEXT:    arith.extf
func.func @left_alone(%x: f8E5M2) -> f32 attributes {tile_gpu.plan = #plan} {
  %y = arith.extf %x : f8E5M2 to f32
  return %y : f32
}
