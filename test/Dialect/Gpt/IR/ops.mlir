// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s

// CHECK-LABEL: gpt.model @every_op {layers = 2, heads = 2, width = 8, context = 16, vocab = 32} {
gpt.model @every_op {layers = 2, heads = 2, width = 8, context = 16, vocab = 32, eps = 1.0e-5} {
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32> {
    // CHECK: %[[E:.*]] = gpt.embed %{{.*}} at %{{.*}} weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.layers iter(%[[X:.*]] = %[[E]]) : tensor<?x8xf32> {
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      // CHECK: gpt.layer_norm %[[X]] weights("h.{l}.ln_1") : tensor<?x8xf32> -> tensor<?x8xf32>
      %n = gpt.layer_norm %x weights("h.{l}.ln_1") : tensor<?x8xf32> -> tensor<?x8xf32>
      // CHECK: gpt.linear %{{.*}} weights("h.{l}.attn.c_attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
      %q = gpt.linear %n weights("h.{l}.attn.c_attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
      // CHECK: gpt.attention %{{.*}} at %{{.*}} cache("h.{l}") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
      %a = gpt.attention %q at %pos cache("h.{l}") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
      // CHECK: gpt.linear %{{.*}} weights("h.{l}.fc") to inner activation(gelu_tanh) : tensor<?x8xf32> -> tensor<?x32xf32>
      %f = gpt.linear %a weights("h.{l}.fc") to inner activation(gelu_tanh) : tensor<?x8xf32> -> tensor<?x32xf32>
      // CHECK: gpt.linear %{{.*}} weights("h.{l}.proj") to 8 residual(%[[X]] : tensor<?x8xf32>) : tensor<?x32xf32> -> tensor<?x8xf32>
      %p = gpt.linear %f weights("h.{l}.proj") to 8 residual(%x : tensor<?x8xf32>) : tensor<?x32xf32> -> tensor<?x8xf32>
      // CHECK: gpt.gelu %{{.*}} : tensor<?x8xf32> -> tensor<?x8xf32>
      %g = gpt.gelu %p : tensor<?x8xf32> -> tensor<?x8xf32>
      // CHECK: gpt.gelu %{{.*}} approximate(none) : tensor<?x8xf32> -> tensor<?x8xf32>
      %h = gpt.gelu %g approximate(none) : tensor<?x8xf32> -> tensor<?x8xf32>
      // CHECK: gpt.yield %{{.*}} : tensor<?x8xf32>
      gpt.yield %h : tensor<?x8xf32>
    }
    // CHECK: gpt.last_rows %{{.*}} of %{{.*}} : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %l = gpt.last_rows %y of %pos : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.unembed %{{.*}} weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    %z = gpt.unembed %l weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %z : tensor<?x32xf32>
  }

  func.func @draw(%logits: tensor<?x32xf32>, %how: tensor<?x5xf32>) -> tensor<?xi32> {
    // CHECK: gpt.sample %{{.*}} as %{{.*}} : tensor<?x32xf32>, tensor<?x5xf32> -> tensor<?xi32>
    %next = gpt.sample %logits as %how : tensor<?x32xf32>, tensor<?x5xf32> -> tensor<?xi32>
    return %next : tensor<?xi32>
  }
}

// CHECK: gpt.model @all_sizes {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, inner = 20, eps = 9.9999999999999995E-7, some.note = "kept"}
gpt.model @all_sizes {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, inner = 20, eps = 1.0e-6, some.note = "kept"}

// CHECK: gpt.model @preset like "gpt2" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}
gpt.model @preset like "gpt2" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}

// Sizes may be open: a model definition serves every configuration.
// CHECK-LABEL: gpt.model @open_sizes
gpt.model @open_sizes {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @two_values(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
    // CHECK: %{{.*}}:2 = gpt.layers iter(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<?x?xf32>, tensor<?x?xf32> {
    %r:2 = gpt.layers iter(%a = %x, %b = %y) : tensor<?x?xf32>, tensor<?x?xf32> {
      gpt.yield %b, %a : tensor<?x?xf32>, tensor<?x?xf32>
    }
    return %r#0 : tensor<?x?xf32>
  }
}
