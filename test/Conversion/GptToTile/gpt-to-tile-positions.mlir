// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile="weights=bf16 activations=bf16" | FileCheck %s

// What is added for positions, and gates of features.
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-DAG: tile.global @places.weight weight : tensor<16x8xbf16>
  // The frequencies are a weight with their values as its name: 10000^(−i / 3).
  // CHECK-DAG: tile.global @"[1,0.046415888,0.0021544348,1e-04]" weight : tensor<4xf32>

  // CHECK-LABEL: func.func @positions
  // CHECK:       tile.launch @positions ins(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} -> tensor<4x8xf32>
  func.func @positions(%x: tensor<4x8xf32>, %pos: tensor<2xi32>) -> tensor<4x8xf32>
      attributes {tile.rows = array<i64: 4, 4>, gpt.sequences = array<i64: 2, 2>} {
    %y = gpt.positions %x at %pos weights("places") : tensor<4x8xf32>, tensor<2xi32> -> tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }

  // CHECK-LABEL: func.func @sinusoids
  // CHECK:       %[[F:.*]] = tile.get_global @"[1,0.04
  // CHECK:       %[[FIRST:.*]] = arith.constant 2 : i32
  // CHECK:       tile.launch @sinusoids ins(%{{.*}}, %{{.*}}, %[[F]], %[[FIRST]])
  func.func @sinusoids(%x: tensor<4x8xf32>, %pos: tensor<2xi32>) -> tensor<4x8xf32>
      attributes {tile.rows = array<i64: 4, 4>, gpt.sequences = array<i64: 2, 2>} {
    %y = gpt.sinusoids %x at %pos theta(10000.0) steps(3) first(2) : tensor<4x8xf32>, tensor<2xi32> -> tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }

  // A product reads what is gated, so it is rounded, and so is what the gates read.
  // CHECK-LABEL: func.func @gates
  // CHECK:       tile.launch @attention_decode{{.*}} -> tensor<1x8xbf16>
  // CHECK:       tile.launch @gate_features {{.*}} : (tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>) -> tensor<1x8xbf16>
  func.func @gates(%x: tensor<1x8xf32>, %pos: tensor<1xi32>) -> tensor<1x8xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %q = gpt.linear %x weights("q") to 24 : tensor<1x8xf32> -> tensor<1x24xf32>
    %z = gpt.linear %x weights("z") to 8 : tensor<1x8xf32> -> tensor<1x8xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<1x24xf32>, tensor<1xi32> -> tensor<1x8xf32>
    %g = gpt.gate %a by %z : tensor<1x8xf32>, tensor<1x8xf32>
    %y = gpt.linear %g weights("o") to 8 : tensor<1x8xf32> -> tensor<1x8xf32>
    return %y : tensor<1x8xf32>
  }
}
