// RUN: tilegpt-opt %s --tile-link-library --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library="dir=%S/Inputs/kernels" --split-input-file | FileCheck %s --check-prefix=DIR

// Only launched kernels are linked.
// CHECK-LABEL: func.func @launches_softmax
// DIR-LABEL: func.func @launches_softmax
func.func @launches_softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = tile.launch @softmax ins(%x) outs(%e) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// CHECK: tile.kernel @softmax
// CHECK: attributes {tile.library}
// CHECK-NOT: tile.kernel
// CHECK: // -----

// -----

// A kernel of the module takes precedence over the library's.
// CHECK-LABEL: tile.kernel @gelu
// CHECK-NOT: tile.library
tile.kernel @gelu(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [dim(%y, 0)] {
}
// CHECK: func.func @launches_its_own
func.func @launches_its_own(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = tile.launch @gelu ins(%x) outs(%e) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// CHECK-NOT: tile.kernel
// CHECK: // -----

// -----

// A folder overrides kernels by name, whatever its files are called, and adds others.
// DIR-LABEL: func.func @launches_from_a_folder
func.func @launches_from_a_folder(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = tile.launch @gelu ins(%x) outs(%e) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = tile.launch @twice ins(%y) outs(%e) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
// DIR: tile.kernel @gelu
// DIR: params {MINE = 1}
// DIR: tile.library
// DIR: tile.kernel @twice
// DIR-NOT: tile.library
// DIR-NOT: tile.kernel
// DIR: // -----

// -----

// A model gets every kernel that implements an op, except for those it defines.
// CHECK-LABEL: gpt.model @m
gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK: tile.kernel @gelu(
  tile.kernel @gelu(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) implements(gpt.gelu) grid [dim(%y, 0)] {
  }
  func.func private @f()
}
// CHECK-NOT: tile.kernel @gelu(
// CHECK: tile.kernel @layer_norm
// CHECK-NOT: tile.kernel @mlp
