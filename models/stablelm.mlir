// StableLM of any size: layer norms and gated units, and rotation of a part of each head; StableLM 2 12B also has norms of
// each head of queries and of keys, and attention and MLP side by side behind one norm. The sizes below are those of StableLM
// 2 1.6B (1,644,367,872 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @stablelm {layers = 24, heads = 32, width = 2048, context = 4096, vocab = 100352, inner = 5632, eps = 1.0e-5,
    tied = false, qkv_bias = false, qk_norm = false, parallel = false, rope_theta = 10000.0, rope_fraction = 0.25,
    rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["stablelm"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "layer_norm_eps", tied = "tie_word_embeddings", qkv_bias = "use_qkv_bias",
        qk_norm = "qk_layernorm", parallel = "use_parallel_residual",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor", "rope_pct"],
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {hidden_act = "silu"}},
    weights = {strip = ["model."], tied = {lm_head = "embed_tokens"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x)), or one after the other
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(qkv_bias) : !rows -> !rows
      %h = gpt.head_layer_norm %qkv weights(
          "layers.{l}.self_attn.q_layernorm.norms.{h}", "layers.{l}.self_attn.k_layernorm.norms.{h}")
          bias(0) : !rows -> !rows
      %s1 = gpt.select(qk_norm) %h, %qkv : !rows
      %r = gpt.rotary %s1 at %pos theta(rope_theta) features(int(rope_fraction * head_dim)) scaling(rope_type)
          factor(rope_factor) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(0) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %s2 = gpt.select(parallel) %n1, %n2 : !rows
      %f = gpt.linear %s2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
