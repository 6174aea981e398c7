// Persimmon of any size: layer norms and biases, norms of each head of queries and of keys, rotation of a part of each head,
// squared ReLU. The sizes below are those of Persimmon 8B (9,397,175,296 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @persimmon {layers = 36, heads = 64, width = 4096, context = 16384, vocab = 262144, inner = 16384, eps = 1.0e-5,
    tied = false, qk_norm = true, rope_theta = 10000.0, rope_fraction = 0.5, rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["persimmon"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", width = "hidden_size", inner = "intermediate_size",
        context = "max_position_embeddings", vocab = "vocab_size", eps = "layer_norm_eps",
        tied = "tie_word_embeddings", qk_norm = "qk_layernorm",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor"],
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {hidden_act = "relu2"},
      ignored = ["num_key_value_heads"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      interleaved = {"layers.{l}.self_attn.query_key_value" = ["heads", 3, "head_dim"]},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("layers.{l}.self_attn.query_key_value") to 3 * width : !rows -> !rows
      %h = gpt.head_layer_norm %qkv weights("layers.{l}.self_attn.q_layernorm", "layers.{l}.self_attn.k_layernorm")
          : !rows -> !rows
      %s = gpt.select(qk_norm) %h, %qkv : !rows
      %r = gpt.rotary %s at %pos theta(rope_theta) features(int(rope_fraction * head_dim)) scaling(rope_type)
          factor(rope_factor) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.dense") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.dense_h_to_4h") to inner : !rows -> !rows
      %g = gpt.relu %f squared : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.dense_4h_to_h") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("final_layernorm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
