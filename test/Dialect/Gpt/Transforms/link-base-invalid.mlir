// RUN: tilegpt-opt %s --gpt-link-base="dir=%S/Inputs" -verify-diagnostics -split-input-file
// RUN: mkdir -p %t && echo 'gpt.model @own like "own" {layers = 2, heads = 2, width = 64, context = 128, vocab = 256}' > %t/own.mlir
// RUN: not tilegpt-opt %t/own.mlir --gpt-link-base 2>&1 | FileCheck %s
// CHECK: error: 'gpt.model' op is like "own", but '{{.*}}own.mlir' is its own file, and there is no built-in model of that name

// expected-error-re @+1 {{'gpt.model' op is like "missing", but there is no file '{{.*}}missing.mlir', nor a built-in model of that name}}
gpt.model @m like "missing" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op expected the name of a model, not a path, found "../Inputs/base"}}
gpt.model @m like "../Inputs/base" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}

// -----

// expected-error @+1 {{'gpt.model' op is like "second-hand", which is like "base"; name that one}}
gpt.model @m like "second-hand" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}

// -----

// expected-error-re @+1 {{'gpt.model' op is like "no-model", but '{{.*}}no-model.mlir' does not hold exactly one gpt.model}}
gpt.model @m like "no-model" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}
