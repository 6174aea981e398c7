// RUN: tilegpt-opt %s --cpu-carry-bf16-as-bits -split-input-file -verify-diagnostics | FileCheck %s

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
  // expected-error@+1 {{'arith.addf' op still computes in bf16; run --cpu-expand-floats first}}
  %s = arith.addf %a, %a : bf16
  return %s : bf16
}
