// RUN: tilegpt-opt %s -verify-diagnostics -split-input-file

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, rate = 0.5} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value '2 * widht', which names 'widht', which the model does not have; it has layers, heads, width, context, vocab, inner, kv_heads, head_dim, eps, rate}}
    %a = gpt.linear %x weights("a") to 2 * widht : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op expected the number of features to be an integer, found 2.666}}
    %a = gpt.linear %x weights("a") to width / 3 : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, kind = "plain"} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value 'width + kind', which calculates with the word 'plain'}}
    %a = gpt.linear %x weights("a") to width + kind : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, kind = "plain"} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op expected the number of features to be an integer, found plain}}
    %a = gpt.linear %x weights("a") to kind : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, wide = [8, 16]} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value 'wide', which names 'wide', which differs from layer to layer, where there is none or layers are not written out; run --gpt-unroll-layers}}
    %a = gpt.linear %x weights("a") to wide : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value 'width / (heads - 2)', which divides by 0}}
    %a = gpt.linear %x weights("a") to width / (heads - 2) : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value '9223372036854775807 * width', which exceeds 64 bits}}
    %a = gpt.linear %x weights("a") to 9223372036854775807 * width : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value 'sqare(width)', which calls 'sqare'; its functions are sqrt, rsqrt, log, pow, int and select}}
    %a = gpt.linear %x weights("a") to sqare(width) : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value 'select(heads, width)', which gives 2 arguments to 'select', which takes 3}}
    %a = gpt.linear %x weights("a") to select(heads, width) : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+1 {{'gpt.linear' op has the value 'rsqrt(heads - 2)', which takes a root of a number that is not positive}}
    %a = gpt.linear %x weights("a") to rsqrt(heads - 2) : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) {
    // expected-error @+2 {{expected floating point literal}}
    // expected-error @+1 {{expected a number, a setting of the model or an expression of them}}
    %a = gpt.linear %x weights("a") to * : tensor<?x8xf32> -> tensor<?x?xf32>
    return
  }
}
