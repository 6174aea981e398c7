// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s

// The ops of Llama-style models: 4 query heads on 2 key and value heads, 4 features each.
// CHECK-LABEL: gpt.model @every_op
gpt.model @every_op {layers = 2, heads = 4, kv_heads = 2, head_dim = 4, width = 8, context = 16, vocab = 32, theta = 1.0e+4,
    kind = "llama3", turned = [1, 0]} {
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x8xf32> {
    // CHECK: %[[E:.*]] = gpt.embed %{{.*}} at %{{.*}} weights("embed_tokens") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    %e = gpt.embed %ids at %pos weights("embed_tokens") : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.embed %{{.*}} at %{{.*}} weights("embed_tokens") scale(sqrt(width)) :
    %scaled = gpt.embed %ids at %pos weights("embed_tokens") scale(sqrt(width)) : tensor<?xi32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.embed %{{.*}} at %{{.*}} weights("words") to 2 * width : tensor<?xi32>, tensor<?xi32> -> tensor<?x16xf32>
    %words = gpt.embed %ids at %pos weights("words") to 2 * width : tensor<?xi32>, tensor<?xi32> -> tensor<?x16xf32>
    // CHECK: gpt.positions %{{.*}} at %{{.*}} weights("places") : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %placed = gpt.positions %e at %pos weights("places") : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.sinusoids %{{.*}} at %{{.*}} theta(theta) steps(width / 2 - 1) first(2) : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %waves = gpt.sinusoids %e at %pos theta(theta) steps(width / 2 - 1) first(2) : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %y = gpt.layers iter(%x = %e) : tensor<?x8xf32> {
      // CHECK: gpt.rms_norm %{{.*}} weights("layers.{l}.input_layernorm") : tensor<?x8xf32> -> tensor<?x8xf32>
      %n = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : tensor<?x8xf32> -> tensor<?x8xf32>
      // CHECK: gpt.rms_norm %{{.*}} weights("layers.{l}.other") offset(1) : tensor<?x8xf32> -> tensor<?x8xf32>
      %n1 = gpt.rms_norm %x weights("layers.{l}.other") offset(1) : tensor<?x8xf32> -> tensor<?x8xf32>
      // CHECK: gpt.linear %{{.*}} weights("q.{l}", "k.{l}", "v.{l}") to (heads + 2 * kv_heads) * head_dim bias(0) : tensor<?x8xf32> -> tensor<?x32xf32>
      %q = gpt.linear %n weights("q.{l}", "k.{l}", "v.{l}") to (heads + 2 * kv_heads) * head_dim bias(0) : tensor<?x8xf32> -> tensor<?x32xf32>
      // CHECK: gpt.head_norm %{{.*}} weights("qn.{l}", "kn.{l}") offset(1) : tensor<?x32xf32> -> tensor<?x32xf32>
      %h = gpt.head_norm %q weights("qn.{l}", "kn.{l}") offset(1) : tensor<?x32xf32> -> tensor<?x32xf32>
      // CHECK: gpt.head_layer_norm %{{.*}} weights("ql.{l}", "kl.{l}") : tensor<?x32xf32> -> tensor<?x32xf32>
      %hl = gpt.head_layer_norm %q weights("ql.{l}", "kl.{l}") : tensor<?x32xf32> -> tensor<?x32xf32>
      // CHECK: gpt.head_layer_norm %{{.*}} weights("ql.{l}.{h}", "kl.{l}.{h}") bias(0) : tensor<?x32xf32> -> tensor<?x32xf32>
      %hh = gpt.head_layer_norm %q weights("ql.{l}.{h}", "kl.{l}.{h}") bias(0) : tensor<?x32xf32> -> tensor<?x32xf32>
      // CHECK: gpt.head_layer_norm %{{.*}} weights("ql.{l}", "kl.{l}") per_head bias(0) : tensor<?x32xf32> -> tensor<?x32xf32>
      %hp = gpt.head_layer_norm %q weights("ql.{l}", "kl.{l}") per_head bias(0) : tensor<?x32xf32> -> tensor<?x32xf32>
      // CHECK: gpt.rotary %{{.*}} at %{{.*}} theta(theta) features(turned * head_dim) scaling(kind) factor(8.0) low(1) high(4) original(context) amplitude(0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
      %r = gpt.rotary %h at %pos theta(theta) features(turned * head_dim) scaling(kind) factor(8.0) low(1) high(4) original(context) amplitude(0)
          : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x32xf32>
      // CHECK: gpt.attention %{{.*}} at %{{.*}} cache("h.{l}") window(4 * turned) scale(rsqrt(head_dim)) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
      %a = gpt.attention %r at %pos cache("h.{l}") window(4 * turned) scale(rsqrt(head_dim)) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
      // CHECK: gpt.linear %{{.*}} weights("gate_up.{l}") to 2 * inner bias(0) : tensor<?x16xf32> -> tensor<?x64xf32>
      %f = gpt.linear %a weights("gate_up.{l}") to 2 * inner bias(0) : tensor<?x16xf32> -> tensor<?x64xf32>
      // CHECK: gpt.glu %{{.*}} activation(silu) : tensor<?x64xf32> -> tensor<?x32xf32>
      %g = gpt.glu %f activation(silu) : tensor<?x64xf32> -> tensor<?x32xf32>
      // CHECK: gpt.linear %{{.*}} weights("gate.{l}", "up.{l}") to 2 * inner bias(0) gated activation(gelu_tanh) : tensor<?x32xf32> -> tensor<?x32xf32>
      %m = gpt.linear %g weights("gate.{l}", "up.{l}") to 2 * inner bias(0) gated activation(gelu_tanh) : tensor<?x32xf32> -> tensor<?x32xf32>
      %o = gpt.linear %m weights("down.{l}") to width : tensor<?x32xf32> -> tensor<?x8xf32>
      gpt.yield %o : tensor<?x8xf32>
    }
    // CHECK: gpt.attention %{{.*}} at %{{.*}} cache("c") softcap(50.0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    %q = gpt.linear %y weights("q") to 32 : tensor<?x8xf32> -> tensor<?x32xf32>
    %c = gpt.attention %q at %pos cache("c") softcap(50.0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    // CHECK: gpt.attention %{{.*}} at %{{.*}} cache("d") alibi(8.0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    %d = gpt.attention %q at %pos cache("d") alibi(8.0) : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    // CHECK: gpt.attention %{{.*}} at %{{.*}} cache("f") scale(2) alibi(heads) alibi_scale(rsqrt(head_dim)) shard("rows 8/2") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    %f = gpt.attention %q at %pos cache("f") scale(2) alibi(heads) alibi_scale(rsqrt(head_dim)) shard("rows 8/2")
        : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    // CHECK: gpt.attention %{{.*}} at %{{.*}} cache("g") window(theta) sinks("s") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    %sinks = gpt.attention %q at %pos cache("g") window(theta) sinks("s") : tensor<?x32xf32>, tensor<?xi32> -> tensor<?x16xf32>
    // CHECK: gpt.columns %{{.*}} groups(heads) from(1) to 1 : tensor<?x8xf32> -> tensor<?x4xf32>
    %columns = gpt.columns %y groups(heads) from(1) to 1 : tensor<?x8xf32> -> tensor<?x4xf32>
    // CHECK: gpt.rms_norm %{{.*}} weights("n") eps(9.9999999999999995E-7) : tensor<?x8xf32> -> tensor<?x8xf32>
    %eps = gpt.rms_norm %y weights("n") eps(1.0e-6) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.short_conv %{{.*}} at %{{.*}} cache("u") weights("w") taps(3) bias(0) : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %wide = gpt.linear %y weights("i") to 24 : tensor<?x8xf32> -> tensor<?x24xf32>
    %convolved = gpt.short_conv %wide at %pos cache("u") weights("w") taps(3) bias(0) : tensor<?x24xf32>, tensor<?xi32> -> tensor<?x8xf32>
    // CHECK: gpt.clamp %{{.*}} within(theta) : tensor<?x8xf32> -> tensor<?x8xf32>
    %clamped = gpt.clamp %y within(theta) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.softcap %{{.*}} cap(theta) : tensor<?x8xf32> -> tensor<?x8xf32>
    %b = gpt.softcap %y cap(theta) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.scale %{{.*}} by(1 / theta) : tensor<?x8xf32> -> tensor<?x8xf32>
    %scale = gpt.scale %y by(1 / theta) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.relu %{{.*}} : tensor<?x8xf32> -> tensor<?x8xf32>
    %relu = gpt.relu %y : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.relu %{{.*}} squared : tensor<?x8xf32> -> tensor<?x8xf32>
    %squared = gpt.relu %y squared : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.xielu %{{.*}} weights("act") : tensor<?x8xf32> -> tensor<?x8xf32>
    %xielu = gpt.xielu %y weights("act") : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.route %{{.*}} top(2) normalize(1) sigmoid bias("b") scale(theta) : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    %ri, %rs = gpt.route %y top(2) normalize(1) sigmoid bias("b") scale(theta) : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    // CHECK: gpt.gate %{{.*}} by %{{.*}} : tensor<?x8xf32>, tensor<?x1xf32>
    %gatez = gpt.linear %y weights("gate") to 1 bias(0) : tensor<?x8xf32> -> tensor<?x1xf32>
    %gated = gpt.gate %y by %gatez : tensor<?x8xf32>, tensor<?x1xf32>
    // CHECK: gpt.gate %{{.*}} by %{{.*}} linear : tensor<?x8xf32>, tensor<?x1xf32>
    %shared = gpt.gate %y by %gatez linear : tensor<?x8xf32>, tensor<?x1xf32>
    // CHECK: gpt.route %{{.*}} top(2) margin(0.5) : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    %mi, %ms = gpt.route %y top(2) margin(0.5) : tensor<?x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    // CHECK: gpt.rms_norm %{{.*}} : tensor<?x8xf32> -> tensor<?x8xf32>
    %wl = gpt.rms_norm %y : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.layer_norm %{{.*}} weights("ln") offset(1) : tensor<?x8xf32> -> tensor<?x8xf32>
    %ln1 = gpt.layer_norm %y weights("ln") offset(1) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.layer_norm %{{.*}} weights("ln") bias(0) : tensor<?x8xf32> -> tensor<?x8xf32>
    %ln2 = gpt.layer_norm %y weights("ln") bias(0) : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.layer_norm %{{.*}} : tensor<?x8xf32> -> tensor<?x8xf32>
    %ln3 = gpt.layer_norm %y : tensor<?x8xf32> -> tensor<?x8xf32>
    // CHECK: gpt.gate %{{.*}} by %{{.*}} : tensor<?x8xf32>, tensor<?x8xf32>
    %gates = gpt.gate %y by %ln3 : tensor<?x8xf32>, tensor<?x8xf32>
    // CHECK: gpt.qk_norm %{{.*}} weights("qn", "kn") : tensor<?x32xf32> -> tensor<?x32xf32>
    %qkn = gpt.qk_norm %q weights("qn", "kn") : tensor<?x32xf32> -> tensor<?x32xf32>
    // CHECK: gpt.select(2 * theta) %{{.*}}, %{{.*}} : tensor<?x8xf32>
    %sel = gpt.select(2 * theta) %y, %b : tensor<?x8xf32>
    // CHECK: %[[IDS:.*]], %[[SHARES:.*]] = gpt.route %{{.*}} top(2) normalize(1) : tensor<?x16xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    %i, %s = gpt.route %c top(2) normalize(1) : tensor<?x16xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
    // CHECK: gpt.experts %{{.*}} by %[[IDS]], %[[SHARES]] weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(2 * heads) inner(6) activation(silu)
    // CHECK-SAME: : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    %z = gpt.experts %b by %i, %s weights("e.{e}.gate", "e.{e}.up", "e.{e}.down") experts(2 * heads) inner(6) activation(silu)
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    // CHECK: gpt.experts %{{.*}} weights("units", "down") experts(4) inner(6) activation(silu)
    %p = gpt.experts %z by %i, %s weights("units", "down") experts(4) inner(6) activation(silu)
        : tensor<?x8xf32>, tensor<?x2xi32>, tensor<?x2xf32> -> tensor<?x8xf32>
    return %p : tensor<?x8xf32>
  }
}
