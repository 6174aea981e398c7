// RUN: tilegpt-opt %s --gpt-to-tile -split-input-file -verify-diagnostics

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.linear' op needs a kernel that implements gpt.linear {activation = "none"}, and there is none; link the library (--tile-link-library) or add one}}
    %y = gpt.linear %x weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'math.exp' op needs a kernel that implements math.exp, and there is none}}
    %y = math.exp %x : tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

!V = !tile.view<?x?xf32>
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @few(%x: !V) outs(%y: !V) implements(gpt.gelu) where(dim(%x, 0) <= 16) grid [1] {
  }
  tile.kernel @many(%x: !V) outs(%y: !V) implements(gpt.gelu) where(dim(%x, 0) > 16) grid [1] {
  }
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.gelu' op needs a kernel for any number of rows of its plan; @few, @many implement it under conditions that do not always hold}}
    %y = gpt.gelu %x : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

!V = !tile.view<?x?xf32>
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @one(%x: !V) outs(%y: !V) implements(gpt.gelu {approximate = "tanh"}) grid [1] {
  }
  tile.kernel @two(%x: !V) outs(%y: !V) implements(gpt.gelu) grid [1] {
  }
  tile.kernel @exact(%x: !V) outs(%y: !V) implements(gpt.gelu {approximate = "none"}) grid [1] {
  }
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.gelu' op may be launched as @one or as @two; let their where clauses exclude each other}}
    %y = gpt.gelu %x : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    // expected-error @+1 {{'gpt.gelu' op expected static columns, found 'tensor<?x?xf32>'; run --gpt-configure first}}
    %y = gpt.gelu %x : tensor<?x?xf32> -> tensor<?x?xf32>
    return %y : tensor<?x?xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%e: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.layers' op expected layers to be written out; run --gpt-unroll-layers first}}
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      gpt.yield %x : tensor<?x8xf32>
    }
    return %y : tensor<?x8xf32>
  }
}

// -----

!V = !tile.view<?x?xf32>
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @linear(%x: !V, %w: !V, %b: !tile.view<?xf32>) outs(%y: !V) implements(gpt.linear) grid [1] {
  }
  tile.global @fc.weight weight : tensor<8x9xf32>
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.linear' op needs the weight 'fc.weight' : 'tensor<8x8xf32>', but the model declares it as weight : 'tensor<8x9xf32>'}}
    %y = gpt.linear %x weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

!V = !tile.view<?x?xf32>
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func private @fc.weight()
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.linear' op needs the weight 'fc.weight' : 'tensor<8x8xf32>', but the model declares something else of that name}}
    %y = gpt.linear %x weights("fc") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

!V = !tile.view<?x?xf32>
!KV = !tile.view<?x?x?x?xf32>
!G = !tile.view<?xf32>
!I = !tile.view<?xi32>
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  tile.kernel @append(%x: !V, %gq: !G, %gk: !G, %e: f32, %o: f32, %c: !V, %s: !V, %p: !I) outs(%k: !KV, %v: !KV, %q: !V)
      implements(gpt.attention {part = "append"}) grid [1] {
  }
  tile.kernel @attend(%x: !V, %k: !KV, %v: !KV, %p: !I, %f: f32, %w: i32, %c: f32) outs(%y: !V)
      implements(gpt.attention {part = "attend"}) grid [1] {
  }
  func.func @f(%x: tensor<?x24xf32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    %y = gpt.attention %x at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // expected-error @+1 {{'gpt.attention' op extends the cache "h.0", which another gpt.attention of the function extends too}}
    %z = gpt.attention %x at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return %z : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
    // expected-error @+1 {{'arith.addi' op expected f32 rows [N, C] as its one result, to launch a kernel for}}
    %y = arith.addi %x, %x : tensor<?xi32>
    return %y : tensor<?xi32>
  }
}
