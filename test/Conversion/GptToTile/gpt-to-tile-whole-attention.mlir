// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile --tile-bind-operands --canonicalize --cse --tile-fuse-launches=overlaps-memory --canonicalize | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile | FileCheck %s --check-prefix=PLAIN

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // One token per sequence: attention appends it itself.
  // CHECK-LABEL: func.func @decode
  // CHECK:       tile.launch @layer_norm.linear_decode
  // CHECK:       %[[A:.*]]:3 = tile.launch @kv_append.attention_decode
  // CHECK:       return %[[A]]#2
  // PLAIN-LABEL: func.func @decode
  // PLAIN:       @linear_decode
  // PLAIN:       @kv_append
  // PLAIN:       @attention_decode
  func.func @decode(%x: tensor<1x8xf32>, %pos: tensor<1xi32>) -> tensor<1x8xf32> attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %n = gpt.layer_norm %x weights("ln") : tensor<1x8xf32> -> tensor<1x8xf32>
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<1x8xf32> -> tensor<1x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<1x24xf32>, tensor<1xi32> -> tensor<1x8xf32>
    return %a : tensor<1x8xf32>
  }
  // With several tokens per sequence, blocks read what others append.
  // CHECK-LABEL: func.func @prefill
  // CHECK:       tile.launch @kv_append
  // CHECK:       tile.launch @attention ins
  func.func @prefill(%q: tensor<64x24xf32>, %pos: tensor<1xi32>) -> tensor<64x8xf32> attributes {tile.rows = array<i64: 64, 64>, gpt.sequences = array<i64: 1, 1>} {
    %a = gpt.attention %q at %pos cache("h.1") : tensor<64x24xf32>, tensor<1xi32> -> tensor<64x8xf32>
    return %a : tensor<64x8xf32>
  }
}
