// Values in ops: numbers, and expressions of the model's settings.
// RUN: tilegpt-opt %s | FileCheck %s
// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-configure))" | FileCheck %s --check-prefix=TYPES
// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-configure,gpt-unroll-layers))" | FileCheck %s --check-prefix=LITERAL

// CHECK: gpt.model @m {layers = 4, heads = 4, width = 12, context = 16, vocab = 32, inner = 40, kv_heads = 2, head_dim = 8, experts = 3, fraction = 2.500000e-01, gated = true, tall = [1, 0, 0]} {
gpt.model @m {layers = 4, heads = 4, kv_heads = 2, head_dim = 8, width = 12, inner = 40, context = 16, vocab = 32,
    experts = 3, fraction = 0.25, gated = true, tall = [1, 0, 0]} {
  // CHECK-LABEL: func.func @f
  // LITERAL-LABEL: func.func @f
  func.func @f(%x: tensor<?x12xf32>) {
    // CHECK: gpt.linear {{.*}} to (heads + 2 * kv_heads) * head_dim :
    // TYPES: gpt.linear {{.*}} to (heads + 2 * kv_heads) * head_dim : tensor<?x12xf32> -> tensor<?x64xf32>
    // LITERAL: gpt.linear {{.*}} to 64 :
    %a = gpt.linear %x weights("a") to (heads + 2 * kv_heads) * head_dim : tensor<?x12xf32> -> tensor<?x?xf32>
    // CHECK: gpt.linear {{.*}} to int(head_dim * fraction) - 1 :
    // LITERAL: gpt.linear {{.*}} to 1 :
    %b = gpt.linear %x weights("b") to int(head_dim*fraction)-1 : tensor<?x12xf32> -> tensor<?x?xf32>
    // CHECK: gpt.linear {{.*}} to int(select(gated, 2 * inner, inner) / 20.0) + experts :
    // LITERAL: gpt.linear {{.*}} to 7 :
    %c = gpt.linear %x weights("c") to int(select(gated, 2 * inner, inner) / 2.0E+1) + experts : tensor<?x12xf32> -> tensor<?x?xf32>
    // CHECK: gpt.linear {{.*}} to int(sqrt(16) * rsqrt(0.25)) :
    // LITERAL: gpt.linear {{.*}} to 8 :
    %d = gpt.linear %x weights("d") to int(sqrt(16) * rsqrt(0.25)) : tensor<?x12xf32> -> tensor<?x?xf32>
    // CHECK: gpt.linear {{.*}} to int(pow(inner, 1.5)) :
    %pow = gpt.linear %x weights("pow") to int(pow(inner, 1.5)) : tensor<?x12xf32> -> tensor<?x?xf32>
    // CHECK: gpt.linear {{.*}} to int(10 * log(inner)) :
    // LITERAL: gpt.linear {{.*}} to 36 :
    %e = gpt.linear %x weights("e") to int(10 * log(inner)) : tensor<?x12xf32> -> tensor<?x?xf32>
    // CHECK: gpt.scale {{.*}} by(-0.25) :
    %f = gpt.scale %x by(-0.25) : tensor<?x12xf32> -> tensor<?x12xf32>
    // CHECK: gpt.linear {{.*}} to int(inner * -0.5) + 24 :
    // LITERAL: gpt.linear {{.*}} to 4 :
    %g = gpt.linear %x weights("g") to int(inner * -0.5) + 24 : tensor<?x12xf32> -> tensor<?x?xf32>
    return
  }
}
