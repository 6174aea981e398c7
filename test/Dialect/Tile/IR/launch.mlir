// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --canonicalize --cse | FileCheck %s --check-prefix=EFFECTS

// CHECK: tile.global @wte weight : tensor<50257x768xbf16>
tile.global @wte weight : tensor<50257x768xbf16>
// CHECK: tile.global @h.0.k state : tensor<?x12x1024x64xf32>
tile.global @h.0.k state : tensor<?x12x1024x64xf32>
// CHECK: tile.global @"odd name" weight : tensor<f32> {source = "here"}
tile.global @"odd name" weight : tensor<f32> {source = "here"}

tile.kernel @scale(%x: !tile.view<?x!tile.elt<X>>, %by: f32) outs(%y: !tile.view<?x!tile.elt<X>>)
    params {BM = 8 in [16, 32], X: type = f32 in [bf16]} grid [1] {}
tile.kernel @effect(%n: index) grid [1] {}

// CHECK-LABEL: func.func @launches
func.func @launches(%x: tensor<?xbf16>, %s: f32, %n: index) -> tensor<?xbf16> {
  // CHECK: %[[W:.*]] = tile.get_global @wte : tensor<50257x768xbf16>
  %w = tile.get_global @wte : tensor<50257x768xbf16>
  // CHECK: %[[E:.*]] = tensor.empty
  %e = tensor.empty(%n) : tensor<?xbf16>
  // CHECK: %[[R:.*]] = tile.launch @scale ins(%{{.*}}, %{{.*}}) outs(%[[E]]) params {BM = 16 : i64} : (tensor<?xbf16>, f32, tensor<?xbf16>) -> tensor<?xbf16>
  %r = tile.launch @scale ins(%x, %s) outs(%e) params {BM = 16} : (tensor<?xbf16>, f32, tensor<?xbf16>) -> tensor<?xbf16>
  // A library kernel need not be in the module yet.
  // CHECK: tile.launch @elsewhere ins(%[[R]]) outs(%[[E]]) {hint = 1 : i64} : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  %t = tile.launch @elsewhere ins(%r) outs(%e) {hint = 1} : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %t : tensor<?xbf16>
}

// An unused launch that creates a new value is erased; one that updates a tensor stays.
// EFFECTS-LABEL: func.func @effects
func.func @effects(%x: tensor<?xf32>, %s: f32, %n: index) {
  // EFFECTS-NEXT: %[[K:.*]] = tile.get_global @h.0.k
  %k = tile.get_global @h.0.k : tensor<?x12x1024x64xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = tile.launch @scale ins(%x, %s) outs(%e) : (tensor<?xf32>, f32, tensor<?xf32>) -> tensor<?xf32>
  // EFFECTS-NEXT: tile.launch @append ins(%{{.*}}) outs(%[[K]])
  %t = tile.launch @append ins(%x) outs(%k) : (tensor<?xf32>, tensor<?x12x1024x64xf32>) -> tensor<?x12x1024x64xf32>
  // EFFECTS-NEXT: return
  return
}
