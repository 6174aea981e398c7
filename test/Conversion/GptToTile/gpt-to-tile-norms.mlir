// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile | FileCheck %s

// Variants of norms, activations and scales.
!X = tensor<1x8xf32>
gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  // Only the layer norm with weights, a bias and no offset is @layer_norm.
  // CHECK-LABEL: func.func @layer_norms
  // CHECK:       tile.launch @layer_norm ins
  // CHECK:       %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK:       tile.launch @layer_norm_offset ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]]) {{.*}} {tile.label = "p"} : (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>, f32, f32, tensor<1x8xf32>)
  // CHECK:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK:       tile.launch @layer_norm_offset ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]]) {{.*}} {tile.label = "b"} : (tensor<1x8xf32>, tensor<8xf32>, tensor<0xf32>, f32, f32, tensor<1x8xf32>)
  // CHECK:       %[[GAIN:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK:       tile.launch @layer_norm_offset ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[GAIN]]) {{.*}} {tile.label = "layer_norm"} : (tensor<1x8xf32>, tensor<0xf32>, tensor<0xf32>, f32, f32, tensor<1x8xf32>)
  func.func @layer_norms(%x: !X) -> !X attributes {tile.rows = array<i64: 1, 1>} {
    %a = gpt.layer_norm %x weights("n") bias(1) : !X -> !X
    %b = gpt.layer_norm %a weights("p") offset(1) : !X -> !X
    %c = gpt.layer_norm %b weights("b") bias(0) : !X -> !X
    %d = gpt.layer_norm %c : !X -> !X
    return %d : !X
  }

  // CHECK-LABEL: func.func @activations
  // CHECK:       tile.launch @relu ins
  // CHECK:       tile.launch @relu_squared ins
  func.func @activations(%x: !X) -> !X attributes {tile.rows = array<i64: 1, 1>} {
    %a = gpt.relu %x : !X -> !X
    %b = gpt.relu %a squared : !X -> !X
    return %b : !X
  }

  // A factor of 1 is no launch.
  // CHECK-LABEL: func.func @scales
  // CHECK:       %[[S:.*]] = tile.launch @scale
  // CHECK-NOT:   tile.launch
  // CHECK:       return %[[S]]
  func.func @scales(%x: !X) -> !X attributes {tile.rows = array<i64: 1, 1>} {
    %a = gpt.scale %x by(0.5) : !X -> !X
    %b = gpt.scale %a by(1) : !X -> !X
    return %b : !X
  }

  // A norm of all queries is a launch of its own; the rotation is left to attention.
  // CHECK-LABEL: func.func @qk_norm
  // CHECK:       %[[N:.*]] = tile.launch @qk_norm ins({{.*}}) {{.*}} : (tensor<1x32xf32>, tensor<16xf32>, tensor<8xf32>, f32, tensor<1x32xf32>)
  // CHECK-NOT:   tile.launch @rotary ins
  // CHECK:       tile.launch @kv_append ins(%[[N]],
  func.func @qk_norm(%q: tensor<1x32xf32>, %pos: tensor<1xi32>) -> tensor<1x16xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %n = gpt.qk_norm %q weights("qn", "kn") : tensor<1x32xf32> -> tensor<1x32xf32>
    %r = gpt.rotary %n at %pos theta(10000.0) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x32xf32>
    %a = gpt.attention %r at %pos cache("h") : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x16xf32>
    return %a : tensor<1x16xf32>
  }
}
