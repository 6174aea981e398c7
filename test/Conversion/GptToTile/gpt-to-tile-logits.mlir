// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile="weights=bf16 logits=bf16" --verify-diagnostics --split-input-file | FileCheck %s
// RUN: not tilegpt-opt %s --tile-link-library --gpt-to-tile="logits=f64" --split-input-file 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: 'gpt.model' op expected logits to be f32, bf16 or f16, found 'f64'

// A plan that computes scores: tokens are sampled from those of the other plans.
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: func.func @prefill(
  // CHECK-SAME:    -> tensor<?x32xf32>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x32xf32>
  func.func @prefill(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32>
      attributes {gpt.plan = "prefill"} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %l = gpt.unembed %e weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %l : tensor<?x32xf32>
  }
  // CHECK-LABEL: func.func @score(
  // CHECK-SAME:    -> tensor<?x32xbf16>
  // CHECK: tile.launch @embed {{.*}} -> tensor<?x8xf32>
  // CHECK: %[[L:.*]] = tile.launch @linear {{.*}} -> tensor<?x32xbf16>
  // CHECK: return %[[L]] : tensor<?x32xbf16>
  func.func @score(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32>
      attributes {gpt.plan = "score"} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %l = gpt.unembed %e weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %l : tensor<?x32xf32>
  }
}

// -----

gpt.model @capped {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @score(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32>
      attributes {gpt.plan = "score"} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // expected-error @below {{'gpt.unembed' op expected its result to be returned and nothing else, to give logits of 'bf16'}}
    %l = gpt.unembed %e weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    %c = math.tanh %l : tensor<?x32xf32>
    return %c : tensor<?x32xf32>
  }
}
