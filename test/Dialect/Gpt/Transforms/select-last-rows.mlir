// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-select-last-rows))" -split-input-file -verify-diagnostics | FileCheck %s

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: func.func @moves_above_row_wise_ops
  // CHECK-SAME: (%[[IDS:.*]]: tensor<?xi32>, %[[POS:.*]]: tensor<2xi32>) -> tensor<2x32xf32>
  func.func @moves_above_row_wise_ops(%ids: tensor<?xi32>, %pos: tensor<2xi32>) -> tensor<?x32xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<2xi32> -> tensor<?x8xf32>
    // CHECK: %[[Q:.*]] = gpt.linear
    %q = gpt.linear %e weights("q") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    // CHECK: %[[A:.*]] = gpt.attention %[[Q]]
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<2xi32> -> tensor<?x8xf32>
    // CHECK: %[[L:.*]] = gpt.last_rows %[[A]] of %[[POS]] : tensor<?x8xf32>, tensor<2xi32> -> tensor<2x8xf32>
    // CHECK: gpt.layer_norm %[[L]] {{.*}} : tensor<2x8xf32> -> tensor<2x8xf32>
    %n = gpt.layer_norm %a weights("n") : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.linear
    %f = gpt.linear %n weights("f") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.gelu
    %g = gpt.gelu %f : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: arith.addf %[[L]], %{{.*}} : tensor<2x8xf32>
    %r = arith.addf %a, %g : tensor<?x8xf32>
    // CHECK: %[[Z:.*]] = gpt.unembed %{{.*}} : tensor<2x8xf32> -> tensor<2x32xf32>
    %z = gpt.unembed %r weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    // CHECK-NEXT: return %[[Z]]
    return %z : tensor<?x32xf32>
  }

  // Attention needs all rows of the normalized input, so the norm stays in place.
  // CHECK-LABEL: func.func @stays_where_all_rows_are_read
  func.func @stays_where_all_rows_are_read(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: %[[N:.*]] = gpt.layer_norm %{{.*}} : tensor<?x8xf32> -> tensor<?x8xf32>
    %n = gpt.layer_norm %e weights("n") : tensor<?x8xf32> -> tensor<?x8xf32>
    %q = gpt.linear %n weights("q") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK-DAG: %[[LN:.*]] = gpt.last_rows %[[N]]
    // CHECK-DAG: %[[LA:.*]] = gpt.last_rows %{{.*}}
    // CHECK: arith.addf %[[LN]], %[[LA]]
    %r = arith.addf %n, %a : tensor<?x8xf32>
    return %r : tensor<?x8xf32>
  }

  // Also for ops lowered to launches; the positions are the plan's second argument.
  // CHECK-LABEL: func.func @launches
  // CHECK-SAME: (%{{.*}}: tensor<?xi32>, %[[POS:.*]]: tensor<1xi32>) -> tensor<1x32xf32>
  // CHECK-SAME: attributes {gpt.last_rows, gpt.plan = "prefill"}
  func.func @launches(%ids: tensor<?xi32>, %pos: tensor<1xi32>) -> tensor<?x32xf32> attributes {gpt.plan = "prefill"} {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %ids, %c0 : tensor<?xi32>
    %e = tensor.empty(%n) : tensor<?x32xf32>
    // CHECK: %[[Z:.*]] = tile.launch @logits
    %z = tile.launch @logits ins(%ids) outs(%e) : (tensor<?xi32>, tensor<?x32xf32>) -> tensor<?x32xf32>
    // CHECK: gpt.last_rows %[[Z]] of %[[POS]]
    return %z : tensor<?x32xf32>
  }

  // CHECK-LABEL: func.func @once
  // CHECK-NOT: gpt.last_rows %
  func.func @once(%ids: tensor<?xi32>, %pos: tensor<1xi32>) -> tensor<1x8xf32> attributes {gpt.plan = "prefill", gpt.last_rows} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<1xi32> -> tensor<?x8xf32>
    %l = tensor.cast %e : tensor<?x8xf32> to tensor<1x8xf32>
    return %l : tensor<1x8xf32>
  }

  // CHECK-LABEL: func.func @score
  // CHECK-NOT: gpt.last_rows
  func.func @score(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> attributes {gpt.plan = "score"} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return %e : tensor<?x8xf32>
  }

  // CHECK-LABEL: func.func @decode
  // CHECK-NOT: gpt.last_rows
  func.func @decode(%ids: tensor<1xi32>, %pos: tensor<1xi32>) -> tensor<1x8xf32> attributes {gpt.plan = "decode"} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<1xi32>, tensor<1xi32> -> tensor<1x8xf32>
    %l = gpt.last_rows %e of %pos : tensor<1x8xf32>, tensor<1xi32> -> tensor<1x8xf32>
    return %l : tensor<1x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  // expected-error @+1 {{'func.func' op expected a gpt.embed, whose positions say how many sequences there are}}
  func.func @no_positions(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    return %x : tensor<?x8xf32>
  }
}
