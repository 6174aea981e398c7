// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile | FileCheck %s --check-prefixes=CHECK,SHORT
// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile="capacity=9" | FileCheck %s --check-prefixes=CHECK,LONG

// A cache of up to 8 tokens, the default, uses the short factors: the frequencies 1 and 1/100 divided by them.
gpt.model @m {layers = 1, heads = 4, width = 16, context = 16, vocab = 32, short = [1.0, 2.0], long = [4.0, 8.0]} {
  // SHORT: tile.global @h.0.k state : tensor<?x4x8x4xf32>
  // LONG:  tile.global @h.0.k state : tensor<?x4x9x4xf32>
  // SHORT: tile.global @"[1,0.005]" weight : tensor<2xf32>
  // LONG:  tile.global @"[0.25,0.00125]" weight : tensor<2xf32>
  // CHECK: tile.launch @rotary_angles
  // CHECK-SAME: (tensor<1xi32>, tensor<2xf32>, f32, f32, f32, f32, f32, f32, tensor<1x4xf32>, tensor<1x4xf32>)
  func.func @decode(%q: tensor<1x48xf32>, %pos: tensor<1xi32>) -> tensor<1x16xf32> attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %r = gpt.rotary %q at %pos theta(1.0e+4) scaling("longrope") factor(2.0) original(8) factors("short", "long") : tensor<1x48xf32>, tensor<1xi32> -> tensor<1x48xf32>
    %a = gpt.attention %r at %pos cache("h.0") : tensor<1x48xf32>, tensor<1xi32> -> tensor<1x16xf32>
    return %a : tensor<1x16xf32>
  }
}
