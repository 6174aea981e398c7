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
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x32xf32>
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %q = gpt.linear %e weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %l = gpt.unembed %a weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %l : tensor<?x32xf32>
  }
}

// Residual sums stay f32: operands of products and cached values are rounded.
// CHECK-LABEL: gpt.model @residuals
gpt.model @residuals {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK: tile.launch @embed {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @layer_norm {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x24xbf16>
  // CHECK: tile.launch @attention {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @add {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @rms_norm {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @gelu_exact {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @rms_norm {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @add {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @last_rows {{.*}} -> tensor<?x8xf32>
  // CHECK: tile.launch @layer_norm {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear {{.*}} -> tensor<?x32xf32>
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32> {
    %x = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %n = gpt.layer_norm %x weights("ln") : tensor<?x8xf32> -> tensor<?x8xf32>
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %p = gpt.linear %a weights("proj") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %x1 = arith.addf %x, %p : tensor<?x8xf32>
    %n2 = gpt.rms_norm %x1 weights("ln2") : tensor<?x8xf32> -> tensor<?x8xf32>
    %h = gpt.linear %n2 weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %g = gpt.gelu %h approximate(none) : tensor<?x8xf32> -> tensor<?x8xf32>
    %m = gpt.linear %g weights("fc2") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    // A norm after a block reads a sum and computes a summand.
    %pm = gpt.rms_norm %m weights("post") : tensor<?x8xf32> -> tensor<?x8xf32>
    %x2 = arith.addf %x1, %pm : tensor<?x8xf32>
    %last = gpt.last_rows %x2 of %pos : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %nf = gpt.layer_norm %last weights("ln_f") : tensor<?x8xf32> -> tensor<?x8xf32>
    %l = gpt.unembed %nf weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %l : tensor<?x32xf32>
  }
}

// A kernel with one type for all rows gets rounded ones; one for f32 only has its results rounded.
// CHECK-LABEL: gpt.model @kernels
gpt.model @kernels {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @norm(%x: !tile.view<?x?x!tile.elt<X>>, %g: !tile.view<?xf32>, %e: f32, %o: f32)
      outs(%y: !tile.view<?x?x!tile.elt<X>>)
      implements(gpt.rms_norm) params {X: type = f32 in [f32, bf16]} grid [1] {}
  tile.kernel @exp(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) implements(math.exp) grid [1] {}
  // CHECK: %[[X:.*]] = tile.launch @embed {{.*}} -> tensor<?x8xf32>
  // CHECK: %[[R:.*]] = tile.launch @round ins(%[[X]]) {{.*}} -> tensor<?x8xbf16>
  // CHECK: %[[N:.*]] = tile.launch @norm ins(%[[R]], {{.*}} -> tensor<?x8xbf16>
  // CHECK: %[[L:.*]] = tile.launch @linear ins(%[[N]], {{.*}} -> tensor<?x8xf32>
  // CHECK: %[[E:.*]] = tile.launch @exp ins(%[[L]]) {{.*}} -> tensor<?x8xf32>
  // CHECK: %[[S:.*]] = tile.launch @round ins(%[[E]]) {{.*}} -> tensor<?x8xbf16>
  // CHECK: tile.launch @linear ins(%[[S]],
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32> {
    %x = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %n = gpt.rms_norm %x weights("ln") : tensor<?x8xf32> -> tensor<?x8xf32>
    %h = gpt.linear %n weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %e = math.exp %h : tensor<?x8xf32>
    %l = gpt.unembed %e weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %l : tensor<?x32xf32>
  }
}
