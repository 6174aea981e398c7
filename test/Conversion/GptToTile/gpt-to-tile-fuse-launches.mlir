// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile="fuse-launches" | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile | FileCheck %s --check-prefix=PLAIN

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // One token: the norm is the linear layer's, and attention appends by itself.
  // CHECK-LABEL: func.func @decode
  // CHECK-NOT:   @layer_norm
  // CHECK:       tile.launch @linear_norm_decode ins(%[[X:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK-NOT:   @kv_append
  // CHECK:       %[[A:.*]]:3 = tile.launch @attention_append_decode
  // CHECK:       return %[[A]]#2
  // PLAIN-LABEL: func.func @decode
  // PLAIN:       @layer_norm
  // PLAIN:       @linear_decode
  // PLAIN:       @kv_append
  // PLAIN:       @attention_decode
  func.func @decode(%x: tensor<1x8xf32>, %pos: tensor<1xi32>) -> tensor<1x8xf32> attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %n = gpt.layer_norm %x weights("ln") : tensor<1x8xf32> -> tensor<1x8xf32>
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<1x8xf32> -> tensor<1x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<1x24xf32>, tensor<1xi32> -> tensor<1x8xf32>
    return %a : tensor<1x8xf32>
  }
  // A norm that somebody else reads stays, and so does everything where there is more than one row.
  // CHECK-LABEL: func.func @others
  // CHECK:       tile.launch @layer_norm
  // CHECK:       tile.launch @linear_decode
  func.func @others(%x: tensor<1x8xf32>) -> (tensor<1x8xf32>, tensor<1x24xf32>) attributes {tile.rows = array<i64: 1, 1>} {
    %n = gpt.layer_norm %x weights("ln") : tensor<1x8xf32> -> tensor<1x8xf32>
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<1x8xf32> -> tensor<1x24xf32>
    return %n, %q : tensor<1x8xf32>, tensor<1x24xf32>
  }
  // CHECK-LABEL: func.func @few
  // CHECK:       tile.launch @layer_norm
  // CHECK:       tile.launch @linear_decode
  func.func @few(%x: tensor<2x8xf32>) -> tensor<2x24xf32> attributes {tile.rows = array<i64: 2, 2>} {
    %n = gpt.layer_norm %x weights("ln") : tensor<2x8xf32> -> tensor<2x8xf32>
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<2x8xf32> -> tensor<2x24xf32>
    return %q : tensor<2x24xf32>
  }
  // CHECK-LABEL: func.func @many
  // CHECK:       tile.launch @layer_norm
  // CHECK:       tile.launch @linear ins
  func.func @many(%x: tensor<64x8xf32>) -> tensor<64x24xf32> attributes {tile.rows = array<i64: 64, 64>} {
    %n = gpt.layer_norm %x weights("ln") : tensor<64x8xf32> -> tensor<64x8xf32>
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<64x8xf32> -> tensor<64x24xf32>
    return %q : tensor<64x24xf32>
  }
}
