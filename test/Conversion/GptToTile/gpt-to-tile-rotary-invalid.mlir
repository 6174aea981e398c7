// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile --split-input-file --verify-diagnostics

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op has the scaling "dynamic"; there are none, linear, llama3 and yarn}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) scaling("dynamic") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op has the scaling "linear", which takes factor(…)}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) scaling("linear") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op has the scaling "llama3", which takes original(…)}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) scaling("llama3") factor(8) low(1) high(4) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op expected low (4.000000e+00) to be less than high (4.000000e+00)}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) scaling("yarn") factor(8) low(4) high(4) original(8) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op expected factor to be positive, found 0}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) scaling("linear") factor(0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}
