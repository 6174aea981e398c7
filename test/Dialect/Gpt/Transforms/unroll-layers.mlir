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

  // Values may swap between layers; two layers restore the order.
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

// Values become those of their layer; a list is repeated over the layers.
// CHECK-LABEL: gpt.model @patterns
gpt.model @patterns {layers = 3, heads = 1, width = 8, context = 16, vocab = 32, wide = [1, 0]} {
  // CHECK-LABEL: func.func @values
  func.func @values(%e: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK: gpt.linear %{{.*}} weights("h.0.fc") to 8 {part = 32 : i64} :
    // CHECK: gpt.linear %{{.*}} weights("h.1.fc") to 8 {part = 4 : i64} :
    // CHECK: gpt.linear %{{.*}} weights("h.2.fc") to 8 {part = 32 : i64} :
    // CHECK: gpt.linear %{{.*}} weights("head") to 32 :
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      %f = gpt.linear %x weights("h.{l}.fc") to width {part = #gpt.expr<"select(wide, inner, width / 2)">} : tensor<?x8xf32> -> tensor<?x8xf32>
      gpt.yield %f : tensor<?x8xf32>
    }
    %z = gpt.linear %y weights("head") to inner : tensor<?x8xf32> -> tensor<?x32xf32>
    return %y : tensor<?x8xf32>
  }
}

// A global of the layers is declared once per layer.
// CHECK-LABEL: gpt.model @globals
gpt.model @globals {layers = 2, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK-NEXT: tile.global @h.0.scale weight : tensor<8xf32>
  // CHECK-NEXT: tile.global @h.1.scale weight : tensor<8xf32>
  tile.global @"h.{l}.scale" weight : tensor<8xf32>
  func.func @reads(%e: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK: %[[S0:.*]] = tile.get_global @h.0.scale
    // CHECK: tile.launch @scale ins(%{{.*}}, %[[S0]])
    // CHECK: %[[S1:.*]] = tile.get_global @h.1.scale
    // CHECK: tile.launch @scale ins(%{{.*}}, %[[S1]])
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      %s = tile.get_global @"h.{l}.scale" : tensor<8xf32>
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?x8xf32>
      %d = tensor.empty(%n) : tensor<?x8xf32>
      %r = tile.launch @scale ins(%x, %s) outs(%d) : (tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
      gpt.yield %r : tensor<?x8xf32>
    }
    return %y : tensor<?x8xf32>
  }
}

// A selection is replaced by the tensor it selects, layer by layer, and what only the other one needs is removed.
// CHECK-LABEL: gpt.model @selects
gpt.model @selects {layers = 2, heads = 1, width = 8, context = 16, vocab = 32, wide = [1, 0], last = false} {
  // CHECK-LABEL: func.func @f
  // CHECK-SAME: (%[[E:.*]]: tensor<?x8xf32>)
  func.func @f(%e: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK-NEXT: %[[L0:.*]] = gpt.linear %[[E]] weights("h.0")
    // CHECK-NEXT: %[[L1:.*]] = gpt.linear %[[L0]] weights("h.1")
    // CHECK-NEXT: %[[G1:.*]] = gpt.gelu %[[L1]]
    // CHECK-NEXT: return %[[G1]]
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      %l = gpt.linear %x weights("h.{l}") to 8 : tensor<?x8xf32> -> tensor<?x8xf32>
      %g = gpt.gelu %l approximate(none) : tensor<?x8xf32> -> tensor<?x8xf32>
      %s = gpt.select(wide) %l, %g : tensor<?x8xf32>
      gpt.yield %s : tensor<?x8xf32>
    }
    %z = gpt.select(last) %e, %y : tensor<?x8xf32>
    return %z : tensor<?x8xf32>
  }

  // Both results of an op are read by one that is removed.
  // CHECK-LABEL: func.func @two_results
  // CHECK-NEXT: return
  func.func @two_results(%e: tensor<?x8xf32>) -> tensor<?x8xf32> {
    %z = gpt.linear %e weights("gate") to 4 bias(0) : tensor<?x8xf32> -> tensor<?x4xf32>
    %i, %s = gpt.route %z top(2) : tensor<?x4xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    %m = gpt.experts %e by %i, %s weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(4) inner(6) activation(silu)
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    %y = gpt.select(last) %m, %e : tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}
