// RUN: tilegpt-opt %s --cpu-carry-floats-as-bits -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @moves(
// CHECK-SAME:    %{{.*}}: memref<8xi16>
// CHECK-NOT:     bf16
// CHECK:         arith.constant dense<16256> : vector<8xi16>
// CHECK-NOT:     bitcast
// CHECK:         vector.store %{{.*}} : memref<8xi16>, vector<8xi16>
func.func @moves(%m: memref<8xbf16>, %mask: vector<8xi1>, %bits: vector<8xi16>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<8xbf16>
  %x = arith.bitcast %bits : vector<8xi16> to vector<8xbf16>
  %s = arith.select %mask, %x, %one : vector<8xi1>, vector<8xbf16>
  vector.store %s, %m[%c0] : memref<8xbf16>, vector<8xbf16>
  return
}

// -----

func.func @computes(%a: bf16) -> bf16 {
  // expected-error@+1 {{'arith.addf' op still computes in 'bf16'; run --cpu-expand-floats first}}
  %s = arith.addf %a, %a : bf16
  return %s : bf16
}

// -----

// CHECK-LABEL: func.func @moves_f8(
// CHECK-SAME:    %{{.*}}: memref<8xi8>, %{{.*}}: f16
// CHECK-NOT:     f8
// CHECK:         arith.constant 60 : i8
// CHECK:         arith.constant dense<56> : vector<8xi8>
// CHECK:         vector.store %{{.*}} : memref<8xi8>, vector<8xi8>
func.func @moves_f8(%m: memref<8xf8E4M3FN>, %h: f16) -> f8E5M2 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f8E5M2
  %ones = arith.constant dense<1.0> : vector<8xf8E4M3FN>
  vector.store %ones, %m[%c0] : memref<8xf8E4M3FN>, vector<8xf8E4M3FN>
  return %one : f8E5M2
}

// -----

func.func @computes_f8(%a: f32) -> f8E5M2 {
  // expected-error@+1 {{'arith.truncf' op still computes in 'f8E5M2'; run --cpu-expand-floats first}}
  %s = arith.truncf %a : f32 to f8E5M2
  return %s : f8E5M2
}

// -----

// So do tiles, and results of another lowered branch.
func.func @tiles(%a: tensor<4xf32>) -> tensor<4xbf16> {
  // expected-error@+1 {{'tile.cast' op still computes in 'bf16'; run --cpu-expand-floats first}}
  %s = tile.cast %a : tensor<4xf32> to tensor<4xbf16>
  return %s : tensor<4xbf16>
}

// -----

llvm.func @lowered(%a: f32) -> bf16 {
  // expected-error@+1 {{'llvm.fptrunc' op still computes in 'bf16'; run --cpu-expand-floats first}}
  %s = llvm.fptrunc %a : f32 to bf16
  llvm.return %s : bf16
}
