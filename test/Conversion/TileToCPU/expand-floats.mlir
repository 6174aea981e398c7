// RUN: tilegpt-opt %s --cpu-expand-floats --canonicalize -split-input-file | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: tilegpt-opt %s --cpu-expand-floats=only-f8 --canonicalize -split-input-file | FileCheck %s --check-prefixes=CHECK,F8

// CHECK-LABEL: func.func @bf16_arithmetic(
// ALL-NOT:       bf16{{$}}
// ALL:           arith.shli
// ALL:           arith.addf %{{.*}} : vector<8xf32>
// ALL-NOT:       arith.truncf
// F8:            arith.addf %{{.*}} : vector<8xbf16>
// CHECK:         return
func.func @bf16_arithmetic(%a: vector<8xbf16>, %b: vector<8xbf16>) -> vector<8xbf16> {
  %s = arith.addf %a, %b : vector<8xbf16>
  return %s : vector<8xbf16>
}

// -----

// f64 is rounded to odd before it is rounded to nearest: effectively once.
// CHECK-LABEL: func.func @f64_to_f16(
// ALL:           arith.truncf %{{.*}} : f64 to f32
// ALL:           arith.extf %{{.*}} : f32 to f64
// ALL:           arith.ori
// ALL:           arith.truncf %{{.*}} : f32 to f16
// F8:            arith.truncf %{{.*}} : f64 to f16
func.func @f64_to_f16(%a: f64) -> f16 {
  %t = arith.truncf %a : f64 to f16
  return %t : f16
}

// -----

// CHECK-LABEL: func.func @i32_to_f16(
// ALL:           arith.sitofp %{{.*}} : i32 to f64
// F8:            arith.sitofp %{{.*}} : i32 to f16
func.func @i32_to_f16(%a: i32) -> f16 {
  %t = arith.sitofp %a : i32 to f16
  return %t : f16
}

// -----

// The exponent of f8E5M2 is that of f16.
// CHECK-LABEL: func.func @extends_e5m2(
// CHECK:         arith.bitcast %{{.*}} : vector<8xf8E5M2> to vector<8xi8>
// CHECK:         arith.shli
// CHECK:         arith.bitcast %{{.*}} : vector<8xi16> to vector<8xf16>
// CHECK:         arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
func.func @extends_e5m2(%a: vector<8xf8E5M2>) -> vector<8xf32> {
  %x = arith.extf %a : vector<8xf8E5M2> to vector<8xf32>
  return %x : vector<8xf32>
}

// -----

// That of f8E4M3FN is smaller by 8, and its NaN is a number in f16.
// CHECK-LABEL: func.func @extends_e4m3(
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 2.560000e+02 : f32
// CHECK-DAG:     %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK:         arith.mulf %{{.*}}, %[[SCALE]]
// CHECK:         arith.cmpi eq
// CHECK:         arith.select %{{.*}}, %[[NAN]]
// CHECK-NOT:     f8E4M3FN to f
func.func @extends_e4m3(%a: f8E4M3FN) -> f64 {
  %x = arith.extf %a : f8E4M3FN to f64
  return %x : f64
}

// -----

// Arithmetic and rounding are those of f32; f64 is rounded to odd first.
// CHECK-LABEL: func.func @computes_in_f8(
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         arith.bitcast %{{.*}} : f32 to i32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK-NOT:     arith.truncf {{.*}} f8
func.func @computes_in_f8(%a: f8E5M2, %b: f64) -> (f8E5M2, f8E5M2) {
  %s = arith.addf %a, %a : f8E5M2
  %t = arith.truncf %b : f64 to f8E5M2
  return %s, %t : f8E5M2, f8E5M2
}

// -----

// The positive one of two zeros is the maximum. GPUs have an f32 instruction for that.
// CHECK-LABEL: func.func @orders_zeros(
// F8:            arith.maximumf %{{[^,]*}}, %{{[^,]*}} : f32
// ALL:           %[[MAX:.*]] = arith.maximumf %{{.*}} fastmath<nsz> : f32
// ALL:           %[[SAME:.*]] = arith.cmpf oeq, %{{.*}} : f32
// ALL:           %[[BOTH:.*]] = arith.andi %{{.*}} : i32
// ALL:           %[[ZERO:.*]] = arith.bitcast %[[BOTH]] : i32 to f32
// ALL:           arith.select %[[SAME]], %[[ZERO]], %[[MAX]] : f32
// CHECK:         arith.minnumf %{{.*}} fastmath<nsz> : f64
// CHECK:         arith.ori %{{.*}} : i64
func.func @orders_zeros(%a: f32, %b: f32, %c: f64, %d: f64) -> (f32, f64) {
  %m = arith.maximumf %a, %b : f32
  %n = arith.minnumf %c, %d : f64
  return %m, %n : f32, f64
}

// -----

// 16-bit numbers have that instruction only as f32.
// CHECK-LABEL: func.func @orders_narrow_zeros(
// F8:            %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// F8:            %[[B:.*]] = arith.extf %{{.*}} : bf16 to f32
// F8:            %[[MAX:.*]] = arith.maximumf %[[A]], %[[B]] : f32
// F8-NEXT:       arith.truncf %[[MAX]] : f32 to bf16
// F8:            arith.minnumf %{{.*}}, %{{.*}} : vector<2xf32>
// F8-NEXT:       arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
// ALL:           arith.andi
func.func @orders_narrow_zeros(%a: bf16, %b: bf16, %c: vector<2xf16>, %d: vector<2xf16>) -> (bf16, vector<2xf16>) {
  %m = arith.maximumf %a, %b : bf16
  %n = arith.minnumf %c, %d : vector<2xf16>
  return %m, %n : bf16, vector<2xf16>
}

// -----

// Numbers that are known to be nonzero need no ordering.
// CHECK-LABEL: func.func @knows_that_it_is_no_zero(
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT:    arith.maximumf %{{.*}}, %[[ONE]] : f64
// CHECK-NEXT:    return
func.func @knows_that_it_is_no_zero(%a: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %m = arith.maximumf %a, %one : f64
  return %m : f64
}

// -----

// The second op sees the first one's result rounded to f16.
// CHECK-LABEL: func.func @f16_chain(
// ALL:           %[[S:.*]] = arith.addf %{{.*}} : vector<8xf32>
// ALL-NEXT:      %[[R:.*]] = arith.truncf %[[S]] : vector<8xf32> to vector<8xf16>
// ALL-NEXT:      %[[W:.*]] = arith.extf %[[R]] : vector<8xf16> to vector<8xf32>
// ALL:           arith.mulf %[[W]], %[[W]] : vector<8xf32>
// F8:            arith.mulf %{{.*}} : vector<8xf16>
func.func @f16_chain(%a: vector<8xf16>, %b: vector<8xf16>) -> vector<8xf16> {
  %s = arith.addf %a, %b : vector<8xf16>
  %m = arith.mulf %s, %s : vector<8xf16>
  return %m : vector<8xf16>
}
