// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-configure))" | FileCheck %s
// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(gpt.model(gpt-configure{layers=3 heads=4 width=16 inner=40 context=64 vocab=100 eps=1e-6 tied=false activation=gelu_erf}))" | FileCheck %s --check-prefix=SET

// CHECK: gpt.model @open {layers = 2, heads = 2, width = 8, context = 16, vocab = 32, activation = "gelu_tanh", tied = true,
// SET: gpt.model @open {layers = 3, heads = 4, width = 16, context = 64, vocab = 100, inner = 40, activation = "gelu_erf", eps = 9.9{{[0-9]*}}E-7, tied = false,
gpt.model @open {layers = 2, heads = 2, width = 8, context = 16, vocab = 32, activation = "gelu_tanh", tied = true,
    weights = {tied = {lm_head = "wte"}}} {
  tile.kernel @double(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>) grid [dim(%y, 0)] {
  }
  // CHECK: func.func @forward(%{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?xi32>) -> tensor<?x32xf32>
  // SET: func.func @forward(%{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?xi32>) -> tensor<?x100xf32>
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x?xf32> {
    // CHECK: gpt.embed {{.*}} -> tensor<?x8xf32>
    // SET: gpt.embed {{.*}} -> tensor<?x16xf32>
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
    // CHECK: gpt.layers iter({{.*}}) : tensor<?x8xf32>
    // SET: gpt.layers iter({{.*}}) : tensor<?x16xf32>
    %y = gpt.layers iter(%x = %e) : tensor<?x?xf32> {
      // CHECK: gpt.linear {{.*}} to 3 * width : tensor<?x8xf32> -> tensor<?x24xf32>
      // SET: gpt.linear {{.*}} to 3 * width : tensor<?x16xf32> -> tensor<?x48xf32>
      %q = gpt.linear %x weights("h.{l}.attn.c_attn") to 3 * width : tensor<?x?xf32> -> tensor<?x?xf32>
      // CHECK: gpt.attention {{.*}} : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
      %a = gpt.attention %q at %pos cache("h.{l}") : tensor<?x?xf32>, tensor<?xi32> -> tensor<?x?xf32>
      // CHECK: gpt.linear {{.*}} to inner : tensor<?x8xf32> -> tensor<?x32xf32>
      // SET: gpt.linear {{.*}} to inner : tensor<?x16xf32> -> tensor<?x40xf32>
      %f = gpt.linear %a weights("h.{l}.mlp.c_fc") to inner : tensor<?x?xf32> -> tensor<?x?xf32>
      // CHECK: gpt.gelu %{{[0-9]*}} :
      // SET: gpt.gelu %{{[0-9]*}} approximate(none) : tensor<?x40xf32> -> tensor<?x40xf32>
      %g = gpt.gelu %f : tensor<?x?xf32> -> tensor<?x?xf32>
      %p = gpt.linear %g weights("h.{l}.mlp.c_proj") to width : tensor<?x?xf32> -> tensor<?x?xf32>
      // CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<?x8xf32>
      %r = arith.addf %x, %p : tensor<?x?xf32>
      // CHECK: gpt.yield %{{.*}} : tensor<?x8xf32>
      gpt.yield %r : tensor<?x?xf32>
    }
    // The user's launches are updated as well.
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = tensor.dim %y, %c0 : tensor<?x?xf32>
    %c = tensor.dim %y, %c1 : tensor<?x?xf32>
    // CHECK: tensor.empty(%{{.*}}) : tensor<?x8xf32>
    // SET: tensor.empty(%{{.*}}) : tensor<?x16xf32>
    %d = tensor.empty(%n, %c) : tensor<?x?xf32>
    // CHECK: tile.launch @double {{.*}} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    %w = tile.launch @double ins(%y) outs(%d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    // CHECK: gpt.unembed {{.*}} weights("wte") : tensor<?x8xf32> -> tensor<?x32xf32>
    // SET: gpt.unembed {{.*}} weights("lm_head") : tensor<?x16xf32> -> tensor<?x100xf32>
    %z = gpt.unembed %w weights("lm_head") : tensor<?x?xf32> -> tensor<?x?xf32>
    return %z : tensor<?x?xf32>
  }

  // A less specific operand is cast.
  // CHECK-LABEL: func.func @mixed
  func.func @mixed(%ids: tensor<?xi32>, %pos: tensor<?xi32>, %other: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
    // CHECK: %[[CAST:.*]] = tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<?x8xf32>
    // CHECK: arith.addf %{{.*}}, %[[CAST]] : tensor<?x8xf32>
    %s = arith.addf %e, %other : tensor<?x?xf32>
    return %s : tensor<?x?xf32>
  }
}
