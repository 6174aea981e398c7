// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-configure{width=16}))" -verify-diagnostics -split-input-file
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{heads=7}))" 2>&1 | FileCheck %s --check-prefix=HEADS
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{tied=maybe}))" 2>&1 | FileCheck %s --check-prefix=TIED
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{activation=relu}))" 2>&1 | FileCheck %s --check-prefix=ACTIVATION
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{depth=3}))" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{layers}))" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{layers=2.5}))" 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-configure{layers=0}))" 2>&1 | FileCheck %s --check-prefix=LAYERS

// HEADS: error: 'gpt.model' op expected width (768) to be divisible by heads (7)
// TIED: error: 'gpt.model' op expected tied to be true or false, found 'maybe'
// ACTIVATION: error: 'gpt.model' op expected activation to be gelu_tanh or gelu_erf, found "relu"
// NONE: error: 'gpt.model' op has no setting called 'depth'; it has layers, heads, width, context, vocab, inner, kv_heads, head_dim, eps, activation, tied
// VALUE: error: 'gpt.model' op expected settings as NAME=VALUE, found 'layers'
// INTEGER: error: 'gpt.model' op expected layers to be an integer, found '2.5'
// LAYERS: error: 'gpt.model' op expected layers between 1 and 4096, found 0

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // expected-error @+1 {{'gpt.embed' op states the type 'tensor<?x8xf32>' where the sizes of the model make it 'tensor<?x16xf32>'; write ? for sizes that follow from the model's}}
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    return %e : tensor<?x8xf32>
  }
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x?xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
    %f = gpt.linear %e weights("fc") to 8 : tensor<?x?xf32> -> tensor<?x?xf32>
    // expected-error @+1 {{'arith.addf' op expected operands of one shape, found 'tensor<?x16xf32>', 'tensor<?x8xf32>'}}
    %s = arith.addf %e, %f : tensor<?x?xf32>
    return %s : tensor<?x?xf32>
  }
}

// -----

// expected-error @+1 {{'gpt.model' op has the setting 'slop', which nothing in the model names; remove it}}
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, slop = 1} {
  func.func @forward(%e: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %y = gpt.layers iter(%x = %e) : tensor<?x?xf32> {
      gpt.yield %x : tensor<?x?xf32>
    }
    return %y : tensor<?x?xf32>
  }
}

// -----

// expected-error @+1 {{'gpt.model' op expected a setting tied = true or false and a table weights = {tied = {...}}, or neither}}
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, tied = true} {
}

// -----

// A head other than gpt.unembed is not tied.
// expected-error @+1 {{'gpt.model' op has tied = true, but no gpt.unembed reads weights that the table weights = {tied = {...}} names}}
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, tied = true,
    weights = {tied = {lm_head = "wte"}}} {
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x?xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
    %z = gpt.linear %e weights("lm_head") to vocab : tensor<?x?xf32> -> tensor<?x?xf32>
    return %z : tensor<?x?xf32>
  }
}
