// RUN: tilegpt-opt %s --gpt-link-base="dir=%S/Inputs" | FileCheck %s
// RUN: tilegpt-opt %models/gpt2-xl.mlir --gpt-link-base | FileCheck %s --check-prefix=PRESET
// RUN: tilegpt-opt - < %models/gpt2-xl.mlir --gpt-link-base="dir=%S" | FileCheck %s --check-prefix=PRESET

// RUN: mkdir -p %t && echo 'gpt.model @small like "gpt2" {layers = 2, heads = 2, width = 64, context = 128, vocab = 256}' > %t/gpt2.mlir
// RUN: tilegpt-opt %t/gpt2.mlir --gpt-link-base | FileCheck %s --check-prefix=OWN

// The preset's own settings take precedence over the base's.
// CHECK: gpt.model @big {layers = 3, heads = 2, width = 64, context = 128, vocab = 256, kind = "fancy", rate = 5.000000e-01} {
// CHECK: func.func @forward
// CHECK: gpt.embed %{{.*}} at %{{.*}} weights("wte", "wpe")
gpt.model @big like "base" {layers = 3, heads = 2, width = 64, context = 128, vocab = 256, kind = "fancy"}

// The base is searched beside the preset's file, then among the built-in models.
// PRESET: gpt.model @"gpt2-xl" {layers = 48, heads = 25, width = 1600, context = 1024, vocab = 50257, activation = "gelu_tanh", tied = true,
// PRESET-NEXT: config = {defaults = {
// PRESET-NEXT: weights = {ignored = ["h.{l}.attn.bias"
// PRESET: gpt.layers

// A preset's own file is not its base, though it has the name.
// OWN: gpt.model @small {layers = 2, heads = 2, width = 64, context = 128, vocab = 256,
// OWN: gpt.layers
