// RUN: tilegpt-opt %s --split-input-file --pass-pipeline="builtin.module(gpt.model(gpt-configure))" --verify-diagnostics | FileCheck %s

!ints = tensor<?xi32>
!rows = tensor<?x?xf32>

// Tensors of different widths are selected from once the widths are known; what only the other one needs is removed.
// CHECK-LABEL: gpt.model @narrow
gpt.model @narrow {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, embedding = 4} {
  // CHECK: %[[E:.*]] = gpt.embed %{{.*}} weights("words") to embedding : tensor<?xi32>, tensor<?xi32> -> tensor<?x4xf32>
  // CHECK-NEXT: %[[W:.*]] = gpt.linear %[[E]] weights("in") to width : tensor<?x4xf32> -> tensor<?x8xf32>
  // CHECK-NEXT: return %[[W]] : tensor<?x8xf32>
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("words") to embedding : !ints, !ints -> !rows
    %w = gpt.linear %e weights("in") to width : !rows -> !rows
    %p = gpt.linear %e weights("other") to embedding : !rows -> !rows
    %s = gpt.select(width - embedding) %w, %p : !rows
    return %s : !rows
  }
}

// -----

!ints = tensor<?xi32>
!rows = tensor<?x?xf32>

// Those of one width are left to --gpt-unroll-layers.
// CHECK-LABEL: gpt.model @same
gpt.model @same {layers = 1, heads = 2, width = 8, context = 16, vocab = 32, embedding = 8} {
  // CHECK: gpt.select(width - embedding)
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("words") to embedding : !ints, !ints -> !rows
    %w = gpt.linear %e weights("in") to width : !rows -> !rows
    %s = gpt.select(width - embedding) %w, %e : !rows
    return %s : !rows
  }
}

// -----

!ints = tensor<?xi32>
!rows = tensor<?x?xf32>

gpt.model @layers {layers = 2, heads = 2, width = 8, context = 16, vocab = 32, wide = [1, 0]} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("words") : !ints, !ints -> !rows
    %y = gpt.layers iter(%x = %e) : !rows {
      %w = gpt.linear %x weights("{l}") to 2 * width : !rows -> !rows
      // expected-error @+1 {{'gpt.select' op has the value 'wide', which names 'wide', which differs from layer to layer}}
      %s = gpt.select(wide) %w, %x : !rows
      %o = gpt.linear %s weights("o.{l}") to width : !rows -> !rows
      gpt.yield %o : !rows
    }
    return %y : !rows
  }
}
