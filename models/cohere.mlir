// Command R and Aya of any size: attention and gated units side by side after one layer norm without a bias, rotation of
// adjacent features, scaled logits; Command R+ also has norms of each head of queries and of keys. The sizes
// below are Command R's (34,980,831,232 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @cohere {layers = 40, heads = 64, width = 8192, context = 8192, vocab = 256000, inner = 22528, eps = 1.0e-5,
    tied = true, attention_bias = false, qk_norm = false, logit_scale = 0.0625, rope_theta = 500000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["cohere"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "layer_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias", logit_scale = "logit_scale", qk_norm = "use_qk_norm",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear", llama3 = "llama3", yarn = "yarn"},
          needs = {
            linear = ["rope_factor"], llama3 = ["rope_factor", "rope_low", "rope_high", "rope_original"],
            yarn = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0},
        rope_low = [
          "rope_parameters.low_freq_factor", "rope_scaling.low_freq_factor",
          "rope_parameters.beta_slow", "rope_scaling.beta_slow"],
        rope_high = [
          "rope_parameters.high_freq_factor", "rope_scaling.high_freq_factor",
          "rope_parameters.beta_fast", "rope_scaling.beta_fast"],
        rope_original = [
          "rope_parameters.original_max_position_embeddings", "rope_scaling.original_max_position_embeddings"],
        rope_amplitude = ["rope_parameters.attention_factor", "rope_scaling.attention_factor"],
        rope_mscale = ["rope_parameters.mscale", "rope_scaling.mscale"],
        rope_mscale_all = ["rope_parameters.mscale_all_dim", "rope_scaling.mscale_all_dim"]},
      required = {
        hidden_act = "silu",
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      ignored = ["pretraining_tp", "model_max_length"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      interleaved = {
        "layers.{l}.self_attn.q_proj" = ["heads", "head_dim / 2", 2, 1],
        "layers.{l}.self_attn.k_proj" = ["kv_heads", "head_dim / 2", 2, 1],
        "layers.{l}.self_attn.q_norm" = ["heads", "head_dim / 2", 2, 1],
        "layers.{l}.self_attn.k_norm" = ["kv_heads", "head_dim / 2", 2, 1]},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") bias(0) : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %h = gpt.head_layer_norm %qkv weights("layers.{l}.self_attn.q_norm", "layers.{l}.self_attn.k_norm") per_head
          bias(0) : !rows -> !rows
      %s = gpt.select(qk_norm) %h, %qkv : !rows
      %r = gpt.rotary %s at %pos theta(rope_theta)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows
      %f = gpt.linear %n1 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm") bias(0) : !rows -> !rows
    %z = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.scale %z by(logit_scale) : !rows -> !rows
    return %logits : !rows
  }
}
