// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpt.model(gpt-configure,gpt-shard{ranks=3}))"

// expected-error @+1 {{'gpt.model' op has 4 heads, which cannot be split among 3 ranks}}
gpt.model @leaves_a_rank_without_a_head {layers = 1, heads = 4, width = 8, context = 16, vocab = 32} {
}

// -----

// expected-error @+1 {{'gpt.model' op has 4 heads of keys and values, which cannot be split among 3 ranks}}
gpt.model @leaves_a_rank_without_a_shared_head {layers = 1, heads = 8, kv_heads = 4, width = 8, context = 16, vocab = 32} {
}

// -----

// expected-error @+1 {{'gpt.model' op has 4 heads that share 2 of keys and values, which cannot be split among 3 ranks}}
gpt.model @shares_unevenly {layers = 1, heads = 4, kv_heads = 2, width = 8, context = 16, vocab = 32} {
}

// -----

// expected-error @+1 {{'gpt.model' op has 2 heads, which cannot be split among 3 ranks}}
gpt.model @has_fewer_heads_than_ranks {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
}

// -----

gpt.model @m {layers = 1, heads = 3, width = 24, context = 16, vocab = 32} {
  func.func @has_layers(%x: tensor<?x24xf32>) -> tensor<?x24xf32> {
    // expected-error @+1 {{'gpt.layers' op expected layers written out and literal values; run --gpt-unroll-layers first}}
    %y = gpt.layers iter(%a = %x) : tensor<?x24xf32> {
      gpt.yield %a : tensor<?x24xf32>
    }
    return %y : tensor<?x24xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 3, width = 24, context = 16, vocab = 32} {
  func.func @is_fused(%x: tensor<?x24xf32>) -> tensor<?x24xf32> {
    // expected-error @+1 {{'gpt.linear' op expected layers that are not fused yet; run --gpt-fuse after --gpt-shard}}
    %y = gpt.linear %x weights("a") to 24 activation(gelu_tanh) : tensor<?x24xf32> -> tensor<?x24xf32>
    return %y : tensor<?x24xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 3, width = 24, context = 16, vocab = 32} {
  func.func @attends_to_what_no_product_gives(%x: tensor<?x72xf32>, %pos: tensor<?xi32>) -> tensor<?x24xf32> {
    // expected-error @+1 {{'gpt.attention' op expected heads that a gpt.linear gives to nothing but attention}}
    %y = gpt.attention %x at %pos cache("c") : tensor<?x72xf32>, tensor<?xi32> -> tensor<?x24xf32>
    return %y : tensor<?x24xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 3, width = 24, context = 16, vocab = 32} {
  func.func @reads_a_part(%x: tensor<?x24xf32>, %pos: tensor<?xi32>) -> tensor<?x24xf32> {
    %q = gpt.linear %x weights("a") to 72 : tensor<?x24xf32> -> tensor<?x72xf32>
    %a = gpt.attention %q at %pos cache("c") : tensor<?x72xf32>, tensor<?xi32> -> tensor<?x24xf32>
    // expected-error @+1 {{'arith.addf' op reads columns of which each of 3 ranks holds a part}}
    %y = arith.addf %a, %x : tensor<?x24xf32>
    return %y : tensor<?x24xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 3, width = 24, context = 16, vocab = 32} {
  func.func @normalizes_all_heads(%x: tensor<?x24xf32>, %pos: tensor<?xi32>) -> tensor<?x24xf32> {
    %q = gpt.linear %x weights("qkv") to 72 : tensor<?x24xf32> -> tensor<?x72xf32>
    // expected-error @+1 {{'gpt.qk_norm' op normalizes the heads of all ranks together, which cannot be split; use one rank}}
    %n = gpt.qk_norm %q weights("q_norm", "k_norm") : tensor<?x72xf32> -> tensor<?x72xf32>
    %a = gpt.attention %n at %pos cache("h") : tensor<?x72xf32>, tensor<?xi32> -> tensor<?x24xf32>
    return %a : tensor<?x24xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 3, width = 24, context = 16, vocab = 32} {
  func.func @has_latent_heads(%x: tensor<?x24xf32>, %l: tensor<?x36xf32>, %t: tensor<?x2xf32>, %pos: tensor<?xi32>) -> tensor<?x24xf32> {
    // expected-error @+1 {{'gpt.latent_heads' op has latent keys and values, which are not split; use one rank}}
    %n = gpt.latent_heads %x, %l, %t : tensor<?x24xf32>, tensor<?x36xf32>, tensor<?x2xf32> -> tensor<?x72xf32>
    %a = gpt.attention %n at %pos cache("h") : tensor<?x72xf32>, tensor<?xi32> -> tensor<?x24xf32>
    return %a : tensor<?x24xf32>
  }
}
