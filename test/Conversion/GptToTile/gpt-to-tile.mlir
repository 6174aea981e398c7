// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile -split-input-file | FileCheck %s

// Every op, without a plan: any number of rows, so kernels without conditions.
gpt.model @every_op {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: gpt.model @every_op
  // CHECK-DAG: tile.global @wte.weight weight : tensor<32x8xf32>
  // CHECK-DAG: tile.global @wpe.weight weight : tensor<16x8xf32>
  // CHECK-DAG: tile.global @ln.weight weight : tensor<8xf32>
  // CHECK-DAG: tile.global @ln.bias weight : tensor<8xf32>
  // CHECK-DAG: tile.global @attn.weight weight : tensor<24x8xf32>
  // CHECK-DAG: tile.global @attn.bias weight : tensor<24xf32>
  // CHECK-DAG: tile.global @h.0.k state : tensor<?x2x16x4xf32>
  // CHECK-DAG: tile.global @h.0.v state : tensor<?x2x16x4xf32>
  // CHECK: func.func @forward(%[[IDS:.*]]: tensor<?xi32>, %[[POS:.*]]: tensor<?xi32>)
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32> {
    // CHECK-DAG: %[[N:.*]] = tensor.dim %[[IDS]],
    // CHECK-DAG: %[[B:.*]] = tensor.dim %[[POS]],

    // CHECK-DAG: %[[WTE:.*]] = tile.get_global @wte.weight
    // CHECK-DAG: %[[WPE:.*]] = tile.get_global @wpe.weight
    // CHECK: %[[OUT:.*]] = tensor.empty(%[[N]]) : tensor<?x8xf32>
    // CHECK: %[[E:.*]] = tile.launch @embed ins(%[[IDS]], %[[POS]], %[[WTE]], %[[WPE]], %{{.*}}, %{{.*}}) outs(%[[OUT]]) {tile.label = "embed"} : {{.*}}, tensor<0xi32>, tensor<0xi32>
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>

    // CHECK-DAG: %[[GAIN:.*]] = tile.get_global @ln.weight
    // CHECK-DAG: %[[BIAS:.*]] = tile.get_global @ln.bias
    // CHECK: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
    // CHECK: %[[NORM:.*]] = tile.launch @layer_norm ins(%[[E]], %[[GAIN]], %[[BIAS]], %[[EPS]]) {{.*}} {tile.label = "ln"}
    %n = gpt.layer_norm %e weights("ln") : tensor<?x8xf32> -> tensor<?x8xf32>

    // CHECK-DAG: %[[W:.*]] = tile.get_global @attn.weight
    // CHECK-DAG: %[[WB:.*]] = tile.get_global @attn.bias
    // CHECK: %[[QKV:.*]] = tile.launch @linear ins(%[[NORM]], %[[W]], %[[WB]]) {{.*}} {tile.label = "attn"}
    %q = gpt.linear %n weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>

    // The cache is updated first, then read.
    // CHECK-DAG: %[[K:.*]] = tile.get_global @h.0.k
    // CHECK-DAG: %[[V:.*]] = tile.get_global @h.0.v
    // CHECK: %[[KV:.*]]:3 = tile.launch @kv_append ins(%[[QKV]], {{.*}}, %[[POS]]) outs(%[[K]], %[[V]], %{{.*}}) {tile.label = "h.0.kv_append"}
    // CHECK: %[[A:.*]] = tile.launch @attention ins(%[[QKV]], %[[KV]]#0, %[[KV]]#1, %[[POS]], %{{.*}}, %{{.*}}, %{{.*}}) outs({{.*}}) {tile.label = "h.0.attention"}
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>

    // CHECK: %[[PROJ:.*]] = tile.launch @linear ins(%[[A]],
    // CHECK: %[[P:.*]] = tile.launch @add ins(%[[PROJ]], %[[E]])
    %p = gpt.linear %a weights("proj") to width residual(%e : tensor<?x8xf32>) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: %[[FC:.*]] = tile.launch @linear ins(%[[P]],
    // CHECK: %[[F:.*]] = tile.launch @gelu ins(%[[FC]])
    %f = gpt.linear %p weights("fc") to inner activation(gelu_tanh) : tensor<?x8xf32> -> tensor<?x32xf32>
    // CHECK: %[[G:.*]] = tile.launch @gelu ins(%[[F]])
    %g = gpt.gelu %f : tensor<?x32xf32> -> tensor<?x32xf32>
    // CHECK: %[[GE:.*]] = tile.launch @gelu_exact ins(%[[G]])
    %h = gpt.gelu %g approximate(none) : tensor<?x32xf32> -> tensor<?x32xf32>
    // CHECK: %[[S:.*]] = tile.launch @add ins(%[[G]], %[[GE]]) {{.*}} {tile.label = "addf"}
    %s = arith.addf %g, %h : tensor<?x32xf32>
    %m = gpt.linear %s weights("out") to width : tensor<?x32xf32> -> tensor<?x8xf32>
    // CHECK: %[[LAST:.*]] = tensor.empty(%[[B]]) : tensor<?x8xf32>
    // CHECK: %[[L:.*]] = tile.launch @last_rows ins(%{{.*}}, %[[POS]]) outs(%[[LAST]])
    %l = gpt.last_rows %m of %pos : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: %[[LOGITS:.*]] = tensor.empty(%[[B]]) : tensor<?x32xf32>
    // CHECK: tile.launch @linear ins(%[[L]], %{{.*}}, %{{.*}}) outs(%[[LOGITS]]) {tile.label = "wte"}
    %z = gpt.unembed %l weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %z : tensor<?x32xf32>
  }

  // CHECK: func.func @draw(%[[Z:.*]]: tensor<?x300xf32>, %[[HOW:.*]]: tensor<?x5xf32>)
  func.func @draw(%logits: tensor<?x300xf32>, %how: tensor<?x5xf32>) -> tensor<?xi32> {
    // CHECK: %[[S:.*]]:2 = tile.launch @sample_order ins(%[[Z]]) outs(%{{.*}}, %{{.*}}) {tile.label = "sample.order"}
    // CHECK-SAME: -> (tensor<?x512xf32>, tensor<?x512xi32>)
    // CHECK: tile.launch @sample_draw ins(%[[S]]#0, %[[S]]#1, %[[HOW]]) outs(%{{.*}}) {tile.label = "sample.draw"}
    // CHECK-SAME: -> tensor<?xi32>
    %next = gpt.sample %logits as %how : tensor<?x300xf32>, tensor<?x5xf32> -> tensor<?xi32>
    return %next : tensor<?xi32>
  }
}
// Library kernels that are not launched are erased.
// CHECK-NOT: tile.kernel @linear_decode
// CHECK: tile.kernel @sample_order
// CHECK: tile.kernel @sample_draw
// CHECK-NOT: tile.kernel

// -----

// In a decode plan, N is at most 16 and equal to B: the decode kernels provably apply.
gpt.model @plans {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: func.func @decode
  func.func @decode(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32>
      attributes {gpt.plan = "decode", tile.rows = array<i64: 2, 16>, gpt.sequences = array<i64: 2, 16>} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: tile.launch @linear_decode
    %q = gpt.linear %e weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    // CHECK: tile.launch @attention_decode
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return %a : tensor<?x8xf32>
  }

  // CHECK-LABEL: func.func @prefill
  func.func @prefill(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x32xf32>
      attributes {gpt.plan = "prefill", tile.rows = array<i64: 2, 64>, gpt.sequences = array<i64: 1, 4>} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: tile.launch @linear ins
    %q = gpt.linear %e weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    // CHECK: tile.launch @attention ins
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // There are as many last rows as sequences.
    %l = gpt.last_rows %a of %pos : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: tile.launch @linear_decode
    %z = gpt.unembed %l weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    return %z : tensor<?x32xf32>
  }

  // CHECK-LABEL: func.func @one_row(%{{.*}}: tensor<1xi32>, %{{.*}}: tensor<1xi32>)
  func.func @one_row(%ids: tensor<1xi32>, %pos: tensor<1xi32>) -> tensor<1x8xf32> {
    // CHECK: tensor.empty() : tensor<1x8xf32>
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<1xi32>, tensor<1xi32> -> tensor<1x8xf32>
    %q = gpt.linear %e weights("attn") to 3 * width : tensor<1x8xf32> -> tensor<1x24xf32>
    // CHECK: tile.launch @attention_decode
    %a = gpt.attention %q at %pos cache("h.0") : tensor<1x24xf32>, tensor<1xi32> -> tensor<1x8xf32>
    return %a : tensor<1x8xf32>
  }
}

// -----

// A launch of a user's kernel beside gpt ops; row counts are traced through it.
gpt.model @own_launch {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @swish(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [dim(%y, 0)] {
  }
  // CHECK-LABEL: func.func @decode
  func.func @decode(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32>
      attributes {gpt.plan = "decode", tile.rows = array<i64: 2, 16>, gpt.sequences = array<i64: 2, 16>} {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %c0 = arith.constant 0 : index
    %n = tensor.dim %e, %c0 : tensor<?x8xf32>
    %d = tensor.empty(%n) : tensor<?x8xf32>
    // CHECK: %[[S:.*]] = tile.launch @swish
    %s = tile.launch @swish ins(%e) outs(%d) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    // CHECK: tile.launch @linear_decode ins(%[[S]],
    %q = gpt.linear %s weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    return %q : tensor<?x8xf32>
  }
}

// -----

// The user's kernel takes precedence over the library's, and one for another tensor op is a new op.
gpt.model @own_kernels {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @my_gelu(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
      implements(gpt.gelu) grid [dim(%y, 0)] {
  }
  tile.kernel @my_tanh(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
      implements(math.tanh) grid [dim(%y, 0)] {
  }
  // CHECK-LABEL: func.func @f
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK: tile.launch @my_gelu
    %g = gpt.gelu %x : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: tile.launch @my_tanh {{.*}} {tile.label = "tanh"}
    %t = math.tanh %g : tensor<?x8xf32>
    return %t : tensor<?x8xf32>
  }
}

// -----

// Ops that no kernel fuses are expanded.
gpt.model @unfused {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: func.func @f
  // CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>)
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK: %[[L:.*]] = tile.launch @linear ins(%[[X]],
    // CHECK: %[[G:.*]] = tile.launch @gelu_exact ins(%[[L]])
    // CHECK: %[[R:.*]] = tile.launch @add ins(%[[G]], %[[X]]) {{.*}} {tile.label = "fc.residual"}
    // CHECK: return %[[R]]
    %y = gpt.linear %x weights("fc") to width activation(gelu_erf) residual(%x : tensor<?x8xf32>) : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

// A global declared by the user is used as it is.
gpt.model @own_global {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.global @fc.bias weight : tensor<8xf32>
  // CHECK: tile.global @fc.bias
  // CHECK-NOT: tile.global @fc.bias
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    %y = gpt.linear %x weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

// Ranks with a part of the tokens and of the positions each, which they read from inputs. The embedding's result stays
// f32, as for one rank.
gpt.model @parts {layers = 1, heads = 2, head_dim = 4, width = 8, context = 16, vocab = 33} {
  // CHECK-DAG: tile.global @"wte.weight[rows 33/2]" weight : tensor<17x8xf32>
  // CHECK-DAG: tile.global @"wte.weight[begin 33/2]" weight : tensor<1xi32>
  // CHECK-DAG: tile.global @"wpe.weight[rows 16/2]" weight : tensor<8x8xf32>
  // CHECK-DAG: tile.global @"wpe.weight[begin 16/2]" weight : tensor<1xi32>
  // CHECK-LABEL: func.func @parts_of_tables
  func.func @parts_of_tables(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // CHECK-DAG: %[[V:.*]] = tile.get_global @"wte.weight[begin 33/2]"
    // CHECK-DAG: %[[S:.*]] = tile.get_global @"wpe.weight[begin 16/2]"
    // CHECK: tile.launch @embed ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[V]], %[[S]]) {{.*}} -> tensor<?x8xf32>
    // CHECK: tile.launch @all_reduce {{.*}} -> tensor<?x8xf32>
    %e = gpt.embed %ids at %pos weights("wte", "wpe") shard("rows 33/2") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %x = gpt.all_reduce %e over 2 : tensor<?x8xf32> -> tensor<?x8xf32>
    return %x : tensor<?x8xf32>
  }
}
