// RUN: tilegpt-opt %s --cpu-expand-math | FileCheck %s

// CHECK-LABEL: func.func @polynomials(
// CHECK-NOT:     math.exp
// CHECK-NOT:     math.tanh
// CHECK:         arith.cmpf ogt, %{{.*}} : vector<16xf32>
// CHECK-NOT:     arith.fptosi
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
// CHECK:         math.tan %{{.*}} : f64
// CHECK:         math.powf %{{.*}} : f64
// CHECK:         arith.remf %{{.*}} : f64
func.func @left_to_libm(%x: f64) -> (f64, f64, f64, f64) {
  %e = math.exp %x : f64
  %s = math.tan %x : f64
  %p = math.powf %x, %s : f64
  %r = arith.remf %x, %s : f64
  return %e, %s, %p, %r : f64, f64, f64, f64
}

// Lanes that are too large, infinite or NaN are libm's; the others have the same result whether there are such or not.
// CHECK-LABEL: func.func @periodic(
// CHECK:         %[[SMALL:.*]] = arith.cmpf olt, %{{.*}} : vector<16xf32>
// CHECK:         %[[ALL:.*]] = vector.reduction <and>, %[[SMALL]]
// CHECK:         scf.if %[[ALL]]
// CHECK-COUNT-3:   math.fma
// CHECK:         } else {
// CHECK:           %[[LARGE:.*]] = math.sin %{{.*}} {tilegpt.libm} : vector<16xf32>
// CHECK:           arith.select %[[SMALL]], %{{.*}}, %[[LARGE]]
// CHECK:         %[[ONE:.*]] = arith.cmpf olt, %{{.*}} : f32
// CHECK:         scf.if %[[ONE]]
// CHECK:           math.cos %{{.*}} {tilegpt.libm} : f32
func.func @periodic(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, f32) {
  %s = math.sin %x : vector<16xf32>
  %c = math.cos %y : f32
  return %s, %c : vector<16xf32>, f32
}

// The nearest number, plus a step by the sign of the rounding error.
// CHECK-LABEL: func.func @rounded_down(
// CHECK-SAME:    %[[X:.*]]: vector<8xf32>, %[[Y:.*]]: vector<8xf32>
// CHECK-DAG:     %[[A:.*]] = arith.extf %[[X]] : vector<8xf32> to vector<8xf64>
// CHECK-DAG:     %[[B:.*]] = arith.extf %[[Y]] : vector<8xf32> to vector<8xf64>
// CHECK:         %[[P:.*]] = arith.mulf %[[A]], %[[B]] : vector<8xf64>
// CHECK:         %[[N:.*]] = arith.truncf %[[P]] : vector<8xf64> to vector<8xf32>
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[N]] : vector<8xf32> to vector<8xi32>
// CHECK:         arith.addi %[[BITS]]
// CHECK:         %[[R:.*]] = arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
// CHECK:         return %[[R]]
func.func @rounded_down(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = tile.rounded mul %x, %y mode(down) : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @rounded_f64(
// CHECK:         math.fma %{{.*}} : f64
// CHECK-NOT:     tile.rounded
func.func @rounded_f64(%x: f64, %y: f64) -> f64 {
  %0 = tile.rounded div %x, %y mode(zero) : f64
  return %0 : f64
}

// Quotients from 2^24 on are libm's.
// CHECK-LABEL: func.func @remainder(
// CHECK:         %[[SMALL:.*]] = arith.cmpf ult, %{{.*}} : vector<8xf32>
// CHECK:         %[[ALL:.*]] = vector.reduction <and>, %[[SMALL]]
// CHECK:         scf.if %[[ALL]]
// CHECK-NOT:       arith.remf
// CHECK:         } else {
// CHECK:           %[[LARGE:.*]] = arith.remf %{{.*}} {tilegpt.libm} : vector<8xf32>
// CHECK:           arith.select %[[SMALL]], %{{.*}}, %[[LARGE]]
func.func @remainder(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.remf %x, %y : vector<8xf32>
  return %0 : vector<8xf32>
}

// Logarithms of f32 in f64, rounded once.
// CHECK-LABEL: func.func @power(
// CHECK-NOT:     math.powf
// CHECK:         arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK:         math.copysign
func.func @power(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = math.powf %x, %y : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @whole_powers(
// CHECK:         arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
// CHECK-NOT:     math.powf
// CHECK-NOT:     math.fpowi
func.func @whole_powers(%x: vector<4xf32>, %n: vector<4xi32>) -> vector<4xf32> {
  %0 = math.fpowi %x, %n : vector<4xf32>, vector<4xi32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @squares(
// CHECK-SAME:      %[[X:.*]]: vector<4xf32>)
// CHECK-NOT:     math.powf
// CHECK:         %[[Y:.*]] = arith.mulf %[[X]], %[[X]] : vector<4xf32>
// CHECK:         return %[[Y]]
func.func @squares(%x: vector<4xf32>) -> vector<4xf32> {
  %two = arith.constant dense<2.0> : vector<4xf32>
  %0 = math.powf %x, %two : vector<4xf32>
  return %0 : vector<4xf32>
}

// Vectors of i32 are divided in f64, of i8 in f32, by variables. Scalars, i64 and constants stay.
// CHECK-LABEL: func.func @divisions(
// CHECK-SAME:      %[[X:.*]]: vector<8xi32>, %[[Y:.*]]: vector<8xi32>, %[[B:.*]]: vector<8xi8>, %[[L:.*]]: vector<8xi64>, %[[S:.*]]: i32)
// CHECK-DAG:     %[[XF:.*]] = arith.sitofp %[[X]] : vector<8xi32> to vector<8xf64>
// CHECK-DAG:     %[[YF:.*]] = arith.sitofp %[[Y]] : vector<8xi32> to vector<8xf64>
// CHECK:         %[[Q:.*]] = arith.divf %[[XF]], %[[YF]]
// CHECK:         %[[QI:.*]] = arith.fptosi %[[Q]] : vector<8xf64> to vector<8xi32>
// CHECK:         %[[P:.*]] = arith.muli %[[QI]], %[[Y]]
// CHECK:         %[[R:.*]] = arith.subi %[[X]], %[[P]]
// CHECK:         arith.uitofp %[[B]] : vector<8xi8> to vector<8xf32>
// CHECK:         arith.fptoui %{{.*}} : vector<8xf32> to vector<8xi8>
// CHECK:         arith.divsi %[[L]], %[[L]] : vector<8xi64>
// CHECK:         arith.divsi %[[S]], %[[S]] : i32
// CHECK:         arith.divsi %[[X]], %{{.*}} : vector<8xi32>
func.func @divisions(%x: vector<8xi32>, %y: vector<8xi32>, %b: vector<8xi8>, %l: vector<8xi64>, %s: i32)
    -> (vector<8xi32>, vector<8xi8>, vector<8xi64>, i32, vector<8xi32>) {
  %seven = arith.constant dense<7> : vector<8xi32>
  %0 = arith.remsi %x, %y : vector<8xi32>
  %1 = arith.divui %b, %b : vector<8xi8>
  %2 = arith.divsi %l, %l : vector<8xi64>
  %3 = arith.divsi %s, %s : i32
  %4 = arith.divsi %x, %seven : vector<8xi32>
  return %0, %1, %2, %3, %4 : vector<8xi32>, vector<8xi8>, vector<8xi64>, i32, vector<8xi32>
}
