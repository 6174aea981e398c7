// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// The ops of a model of 8 columns and 33 tokens that two ranks run together.
gpt.model @two_ranks {layers = 1, heads = 1, head_dim = 4, width = 8, context = 16, vocab = 33} {
  // CHECK-LABEL: func.func @parts
  func.func @parts(%ids: tensor<?xi32>, %pos: tensor<?xi32>, %e: tensor<?x2xi32>, %s: tensor<?x2xf32>) -> tensor<?x33xf32> {
    // CHECK: gpt.embed %{{.*}} at %{{.*}} weights("wte", "wpe") shard("rows 33/2") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %0 = gpt.embed %ids at %pos weights("wte", "wpe") shard("rows 33/2") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.all_reduce %{{.*}} over 2 : tensor<?x8xf32> -> tensor<?x8xf32>
    %1 = gpt.all_reduce %0 over 2 : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.linear %{{.*}} weights("a") to 16 activation(gelu_tanh) shard("rows 32/2") : tensor<?x8xf32> -> tensor<?x16xf32>
    %2 = gpt.linear %1 weights("a") to 16 activation(gelu_tanh) shard("rows 32/2") : tensor<?x8xf32> -> tensor<?x16xf32>
    // CHECK: gpt.linear %{{.*}} weights("b") to 8 shard("columns 32/2") : tensor<?x16xf32> -> tensor<?x8xf32>
    %3 = gpt.linear %2 weights("b") to 8 shard("columns 32/2") : tensor<?x16xf32> -> tensor<?x8xf32>
    // CHECK: gpt.all_reduce %{{.*}} over 2 : tensor<?x8xf32> -> tensor<?x8xf32>
    %4 = gpt.all_reduce %3 over 2 : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.experts {{.*}} experts(4) inner(8) activation(silu) shard("16/2")
    %5 = gpt.experts %4 by %e, %s weights("{e}.g", "{e}.u", "{e}.d") experts(4) inner(8) activation(silu) shard("16/2")
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    // CHECK: gpt.unembed %{{.*}} weights("wte") shard("rows 33/2") : tensor<?x8xf32> -> tensor<?x17xf32>
    %6 = gpt.unembed %5 weights("wte") shard("rows 33/2") : tensor<?x8xf32> -> tensor<?x17xf32>
    %7 = gpt.all_gather %6 to 33 over 2 : tensor<?x17xf32> -> tensor<?x33xf32>
    return %7 : tensor<?x33xf32>
  }

  // FOLD-LABEL: func.func @one_rank_has_it_all
  // FOLD-SAME: (%[[X:.*]]: tensor<?x8xf32>)
  // FOLD-NEXT: return %[[X]], %[[X]]
  func.func @one_rank_has_it_all(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    %0 = gpt.all_reduce %x over 1 : tensor<?x8xf32> -> tensor<?x8xf32>
    %1 = gpt.all_gather %x to 8 over 1 : tensor<?x8xf32> -> tensor<?x8xf32>
    return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
  }

  // FOLD-LABEL: func.func @keeps_what_changes_something
  // FOLD: gpt.all_reduce
  // FOLD: gpt.all_gather
  func.func @keeps_what_changes_something(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x7xf32>) {
    %0 = gpt.all_reduce %x over 2 : tensor<?x8xf32> -> tensor<?x8xf32>
    %1 = gpt.all_gather %x to 7 over 1 : tensor<?x8xf32> -> tensor<?x7xf32>
    return %0, %1 : tensor<?x8xf32>, tensor<?x7xf32>
  }
}
