// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-unroll-layers))" | FileCheck %s

gpt.model @m {layers = 2, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: func.func @numbers_layers
  // CHECK-SAME: (%[[E:.*]]: tensor<?x8xf32>, %[[POS:.*]]: tensor<?xi32>)
  func.func @numbers_layers(%e: tensor<?x8xf32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // CHECK-NOT: gpt.layers
    // CHECK: %[[Q0:.*]] = gpt.linear %[[E]] weights("h.0.attn.c_attn")
    // CHECK: %[[A0:.*]] = gpt.attention %[[Q0]] at %[[POS]] cache("h.0")
    // CHECK: %[[Q1:.*]] = gpt.linear %[[A0]] weights("h.1.attn.c_attn")
    // CHECK: %[[A1:.*]] = gpt.attention %[[Q1]] at %[[POS]] cache("h.1")
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      %q = gpt.linear %x weights("h.{l}.attn.c_attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
      %a = gpt.attention %q at %pos cache("h.{l}") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
      gpt.yield %a : tensor<?x8xf32>
    }
    // CHECK: return %[[A1]]
    return %y : tensor<?x8xf32>
  }

  // Values may change places from layer to layer; two layers bring them back.
  // CHECK-LABEL: func.func @swaps
  // CHECK-SAME: (%[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<?x8xf32>)
  func.func @swaps(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    %r:2 = gpt.layers iter(%x = %a, %y = %b) : tensor<?x8xf32>, tensor<?x8xf32> {
      gpt.yield %y, %x : tensor<?x8xf32>, tensor<?x8xf32>
    }
    // CHECK: return %[[A]], %[[B]]
    return %r#0, %r#1 : tensor<?x8xf32>, tensor<?x8xf32>
  }
}
