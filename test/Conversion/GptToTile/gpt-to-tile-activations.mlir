// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile="weights=bf16 activations=bf16" | FileCheck %s
// RUN: not tilegpt-opt %s --tile-link-library --gpt-to-tile="activations=f64" 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: 'gpt.model' op expected activations to be f32, bf16 or f16, found 'f64'

// Rows and caches are bf16, logits f32.
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-DAG: tile.global @h.0.k state : tensor<?x2x16x4xbf16>
  // CHECK-DAG: tile.global @attn.bias weight : tensor<24xf32>
  // CHECK: tile.launch @embed {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x24xbf16>
  // CHECK: tile.launch @attention {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @unembed {{.*}} -> tensor<?x32xf32>
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %q = gpt.linear %e weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %l = gpt.unembed %a weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %l : tensor<?x32xf32>
  }
}
