// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile --tile-bind-operands --canonicalize --cse --tile-fuse-launches=overlaps-memory --cse | FileCheck %s --check-prefix=FUSED

// 4 query heads on 2 key and value heads.
gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  // Several weights are one matrix.
  // CHECK: tile.global @"gate.weight+up.weight" weight : tensor<64x8xf32>

  // Norms and rotation are part of attention's launches; the angles of a step are computed once.
  // CHECK-LABEL: func.func @decode
  // CHECK:       %[[A:.*]]:2 = tile.launch @rotary_angles
  // CHECK-SAME:    (tensor<1xi32>, tensor<0xf32>, f32, f32, f32, f32, f32, f32, tensor<1x4xf32>, tensor<1x4xf32>)
  // CHECK:       %[[Q:.*]]:3 = tile.launch @kv_append ins(%{{[^#]*}}, %[[A]]#0, %[[A]]#1, %
  // CHECK-SAME:    : (tensor<1x32xf32>, tensor<0xf32>, tensor<0xf32>, f32, f32, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1xi32>,
  // CHECK:       tile.launch @attention_decode ins(%[[Q]]#2, %[[Q]]#0, %[[Q]]#1, %{{.*}})
  // CHECK-NOT:   @rotary_angles
  // CHECK:       %[[WINDOW:.*]] = arith.constant 8 : i32
  // CHECK:       tile.launch @kv_append
  // CHECK-SAME:    : (tensor<1x32xf32>, tensor<4xf32>, tensor<4xf32>, f32, f32, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1xi32>,
  // CHECK:       tile.launch @attention_decode {{.*}}, %[[WINDOW]], %{{[^,]*}}) outs
  // Queries stay in registers, with or without norms and a window.
  // FUSED-LABEL: func.func @decode
  // FUSED:       %[[A:.*]]:2 = tile.launch @rotary_angles
  // FUSED:       tile.launch @kv_append{{[0-9]*}}.attention_decode{{[0-9]*}} ins(%{{[^#]*}}, %[[A]]#0, %[[A]]#1, %
  // FUSED-NOT:   tensor.empty
  // FUSED:       tile.launch @kv_append{{[0-9]*}}.attention_decode{{[0-9]*}} ins
  // FUSED:       return
  func.func @decode(%q: tensor<1x32xf32>, %pos: tensor<1xi32>) -> (tensor<1x16xf32>, tensor<1x16xf32>) attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %r = gpt.rotary %q at %pos theta(1.0e+4) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x32xf32>
    %a = gpt.attention %r at %pos cache("h.0") : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x16xf32>
    %n = gpt.head_norm %q weights("qn", "kn") offset(1) : tensor<1x32xf32> -> tensor<1x32xf32>
    %s = gpt.rotary %n at %pos theta(1.0e+4) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x32xf32>
    %b = gpt.attention %s at %pos cache("h.1") window(8) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x16xf32>
    return %a, %b : tensor<1x16xf32>, tensor<1x16xf32>
  }

  // Layer norms of heads are launched: with the same weights for all heads, a tensor for every head, or one for all.
  // CHECK-LABEL: func.func @layer_norms
  // CHECK:       %[[G:.*]] = tile.get_global @"q.weight+q.weight+q.weight+q.weight+k.weight+k.weight" : tensor<6x4xf32>
  // CHECK:       %[[B:.*]] = tile.get_global @"q.bias+q.bias+q.bias+q.bias+k.bias+k.bias" : tensor<6x4xf32>
  // CHECK:       tile.launch @head_layer_norm ins(%{{[^,]*}}, %[[G]], %[[B]], %{{[^,]*}})
  // CHECK:       tile.get_global @"q.0.weight+q.1.weight+q.2.weight+q.3.weight+k.0.weight+k.1.weight" : tensor<6x4xf32>
  // CHECK:       tensor.empty() : tensor<1x0xf32>
  // CHECK:       tile.launch @head_layer_norm
  // CHECK:       tile.get_global @"q.weight+k.weight" : tensor<6x4xf32>
  // CHECK:       tile.launch @head_layer_norm
  func.func @layer_norms(%q: tensor<1x32xf32>) -> tensor<1x32xf32> attributes {tile.rows = array<i64: 1, 1>} {
    %a = gpt.head_layer_norm %q weights("q", "k") : tensor<1x32xf32> -> tensor<1x32xf32>
    %b = gpt.head_layer_norm %a weights("q.{h}", "k.{h}") bias(0) : tensor<1x32xf32> -> tensor<1x32xf32>
    %c = gpt.head_layer_norm %b weights("q", "k") per_head bias(0) : tensor<1x32xf32> -> tensor<1x32xf32>
    return %c : tensor<1x32xf32>
  }

  // Values with other readers are launched; other angles need other launches; 0 features need none.
  // CHECK-LABEL: func.func @others
  // CHECK:       tile.launch @head_norm
  // CHECK:       tile.launch @rotary_angles
  // CHECK-SAME:    tensor<1x2xf32>)
  // CHECK:       tile.launch @rotary ins
  // CHECK-NOT:   @rotary_angles
  // CHECK:       tile.launch @kv_append
  // CHECK:       tile.launch @attention_decode
  func.func @others(%q: tensor<1x32xf32>, %pos: tensor<1xi32>) -> (tensor<1x32xf32>, tensor<1x16xf32>) attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %n = gpt.head_norm %q weights("qn", "kn") : tensor<1x32xf32> -> tensor<1x32xf32>
    %r = gpt.rotary %n at %pos theta(1.0e+4) features(2) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x32xf32>
    %s = gpt.rotary %q at %pos theta(1.0e+4) features(0) : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x32xf32>
    %a = gpt.attention %s at %pos cache("h.2") : tensor<1x32xf32>, tensor<1xi32> -> tensor<1x16xf32>
    return %r, %a : tensor<1x32xf32>, tensor<1x16xf32>
  }

  // CHECK-LABEL: func.func @mlp
  // CHECK:       tile.launch @rms_norm
  // CHECK:       %[[NOBIAS:.*]] = tensor.empty() : tensor<0xf32>
  // CHECK:       %[[BOTH:.*]] = tile.launch @linear_decode ins(%{{[^,]*}}, %{{[^,]*}}, %[[NOBIAS]]) {{.*}} -> tensor<1x64xf32>
  // CHECK:       tile.launch @silu_glu ins(%[[BOTH]]) {{.*}} -> tensor<1x32xf32>
  // CHECK:       %[[NONE:.*]] = tensor.empty() : tensor<0xf32>
  // CHECK:       tile.launch @linear_decode ins(%{{.*}}, %{{.*}}, %[[NONE]])
  // CHECK-SAME:    tensor<8x32xf32>
  func.func @mlp(%x: tensor<1x8xf32>) -> tensor<1x8xf32> attributes {tile.rows = array<i64: 1, 1>} {
    %n = gpt.rms_norm %x weights("n") : tensor<1x8xf32> -> tensor<1x8xf32>
    %f = gpt.linear %n weights("gate", "up") to 2 * inner bias(0) gated activation(silu) : tensor<1x8xf32> -> tensor<1x32xf32>
    %d = gpt.linear %f weights("down") to width bias(0) : tensor<1x32xf32> -> tensor<1x8xf32>
    return %d : tensor<1x8xf32>
  }
}

// -----

// Latent heads: the order of features is a weight with its values as name, since features that turn come first. A rank reads
// rows of the norms of all heads.
gpt.model @latent {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32, eps = 1.0e-5} {
  // CHECK-LABEL: gpt.model @latent
  // CHECK: tile.global @"[2,4,3,5,0,1]" weight : tensor<6xf32>
  // CHECK: tile.launch @latent_heads ins({{.*}}) {{.*}} : (tensor<1x12xf32>, tensor<1x10xf32>, tensor<1x4xf32>, tensor<6xf32>, tensor<1x36xf32>)
  // CHECK: tile.launch @columns {{.*}} : (tensor<1x12xf32>, i32, i32, i32, tensor<1x6xf32>)
  // CHECK: %[[EPS:.*]] = arith.constant 9.99999997E-7 : f32
  // CHECK: tile.launch @rms_norm ins(%{{.*}}, %{{.*}}, %[[EPS]], %{{.*}})
  func.func @decode(%q: tensor<1x12xf32>, %l: tensor<1x10xf32>, %t: tensor<1x4xf32>, %pos: tensor<1xi32>) -> tensor<1x6xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %h = gpt.latent_heads %q, %l, %t interleaved(1) : tensor<1x12xf32>, tensor<1x10xf32>, tensor<1x4xf32> -> tensor<1x36xf32>
    %a = gpt.attention %h at %pos cache("c") : tensor<1x36xf32>, tensor<1xi32> -> tensor<1x12xf32>
    %v = gpt.columns %a groups(heads) to 3 : tensor<1x12xf32> -> tensor<1x6xf32>
    %n = gpt.rms_norm %v weights("n") eps(1.0e-6) : tensor<1x6xf32> -> tensor<1x6xf32>
    return %n : tensor<1x6xf32>
  }
}

// -----

gpt.model @ranks {layers = 1, heads = 2, kv_heads = 1, head_dim = 4, width = 16, context = 16, vocab = 32} {
  // CHECK-LABEL: gpt.model @ranks
  // CHECK-DAG: tile.global @"q.weight+k.weight[rows 2*2/2, 2/2]" weight : tensor<3x4xf32>
  // CHECK-DAG: tile.global @"q.0.weight+q.1.weight+q.2.weight+q.3.weight+k.0.weight+k.1.weight[rows 2*2/2, 2/2]" weight : tensor<3x4xf32>
  func.func @norms(%q: tensor<1x16xf32>) -> (tensor<1x16xf32>, tensor<1x16xf32>) attributes {tile.rows = array<i64: 1, 1>} {
    %n = gpt.head_layer_norm %q weights("q", "k") per_head bias(0) shard("rows 2*2/2, 2/2") : tensor<1x16xf32> -> tensor<1x16xf32>
    %m = gpt.head_layer_norm %q weights("q.{h}", "k.{h}") bias(0) shard("rows 2*2/2, 2/2") : tensor<1x16xf32> -> tensor<1x16xf32>
    return %n, %m : tensor<1x16xf32>, tensor<1x16xf32>
  }
}

// -----

// A convolution appends to its cache first.
gpt.model @convolution {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: gpt.model @convolution
  // CHECK: tile.global @c.u state : tensor<?x1x16x8xf32>
  // CHECK: %[[U:.*]] = tile.launch @conv_append ins(%{{.*}}, %{{.*}}) outs(%{{.*}})
  // CHECK: tile.launch @conv_convolve ins(%{{.*}}, %[[U]], %{{.*}}, %{{.*}}, %{{.*}}) {{.*}} : (tensor<1x24xf32>, tensor<?x1x16x8xf32>, tensor<1xi32>, tensor<8x3xf32>, tensor<0xf32>, tensor<1x8xf32>)
  func.func @decode(%x: tensor<1x24xf32>, %pos: tensor<1xi32>) -> tensor<1x8xf32>
      attributes {tile.rows = array<i64: 1, 1>, gpt.sequences = array<i64: 1, 1>} {
    %y = gpt.short_conv %x at %pos cache("c") weights("w") taps(3) bias(0) : tensor<1x24xf32>, tensor<1xi32> -> tensor<1x8xf32>
    return %y : tensor<1x8xf32>
  }
}
