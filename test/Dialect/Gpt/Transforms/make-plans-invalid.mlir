// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=decode:1-1}))" -verify-diagnostics -split-input-file
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=decode:0-1}))" 2>&1 | FileCheck %s
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=decode:4-1}))" 2>&1 | FileCheck %s
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=encode:1-1}))" 2>&1 | FileCheck %s
// RUN: not tilegpt-opt %models/gpt2.mlir --pass-pipeline="builtin.module(gpt.model(gpt-make-plans{plans=decode}))" 2>&1 | FileCheck %s
// CHECK: error: 'gpt.model' op expected a plan KIND:LO-HI with decode, sample, prefill or score as kind, found '{{.*code.*}}'

// expected-error @+1 {{'gpt.model' op expected a func.func @forward}}
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
}

// -----

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // expected-error @+1 {{'func.func' op expected a body that takes ids and positions (both 'tensor<?xi32>') and returns logits, found '(tensor<?xi32>) -> tensor<?xi32>'}}
  func.func @forward(%ids: tensor<?xi32>) -> tensor<?xi32> {
    return %ids : tensor<?xi32>
  }
}

// -----

// expected-error @+1 {{'gpt.model' op already holds a symbol @decode_1, the name of a plan}}
gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  func.func private @decode_1()
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?xi32> {
    return %ids : tensor<?xi32>
  }
}
