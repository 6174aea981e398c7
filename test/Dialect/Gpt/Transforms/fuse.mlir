// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-fuse))" | FileCheck %s

gpt.model @m {layers = 1, heads = 1, width = 8, context = 16, vocab = 32} {
  // CHECK-LABEL: func.func @fuses_gelu
  func.func @fuses_gelu(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    // CHECK: gpt.linear %{{.*}} weights("a") to width activation(gelu_tanh)
    // CHECK: gpt.linear %{{.*}} weights("b") to width activation(gelu_erf)
    // CHECK-NOT: gpt.gelu
    %a = gpt.linear %x weights("a") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %ga = gpt.gelu %a : tensor<?x8xf32> -> tensor<?x8xf32>
    %b = gpt.linear %x weights("b") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %gb = gpt.gelu %b approximate(none) : tensor<?x8xf32> -> tensor<?x8xf32>
    return %ga, %gb : tensor<?x8xf32>, tensor<?x8xf32>
  }

  // The residual may be computed after the linear layer.
  // CHECK-LABEL: func.func @fuses_residual_on_either_side
  // CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>)
  func.func @fuses_residual_on_either_side(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK: %[[N:.*]] = gpt.layer_norm
    // CHECK: %[[A:.*]] = gpt.linear %[[X]] weights("a") to width residual(%[[N]] : tensor<?x8xf32>)
    // CHECK: gpt.linear %[[A]] weights("b") to width residual(%[[A]] : tensor<?x8xf32>)
    // CHECK-NOT: arith.addf
    %a = gpt.linear %x weights("a") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %n = gpt.layer_norm %x weights("n") : tensor<?x8xf32> -> tensor<?x8xf32>
    %r = arith.addf %a, %n : tensor<?x8xf32>
    %b = gpt.linear %r weights("b") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %s = arith.addf %r, %b : tensor<?x8xf32>
    return %s : tensor<?x8xf32>
  }

  // CHECK-LABEL: func.func @keeps_what_others_read
  func.func @keeps_what_others_read(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    // CHECK: gpt.linear
    // CHECK-NOT: activation
    // CHECK: gpt.gelu
    %a = gpt.linear %x weights("a") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %g = gpt.gelu %a : tensor<?x8xf32> -> tensor<?x8xf32>
    return %a, %g : tensor<?x8xf32>, tensor<?x8xf32>
  }

  // CHECK-LABEL: func.func @takes_one_of_two
  func.func @takes_one_of_two(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    // CHECK: gpt.linear %{{.*}} weights("a") to width activation(gelu_tanh) :
    // CHECK: arith.addf
    %a = gpt.linear %x weights("a") to width : tensor<?x8xf32> -> tensor<?x8xf32>
    %g = gpt.gelu %a : tensor<?x8xf32> -> tensor<?x8xf32>
    %r = arith.addf %x, %g : tensor<?x8xf32>
    return %r : tensor<?x8xf32>
  }

  // A gated unit is fused into the preceding layer if that has no bias.
  // CHECK-LABEL: func.func @fuses_gates
  func.func @fuses_gates(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    // CHECK: gpt.linear %{{.*}} weights("gate", "up") to 2 * width bias(0) gated activation(silu) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.linear %{{.*}} weights("both") to 2 * width : tensor<?x8xf32> -> tensor<?x16xf32>
    // CHECK: gpt.glu
    %a = gpt.linear %x weights("gate", "up") to 2 * width bias(0) : tensor<?x8xf32> -> tensor<?x16xf32>
    %g = gpt.glu %a activation(silu) : tensor<?x16xf32> -> tensor<?x8xf32>
    %b = gpt.linear %x weights("both") to 2 * width : tensor<?x8xf32> -> tensor<?x16xf32>
    %h = gpt.glu %b activation(silu) : tensor<?x16xf32> -> tensor<?x8xf32>
    return %g, %h : tensor<?x8xf32>, tensor<?x8xf32>
  }
}
