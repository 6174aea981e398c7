// RUN: tilegpt-opt %s --split-input-file --pass-pipeline="builtin.module(gpt.model(gpt-configure,gpt-shard{ranks=2}))" | FileCheck %s
// RUN: tilegpt-opt %s --split-input-file --pass-pipeline="builtin.module(gpt.model(gpt-configure,gpt-shard{ranks=1}))" | FileCheck %s --check-prefix=ONE
// RUN: tilegpt-opt %s --split-input-file --pass-pipeline="builtin.module(gpt.model(gpt-configure,gpt-shard{ranks=4}))" | FileCheck %s --check-prefix=FOUR

// A single rank has everything.
// ONE-NOT: shard
// ONE-NOT: gpt.all_

!rows = tensor<?x?xf32>
!ints = tensor<?xi32>

// CHECK: gpt.model @gpt2 {layers = 1, heads = 2, {{.*}} kv_heads = 2, head_dim = 8}
gpt.model @gpt2 {layers = 1, heads = 4, width = 32, context = 16, vocab = 33} {
  // CHECK-LABEL: func.func @forward
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    // The head below is tied: both have the same part of the table.
    // CHECK: %[[E:.*]] = gpt.embed {{.*}} weights("wte", "wpe") shard("rows 33/2") : {{.*}} -> tensor<?x32xf32>
    // CHECK: %[[X:.*]] = gpt.all_reduce %[[E]] over 2 : tensor<?x32xf32> -> tensor<?x32xf32>
    %x = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows
    // Query, key and value heads, then their readers.
    // CHECK: gpt.linear %[[X]] weights("qkv") to 48 shard("rows 3x4*8/2") : tensor<?x32xf32> -> tensor<?x48xf32>
    // CHECK: %[[A:.*]] = gpt.attention {{.*}} -> tensor<?x16xf32>
    // CHECK: %[[P:.*]] = gpt.linear %[[A]] weights("proj") to 32 shard("columns 4*8/2") : tensor<?x16xf32> -> tensor<?x32xf32>
    // CHECK: %[[S:.*]] = gpt.all_reduce %[[P]] over 2 : tensor<?x32xf32> -> tensor<?x32xf32>
    // CHECK: %[[R:.*]] = arith.addf %[[X]], %[[S]]
    %qkv = gpt.linear %x weights("qkv") to 96 : !rows -> !rows
    %a = gpt.attention %qkv at %pos cache("c") : !rows, !ints -> !rows
    %p = gpt.linear %a weights("proj") to 32 : !rows -> !rows
    %r = arith.addf %x, %p : !rows
    // 25 features over 2 ranks: 13 and 12.
    // CHECK: gpt.linear %[[R]] weights("fc") to 13 shard("rows 25/2")
    // CHECK: gpt.gelu {{.*}} -> tensor<?x13xf32>
    // CHECK: gpt.linear {{.*}} weights("fc2") to 32 shard("columns 25/2")
    // CHECK: gpt.all_reduce
    %f = gpt.linear %r weights("fc") to 25 : !rows -> !rows
    %g = gpt.gelu %f : !rows -> !rows
    %m = gpt.linear %g weights("fc2") to 32 : !rows -> !rows
    // How others read this one is unknown: all ranks compute all of it.
    // CHECK: gpt.linear {{.*}} weights("plain") to 32 : tensor<?x32xf32> -> tensor<?x32xf32>
    %q = gpt.linear %m weights("plain") to 32 : !rows -> !rows
    // CHECK: %[[Z:.*]] = gpt.unembed {{.*}} weights("wte") shard("rows 33/2") : tensor<?x32xf32> -> tensor<?x17xf32>
    // CHECK: gpt.all_gather %[[Z]] to 33 over 2 : tensor<?x17xf32> -> tensor<?x33xf32>
    %z = gpt.unembed %q weights("wte") : !rows -> !rows
    return %z : !rows
  }
}

// -----

!rows = tensor<?x?xf32>
!ints = tensor<?xi32>
!ids = tensor<?x?xi32>

// Four ranks share two key and value heads.
// CHECK: gpt.model @llama {layers = 1, heads = 2, {{.*}} kv_heads = 1, head_dim = 8
// FOUR: gpt.model @llama {layers = 1, heads = 1, {{.*}} kv_heads = 1, head_dim = 8
gpt.model @llama {layers = 1, heads = 4, kv_heads = 2, width = 32, context = 16, vocab = 33} {
  func.func @forward(%x: !rows, %pos: !ints) -> !rows {
    // CHECK: gpt.linear {{.*}} weights("q", "k", "v") to 32 bias(0) shard("rows 2*16/2, 2x2*8/2")
    // CHECK: gpt.head_norm {{.*}} -> tensor<?x32xf32>
    // CHECK: gpt.rotary {{.*}} -> tensor<?x32xf32>
    // FOUR: gpt.linear {{.*}} weights("q", "k", "v") to 24 bias(0) shard("rows 4*8/4, 2x2*8/2")
    // FOUR: gpt.linear {{.*}} weights("o") to 32 bias(0) shard("columns 4*8/4")
    %qkv = gpt.linear %x weights("q", "k", "v") to 64 bias(0) : !rows -> !rows
    %h = gpt.head_norm %qkv weights("qn", "kn") : !rows -> !rows
    %t = gpt.rotary %h at %pos theta(10000.0) : !rows, !ints -> !rows
    %a = gpt.attention %t at %pos cache("c") : !rows, !ints -> !rows
    %p = gpt.linear %a weights("o") to 32 bias(0) : !rows -> !rows
    // CHECK: gpt.linear {{.*}} weights("gate", "up") to 48 bias(0) shard("rows 2x6*8/2")
    // CHECK: gpt.glu {{.*}} : tensor<?x48xf32> -> tensor<?x24xf32>
    // CHECK: gpt.linear {{.*}} weights("down") to 32 bias(0) shard("columns 6*8/2")
    %f = gpt.linear %p weights("gate", "up") to 96 bias(0) : !rows -> !rows
    %g = gpt.glu %f activation(silu) : !rows -> !rows
    %m = gpt.linear %g weights("down") to 32 bias(0) : !rows -> !rows
    // All ranks choose the same experts.
    // CHECK: gpt.linear {{.*}} weights("router") to 4 bias(0) : tensor<?x32xf32> -> tensor<?x4xf32>
    // CHECK: gpt.experts {{.*}} inner(8) activation(silu) shard("2*8/2")
    // CHECK-NEXT: gpt.all_reduce
    %z = gpt.linear %m weights("router") to 4 bias(0) : !rows -> !rows
    %e, %s = gpt.route %z top(2) : !rows -> !ids, !rows
    %y = gpt.experts %m by %e, %s weights("{e}.g", "{e}.u", "{e}.d") experts(4) inner(16) activation(silu)
        : !rows, !ids, !rows -> !rows
    return %y : !rows
  }
}

// -----

!rows = tensor<?x?xf32>
!ints = tensor<?xi32>

// A rank has the slopes of its heads; what is clamped before attention is split like heads, other values stay whole.
gpt.model @alibi {layers = 1, heads = 4, width = 32, context = 16, vocab = 33} {
  func.func @forward(%x: !rows, %pos: !ints) -> !rows {
    // CHECK-LABEL: gpt.model @alibi
    // CHECK: gpt.linear {{.*}} weights("qkv") to 48 shard("rows 3x4*8/2")
    // CHECK: gpt.clamp {{.*}} : tensor<?x48xf32> -> tensor<?x48xf32>
    // CHECK: gpt.attention {{.*}} alibi(8) shard("rows 4/2") : tensor<?x48xf32>, tensor<?xi32> -> tensor<?x16xf32>
    // CHECK: gpt.linear {{.*}} weights("o") to 32 shard("columns 4*8/2")
    // CHECK: gpt.clamp {{.*}} : tensor<?x32xf32> -> tensor<?x32xf32>
    %qkv = gpt.linear %x weights("qkv") to 96 : !rows -> !rows
    %c = gpt.clamp %qkv within(8) : !rows -> !rows
    %a = gpt.attention %c at %pos cache("c") alibi(8) : !rows, !ints -> !rows
    %p = gpt.linear %a weights("o") to 32 : !rows -> !rows
    %q = gpt.clamp %p within(8) : !rows -> !rows
    return %q : !rows
  }
}

// -----

!rows = tensor<?x?xf32>
!ints = tensor<?xi32>

// A rank has the norms and the sinks of its heads.
gpt.model @norms {layers = 1, heads = 4, kv_heads = 2, width = 32, context = 16, vocab = 33} {
  func.func @forward(%x: !rows, %pos: !ints) -> !rows {
    // CHECK-LABEL: gpt.model @norms
    // CHECK: gpt.head_layer_norm {{.*}} weights("q_norm", "k_norm") per_head bias(0) shard("rows 2*2/2, 2/2")
    // CHECK: gpt.head_layer_norm {{.*}} weights("q.{h}", "k.{h}") shard("rows 2*2/2, 2/2")
    // CHECK: gpt.head_layer_norm {{.*}} weights("q", "k") : tensor
    // CHECK: gpt.attention {{.*}} sinks("s") shard("rows 2*2/2")
    %qkv = gpt.linear %x weights("qkv") to 64 : !rows -> !rows
    %n = gpt.head_layer_norm %qkv weights("q_norm", "k_norm") per_head bias(0) : !rows -> !rows
    %m = gpt.head_layer_norm %n weights("q.{h}", "k.{h}") : !rows -> !rows
    %o = gpt.head_layer_norm %m weights("q", "k") : !rows -> !rows
    %a = gpt.attention %o at %pos cache("c") sinks("s") : !rows, !ints -> !rows
    %p = gpt.linear %a weights("o") to 32 : !rows -> !rows
    return %p : !rows
  }
}

// -----

!rows = tensor<?x?xf32>
!ints = tensor<?xi32>

// Gates of the results of attention are split like its heads.
gpt.model @gates {layers = 1, heads = 4, kv_heads = 2, head_dim = 8, width = 32, context = 16, vocab = 33} {
  func.func @forward(%x: !rows, %pos: !ints) -> !rows {
    // CHECK-LABEL: gpt.model @gates
    // CHECK: %[[Z:.*]] = gpt.linear {{.*}} weights("z") to 16 bias(0) shard("rows 2*16/2")
    // CHECK: gpt.gate {{.*}} by %[[Z]] : tensor<?x16xf32>, tensor<?x16xf32>
    // CHECK: gpt.linear {{.*}} weights("o") to 32 bias(0) shard("columns 2*16/2")
    %qkv = gpt.linear %x weights("qkv") to 64 bias(0) : !rows -> !rows
    %z = gpt.linear %x weights("z") to 32 bias(0) : !rows -> !rows
    %a = gpt.attention %qkv at %pos cache("c") : !rows, !ints -> !rows
    %g = gpt.gate %a by %z : !rows, !rows
    %o = gpt.linear %g weights("o") to 32 bias(0) : !rows -> !rows
    return %o : !rows
  }
}
