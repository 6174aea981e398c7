// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x32xf32>) {
    // expected-error @+1 {{'gpt.head_layer_norm' op expected {h}, the number of the head, once in both names or in neither, found "k"}}
    %e = gpt.head_layer_norm %x weights("q.{h}", "k") : tensor<?x32xf32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x32xf32>) {
    // expected-error @+1 {{'gpt.head_layer_norm' op expected the name of a tensor for all heads with per_head, found {h} in "q.{h}"}}
    %e = gpt.head_layer_norm %x weights("q.{h}", "k.{h}") per_head : tensor<?x32xf32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x16xf32>) {
    // expected-error @+1 {{'gpt.head_layer_norm' op expected axis 1 of input ('tensor<?x16xf32>') to be 32, (heads + 2 * kv_heads) * head_dim of the model}}
    %e = gpt.head_layer_norm %x weights("q", "k") : tensor<?x16xf32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.route' op expected a name of letters, digits, '.', '_', '-' and {l}, found "a b"}}
    %i, %s = gpt.route %x top(2) bias("a b") : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.xielu' op expected a name of letters, digits, '.', '_', '-' and {l}, found ""}}
    %y = gpt.xielu %x weights("") : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.embed' op takes positions or a scale, not both}}
    %e = gpt.embed %ids at %pos weights("wte", "wpe") scale(2) : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.linear' op expected the name of a weight}}
    %e = "gpt.linear"(%x) {weights = [], features = 8 : i64, operandSegmentSizes = array<i32: 1, 0>} : (tensor<?x8xf32>) -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.linear' op has the activation silu, which is for gated layers}}
    %e = gpt.linear %x weights("a") to 8 activation(silu) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.linear' op expected gates with the activation silu or gelu_tanh, found none}}
    %e = gpt.linear %x weights("a") to 8 bias(0) gated : tensor<?x8xf32> -> tensor<?x4xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.linear' op expected an even number of features for gates and gated values, found 7}}
    %e = gpt.linear %x weights("a") to 7 bias(0) gated activation(silu) : tensor<?x8xf32> -> tensor<?x4xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.linear' op is gated and has a residual; add it after the layer}}
    %e = gpt.linear %x weights("a") to 16 bias(0) gated activation(silu) residual(%x : tensor<?x8xf32>) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.linear' op is gated and may have a bias; write bias(0)}}
    %e = gpt.linear %x weights("a") to 16 gated activation(silu) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.glu' op expected the activation silu or gelu_tanh, found gelu_erf}}
    %e = gpt.glu %x activation(gelu_erf) : tensor<?x8xf32> -> tensor<?x4xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%y: tensor<?x7xf32>) {
    // expected-error @+1 {{'gpt.glu' op expected an even number of columns for gates and gated values, found 7}}
    %e = gpt.glu %y activation(silu) : tensor<?x7xf32> -> tensor<?x4xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.head_norm' op expected axis 1 of input ('tensor<?x8xf32>') to be 32, (heads + 2 * kv_heads) * head_dim of the model}}
    %e = "gpt.head_norm"(%x) {queries = "q", keys = "k"} : (tensor<?x8xf32>) -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op expected theta to be above 1, found 1}}
    %e = gpt.rotary %q at %pos theta(1.0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op expected features to be an even number from 0 to head_dim (4), found 3}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) features(3) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected window to be a number of tokens, or 0 for all, found -1}}
    %e = gpt.attention %q at %pos cache("h") window(-1) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected scale to be positive, found 0}}
    %e = gpt.attention %q at %pos cache("h") scale(0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x24xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected axis 1 of qkv ('tensor<?x24xf32>') to be 32, (heads + 2 * kv_heads) * head_dim of the model}}
    %e = gpt.attention %q at %pos cache("h") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected softcap to be positive, or 0 for none, found -5}}
    %e = gpt.attention %q at %pos cache("h") softcap(-5) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected alibi to be positive, or 0 for none, found -8}}
    %e = gpt.attention %q at %pos cache("h") alibi(-8) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected neither a window nor a softcap with alibi}}
    %e = gpt.attention %q at %pos cache("h") window(4) alibi(8) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected neither a window nor a softcap with alibi}}
    %e = gpt.attention %q at %pos cache("h") softcap(4.0) alibi(8) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op has alibi_scale, but no alibi}}
    %e = gpt.attention %q at %pos cache("h") alibi_scale(2) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected alibi_scale to be positive, found 0}}
    %e = gpt.attention %q at %pos cache("h") alibi(8) alibi_scale(0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected a shard such as "rows 3x768/2", found "columns 8/2"}}
    %e = gpt.attention %q at %pos cache("h") alibi(8) shard("columns 8/2") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.clamp' op expected limit to be positive, or 0 for none, found -1}}
    %e = gpt.clamp %x within(-1) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected the names of gate, up and down weights of each expert, or of packed units and down weights, found 1 names}}
    %e = gpt.experts %x by %i, %s weights("e.{e}.gate") experts(4) inner(6) activation(silu) : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected names of packed weights, or gate, up and down weights, found {e} in "e.{e}.down"}}
    %e = gpt.experts %x by %i, %s weights("units", "e.{e}.down") experts(4) inner(6) activation(silu) : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.softcap' op expected cap to be positive, or 0 for none, found -1}}
    %e = gpt.softcap %x cap(-1) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.gate' op expected axis 1 of logits ('tensor<?x8xf32>') to be 1, one for each row}}
    %e = gpt.gate %x by %x linear : tensor<?x8xf32>, tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.rms_norm' op has no weights, so it takes no offset}}
    %e = gpt.rms_norm %x offset(1) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.route' op has a margin, which excludes normalize, sigmoid, bias, scale and groups}}
    %i, %s = gpt.route %x top(2) normalize(1) margin(0.5) : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.route' op expected margin to be 0 or more, found -5.000000e-01}}
    %i, %s = gpt.route %x top(2) margin(-0.5) : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.layer_norm' op has no weights, so it takes neither an offset nor a bias}}
    %e = gpt.layer_norm %x bias(0) : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.qk_norm' op expected result of type 'tensor<?x32xf32>', found 'tensor<?x8xf32>': axis 1 is 32, not 8}}
    %e = gpt.qk_norm %x weights("q", "k") : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.route' op expected to choose among at least 9 experts, found logits of 8}}
    %e, %s = gpt.route %x top(9) : tensor<?x8xf32> -> tensor<?x9xi32>, tensor<?x9xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.route' op expected a positive number of experts, found 0}}
    %e, %s = gpt.route %x top(0) : tensor<?x8xf32> -> tensor<?x0xi32>, tensor<?x0xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected {e}, the number of the expert, once in "e.up"}}
    %e = gpt.experts %x by %i, %s weights("e.{e}.gate", "e.up", "e.{e}.down") experts(4) inner(6) activation(silu) : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected the activation silu, found gelu_tanh}}
    %e = gpt.experts %x by %i, %s weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(4) inner(6) activation(gelu_tanh) : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x3xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected the shares ('tensor<?x3xf32>') to have the shape of the ids ('tensor<?x2xi32>')}}
    %e = gpt.experts %x by %i, %s weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(4) inner(6) activation(silu) : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x3xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected a positive number of inner features, found 0}}
    %e = gpt.experts %x by %i, %s weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(4) inner(0) activation(silu) : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, width = 8, context = 16, vocab = 32} {
  // expected-note @+1 {{prior use here}}
  func.func @f(%x: tensor<?x8xf32>, %y: tensor<?x4xf32>) {
    // expected-error @+1 {{expects different type than prior uses: 'tensor<?x8xf32>' vs 'tensor<?x4xf32>'}}
    %e = gpt.select(1) %x, %y : tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected neither alibi nor a softcap with sinks}}
    %e = gpt.attention %q at %pos cache("h") alibi(8) sinks("s") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected neither alibi nor a softcap with sinks}}
    %e = gpt.attention %q at %pos cache("h") softcap(4.0) sinks("s") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected both biases and clamped, or neither}}
    %y = gpt.experts %x by %i, %s weights("u", "d") experts(4) inner(6) activation(silu) biases("a", "b")
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected both biases and clamped, or neither}}
    %y = gpt.experts %x by %i, %s weights("u", "d") experts(4) inner(6) activation(silu) clamped(7.0, 1.702)
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2xi32>, %s: tensor<?x2xf32>) {
    // expected-error @+1 {{'gpt.experts' op expected limit to be positive, found 0}}
    %y = gpt.experts %x by %i, %s weights("u", "d") experts(4) inner(6) activation(silu) biases("a", "b") clamped(0, 1.702)
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x12xf32>, %l: tensor<?x10xf32>, %t: tensor<?x6xf32>) {
    // expected-error @+1 {{'gpt.latent_heads' op expected an even number of features below head_dim (6) to turn, found 6}}
    %h = gpt.latent_heads %q, %l, %t : tensor<?x12xf32>, tensor<?x10xf32>, tensor<?x6xf32> -> tensor<?x36xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x12xf32>, %l: tensor<?x4xf32>, %t: tensor<?x4xf32>) {
    // expected-error @+1 {{'gpt.latent_heads' op expected latent to have 2 features of a key and from 1 to 6 of a value for each of 2 heads, found 4 columns}}
    %h = gpt.latent_heads %q, %l, %t : tensor<?x12xf32>, tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x36xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x12xf32>, %l: tensor<?x10xf32>, %t: tensor<?x4xf32>) {
    // expected-error @+1 {{'gpt.latent_heads' op expected interleaved to be 0 or 1, found 2}}
    %h = gpt.latent_heads %q, %l, %t interleaved(2) : tensor<?x12xf32>, tensor<?x10xf32>, tensor<?x4xf32> -> tensor<?x36xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.columns' op expected a number of groups that divides 12 columns, found 5}}
    %y = gpt.columns %x groups(5) to 2 : tensor<?x12xf32> -> tensor<?x10xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.columns' op expected columns within a group of 6, found 4 from 3 on}}
    %y = gpt.columns %x groups(2) from(3) to 4 : tensor<?x12xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.rms_norm' op expected eps to be positive, found 0}}
    %y = gpt.rms_norm %x weights("n") eps(0) : tensor<?x12xf32> -> tensor<?x12xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%z: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.route' op expected to choose 1 or more of the groups, found 4 of 3}}
    %i, %s = gpt.route %z top(2) groups(3, 4) : tensor<?x12xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%z: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.route' op expected 5 groups of 1 experts or more, found 12 experts}}
    %i, %s = gpt.route %z top(2) groups(5, 2) : tensor<?x12xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%z: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.route' op expected 12 groups of 2 experts or more, found 12 experts}}
    %i, %s = gpt.route %z top(2) bias("b") groups(12, 2) : tensor<?x12xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, head_dim = 6, width = 12, context = 16, vocab = 32} {
  func.func @f(%z: tensor<?x12xf32>) {
    // expected-error @+1 {{'gpt.route' op expected to choose among at least 2 experts, found 1 in the chosen groups}}
    %i, %s = gpt.route %z top(2) groups(12, 1) : tensor<?x12xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x25xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.short_conv' op expected three times as many columns as channels, found 25}}
    %y = gpt.short_conv %x at %pos cache("c") weights("w") taps(3) : tensor<?x25xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %z: tensor<?x3xf32>) {
    // expected-error @+1 {{'gpt.gate' op expected logits for each row, 1, or for each feature, 8, found 3}}
    %y = gpt.gate %x by %z : tensor<?x8xf32>, tensor<?x3xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.positions' op expected a name of letters, digits, '.', '_', '-' and {l}, found ""}}
    %y = gpt.positions %x at %pos weights("") : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 7, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x7xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.sinusoids' op expected an even number of features, half of them for sines, found 7}}
    %y = gpt.sinusoids %x at %pos theta(10000.0) steps(3) : tensor<?x7xf32>, tensor<?xi32> -> tensor<?x7xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.sinusoids' op expected steps to be positive, found 0}}
    %y = gpt.sinusoids %x at %pos theta(10000.0) steps(0) : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.embed' op expected a positive number of features, found 0}}
    %y = gpt.embed %ids at %pos weights("w") to 0 : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
    return
  }
}
