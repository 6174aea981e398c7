// RUN: tilegpt-opt %s --tile-link-library --gpt-to-tile="weights=bf16 capacity=12" | FileCheck %s
// RUN: not tilegpt-opt %s --tile-link-library --gpt-to-tile="weights=i8" 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not tilegpt-opt %s --tile-link-library --gpt-to-tile="capacity=17" 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not tilegpt-opt %s --tile-link-library --gpt-to-tile="capacity=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// WEIGHTS: error: 'gpt.model' op expected weights to be f32, bf16 or f16, found 'i8'
// CAPACITY: error: 'gpt.model' op expected a capacity between 1 and the context of the model (16), found 17
// NEGATIVE: error: 'gpt.model' op expected a capacity between 1 and the context of the model (16), found -1

gpt.model @m {layers = 1, heads = 2, width = 8, context = 16, vocab = 32} {
  // Matrices are bf16, vectors and caches f32.
  // CHECK-DAG: tile.global @attn.weight weight : tensor<24x8xbf16>
  // CHECK-DAG: tile.global @attn.bias weight : tensor<24xf32>
  // CHECK-DAG: tile.global @h.0.k state : tensor<?x2x12x4xf32>
  func.func @f(%x: tensor<?x8xf32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    %q = gpt.linear %x weights("attn") to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
    %a = gpt.attention %q at %pos cache("h.0") : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    return %a : tensor<?x8xf32>
  }
}
