// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
    // expected-error @+1 {{'gpt.all_reduce' op expected result of type 'tensor<?x8xf32>', found 'tensor<?x4xf32>': axis 1 is 8, not 4}}
    %0 = gpt.all_reduce %x over 2 : tensor<?x8xf32> -> tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x17xf32> {
    // expected-error @+1 {{'gpt.all_gather' op gathers 17 columns, but 2 ranks have 8 each}}
    %0 = gpt.all_gather %x to 17 over 2 : tensor<?x8xf32> -> tensor<?x17xf32>
    return %0 : tensor<?x17xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x15xf32> {
    // expected-error @+1 {{'gpt.all_gather' op expected result of type 'tensor<?x16xf32>', found 'tensor<?x15xf32>': axis 1 is 16, not 15}}
    %0 = gpt.all_gather %x to 16 over 2 : tensor<?x8xf32> -> tensor<?x15xf32>
    return %0 : tensor<?x15xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.all_reduce' op attribute 'ranks' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    %0 = gpt.all_reduce %x over 0 : tensor<?x8xf32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.linear' op expected a shard such as "rows 3x768/2", found "rows 16"}}
    %0 = gpt.linear %x weights("a") to 8 shard("rows 16") : tensor<?x8xf32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.linear' op is sharded and has a residual; add it after the sum over all ranks}}
    %0 = gpt.linear %x weights("a") to 8 shard("columns 16/2") residual(%x : tensor<?x8xf32>) : tensor<?x8xf32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x16xf32> {
    // expected-error @+1 {{'gpt.unembed' op expected a shard such as "rows 3x768/2", found "columns 32/2"}}
    %0 = gpt.unembed %x weights("wte") shard("columns 32/2") : tensor<?x8xf32> -> tensor<?x16xf32>
    return %0 : tensor<?x16xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.embed' op expected a shard such as "rows 3x768/2", found "columns 32/2"}}
    %0 = gpt.embed %ids at %pos weights("wte") shard("columns 32/2") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.embed' op expected a shard of 32, found "rows 31/2"}}
    %0 = gpt.embed %ids at %pos weights("wte") shard("rows 31/2") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.embed' op expected a shard of one run of rows, such as "rows 768/2", found "rows 2x16/2"}}
    %0 = gpt.embed %ids at %pos weights("wte") shard("rows 2x16/2") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.linear' op expected a shard such as "rows 3x768/2", found "begin 16/2"}}
    %0 = gpt.linear %x weights("a") to 8 shard("begin 16/2") : tensor<?x8xf32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  func.func @f(%x: tensor<?x8xf32>, %e: tensor<?x2xi32>, %s: tensor<?x2xf32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.experts' op expected a shard such as "768/2", found "16"}}
    %0 = gpt.experts %x by %e, %s weights("{e}.g", "{e}.u", "{e}.d") experts(4) inner(8) activation(silu) shard("16")
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}
