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

// Numbers that the instruction saturates become NaN.
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

// -----

// Two bytes of a pair are converted at once; a byte whose neighbour has another use is converted alone.
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @widens_pairs(
// CHECK:         %[[PAIRS:.*]] = llvm.bitcast %arg0 : vector<4xi8> to vector<2xi16>
// CHECK:         %[[SECOND:.*]] = llvm.extractelement %[[PAIRS]][%{{.*}} : i32]
// CHECK:         %[[BYTES:.*]] = llvm.bitcast %[[SECOND]] : i16 to vector<2xi8>
// CHECK:         %[[WIDE:.*]] = nvvm.convert.f8x2.to.f16x2 %[[BYTES]]
// CHECK-DAG:     %[[LOW:.*]] = llvm.extractelement %[[WIDE]][%{{c0.*}} : i32]
// CHECK-DAG:     %[[HIGH:.*]] = llvm.extractelement %[[WIDE]][%{{c1.*}} : i32]
// CHECK:         %[[ALONE:.*]] = llvm.insertelement
// CHECK:         nvvm.convert.f8x2.to.f16x2 %[[ALONE]]
// CHECK-NOT:     nvvm.convert
// CHECK:         return %[[HIGH]], %[[LOW]], %{{.*}}, %{{.*}} : f16, f16, f16, f8E4M3FN
func.func @widens_pairs(%v: vector<4xi8>) -> (f16, f16, f16, f8E4M3FN) attributes {tile_gpu.plan = #plan} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %b3 = llvm.extractelement %v[%c3 : i32] : vector<4xi8>
  %b2 = llvm.extractelement %v[%c2 : i32] : vector<4xi8>
  %b1 = llvm.extractelement %v[%c1 : i32] : vector<4xi8>
  %b0 = llvm.extractelement %v[%c0 : i32] : vector<4xi8>
  %f3 = arith.bitcast %b3 : i8 to f8E4M3FN
  %f2 = arith.bitcast %b2 : i8 to f8E4M3FN
  %f1 = arith.bitcast %b1 : i8 to f8E4M3FN
  %f0 = arith.bitcast %b0 : i8 to f8E4M3FN
  %h3 = arith.extf %f3 : f8E4M3FN to f16
  %h2 = arith.extf %f2 : f8E4M3FN to f16
  %h1 = arith.extf %f1 : f8E4M3FN to f16
  return %h3, %h2, %h1, %f0 : f16, f16, f16, f8E4M3FN
}
