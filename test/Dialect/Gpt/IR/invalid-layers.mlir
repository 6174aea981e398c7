// RUN: tilegpt-opt %s -verify-diagnostics -split-input-file

func.func @f(%ids: tensor<?xi32>) {
  // expected-error @+1 {{'gpt.embed' op expected to be nested in a gpt.model, which defines how large the model is}}
  %e = gpt.embed %ids at %ids weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{'gpt.layer_norm' op expected to be nested in a gpt.model, which defines how large the model is}}
  %n = gpt.layer_norm %x weights("ln_f") : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{'gpt.linear' op expected to be nested in a gpt.model, which defines how large the model is}}
  %n = gpt.linear %x weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @f(%x: tensor<?x24xf32>, %pos: tensor<?xi32>) {
  // expected-error @+1 {{'gpt.attention' op expected to be nested in a gpt.model, which defines how large the model is}}
  %n = gpt.attention %x at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{'gpt.unembed' op expected to be nested in a gpt.model, which defines how large the model is}}
  %n = gpt.unembed %x weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
  return
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.embed' op expected result of type 'tensor<?x8xf32>', found 'tensor<?x9xf32>': axis 1 is 8, not 9}}
    %e = gpt.embed %ids at %ids weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x9xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?x?xi32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.embed' op operand #0 must be 1D tensor of 32-bit signless integer values, but got 'tensor<?x?xi32>'}}
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?x?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.embed' op expected a name of letters, digits, '.', '_', '-' and {l}, found "w te"}}
    %e = gpt.embed %ids at %ids weights("w te", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.embed' op expected a name of letters, digits, '.', '_', '-' and {l}, found ""}}
    %e = gpt.embed %ids at %ids weights("wte", "") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.layer_norm' op names "h.{l}.ln_1" outside of gpt.layers, where {l} stands for nothing}}
    %n = gpt.layer_norm %x weights("h.{l}.ln_1") : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.layer_norm' op expected result of type 'tensor<?x8xf32>', found 'tensor<?x16xf32>': axis 1 is 8, not 16}}
    %n = gpt.layer_norm %x weights("ln_f") : tensor<?x8xf32> -> tensor<?x16xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op expected result of type 'tensor<4x24xf32>', found 'tensor<4x8xf32>': axis 1 is 24, not 8}}
    %n = gpt.linear %x weights("fc") to 3 * width : tensor<4x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op expected a positive number of features, found 0}}
    %n = gpt.linear %x weights("fc") to 0 : tensor<4x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value '3 * height', which names 'height', which the model does not have; it has layers, heads, width, context, vocab, inner, kv_heads, head_dim, eps}}
    %n = gpt.linear %x weights("fc") to 3 * height : tensor<4x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<4x8xf32>, %r: tensor<4x9xf32>) {
    // expected-error @+1 {{'gpt.linear' op expected the residual ('tensor<4x9xf32>') to have the shape of the result ('tensor<4x8xf32>')}}
    %n = gpt.linear %x weights("fc") to width residual(%r : tensor<4x9xf32>) : tensor<4x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op expected a name of letters, digits, '.', '_', '-' and {l}, found "h.{i}.fc"}}
    %n = gpt.linear %x weights("h.{i}.fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.gelu' op expected result of type 'tensor<?x8xf32>', found 'tensor<?x9xf32>': axis 1 is 8, not 9}}
    %n = gpt.gelu %x : tensor<?x8xf32> -> tensor<?x9xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected axis 1 of qkv ('tensor<?x8xf32>') to be 24, (heads + 2 * kv_heads) * head_dim of the model}}
    %n = gpt.attention %x at %pos cache("h.0") : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x24xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.attention' op expected a name of letters, digits, '.', '_', '-' and {l}, found "%"}}
    %n = gpt.attention %x at %pos cache("%") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>, %q: tensor<?x24xf32>, %pos: tensor<?xi32>) {
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      // expected-error @+1 {{'gpt.attention' op expected a cache of its own for every layer, found "h.0" for all; put {l} into the name}}
      %n = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
      gpt.yield %n : tensor<?x8xf32>
    }
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<4xi32>) {
    // expected-error @+1 {{'gpt.last_rows' op expected result of type 'tensor<4x8xf32>', found 'tensor<5x8xf32>': axis 0 is 4, not 5}}
    %n = gpt.last_rows %x of %pos : tensor<?x8xf32>, tensor<4xi32> -> tensor<5x8xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.unembed' op expected result of type 'tensor<?x32xf32>', found 'tensor<?x33xf32>': axis 1 is 32, not 33}}
    %n = gpt.unembed %x weights("wte") : tensor<?x8xf32> -> tensor<?x33xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.unembed' op expected a name of letters, digits, '.', '_', '-' and {l}, found "lm head"}}
    %n = gpt.unembed %x weights("lm head") : tensor<?x8xf32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x32xf32>, %how: tensor<?x4xf32>) {
    // expected-error @+1 {{'gpt.sample' op expected axis 1 of how ('tensor<?x4xf32>') to be 5, temperature, k, p, log min-p and u}}
    %n = gpt.sample %x as %how : tensor<?x32xf32>, tensor<?x4xf32> -> tensor<?xi32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<2x32xf32>, %how: tensor<3x5xf32>) {
    // expected-error @+1 {{'gpt.sample' op expected axis 0 of how ('tensor<3x5xf32>') to be 2, a row for each of the logits}}
    %n = gpt.sample %x as %how : tensor<2x32xf32>, tensor<3x5xf32> -> tensor<?xi32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<2x32xf32>, %how: tensor<2x5xf32>) {
    // expected-error @+1 {{'gpt.sample' op expected result of type 'tensor<2xi32>', found 'tensor<3xi32>': axis 0 is 2, not 3}}
    %n = gpt.sample %x as %how : tensor<2x32xf32>, tensor<2x5xf32> -> tensor<3xi32>
    return
  }
}
