// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile --split-input-file --verify-diagnostics

gpt.model @m {layers = 1, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32} {
  func.func @f(%q: tensor<?x32xf32>, %pos: tensor<?xi32>) {
    // expected-error @+1 {{'gpt.rotary' op has the scaling "dynamic"; there are none, linear, llama3, yarn and longrope}}
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
    // expected-error @+1 {{'gpt.rotary' op expected factor to be another number than 0, found 0}}
    %e = gpt.rotary %q at %pos theta(1.0e+4) scaling("linear") factor(0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
    return
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, width = 16, context = 16, vocab = 32} {
  func.func @decode(%q: tensor<1x48xf32>, %pos: tensor<1xi32>) -> tensor<1x48xf32> attributes {tile.rows = array<i64: 1, 1>} {
    // expected-error @+1 {{'gpt.rotary' op has the scaling "longrope", which takes factors(…)}}
    %r = gpt.rotary %q at %pos theta(1.0e+4) scaling("longrope") factor(2.0) original(8) : tensor<1x48xf32>, tensor<1xi32> -> tensor<1x48xf32>
    return %r : tensor<1x48xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, width = 16, context = 16, vocab = 32, short = [1.0, 1.5, 2.0], long = [1.0, 2.0]} {
  func.func @decode(%q: tensor<1x48xf32>, %pos: tensor<1xi32>) -> tensor<1x48xf32> attributes {tile.rows = array<i64: 1, 1>} {
    // expected-error @+1 {{'gpt.rotary' op expected the setting 'short' to have a factor for each of 2 pairs of features, found 3}}
    %r = gpt.rotary %q at %pos theta(1.0e+4) scaling("longrope") factor(2.0) original(8) factors("short", "long") : tensor<1x48xf32>, tensor<1xi32> -> tensor<1x48xf32>
    return %r : tensor<1x48xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 4, width = 16, context = 16, vocab = 32, short = [1.0, -1.5], long = [1, 2]} {
  func.func @decode(%q: tensor<1x48xf32>, %pos: tensor<1xi32>) -> tensor<1x48xf32> attributes {tile.rows = array<i64: 1, 1>} {
    // expected-error @+1 {{'gpt.rotary' op expected the setting 'short' to hold positive factors, found -1.500000e+00}}
    %r = gpt.rotary %q at %pos theta(1.0e+4) scaling("longrope") factor(2.0) original(8) factors("short", "long") : tensor<1x48xf32>, tensor<1xi32> -> tensor<1x48xf32>
    return %r : tensor<1x48xf32>
  }
}
