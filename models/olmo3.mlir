// OLMo 3 of any size: OLMo 2 with a window in three of four layers, whose rotation is not scaled. The sizes below are
// those of Hugging Face's Olmo3Config (6,888,624,128 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @olmo3 {layers = 32, heads = 32, width = 4096, context = 2048, vocab = 50304, inner = 11008, eps = 1.0e-5,
    tied = false, attention_bias = false, window = 4096, sliding = [1, 1, 1, 0],
    rope_theta = 500000.0, rope_local_theta = 0.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    config = {
      model_type = ["olmo3"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        window = "sliding_window",
        sliding = {keys = ["layer_types"], values = {sliding_attention = 1, full_attention = 0}},
        rope_theta = {keys = ["rope_parameters.full_attention.rope_theta", "rope_theta"], above = 1.0},
        rope_local_theta = "rope_parameters.sliding_attention.rope_theta",
        rope_type = {
          keys = ["rope_parameters.full_attention.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", linear = "linear", yarn = "yarn"},
          needs = {linear = ["rope_factor"], yarn = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.full_attention.factor", "rope_scaling.factor"], above = 0.0},
        rope_low = ["rope_parameters.full_attention.beta_slow", "rope_scaling.beta_slow"],
        rope_high = ["rope_parameters.full_attention.beta_fast", "rope_scaling.beta_fast"],
        rope_original = [
          "rope_parameters.full_attention.original_max_position_embeddings",
          "rope_scaling.original_max_position_embeddings"],
        rope_amplitude = ["rope_parameters.full_attention.attention_factor", "rope_scaling.attention_factor"]},
      required = {
        hidden_act = "silu",
        "rope_parameters.sliding_attention.rope_type" = "default",
        "rope_parameters.full_attention.truncate" = true, "rope_scaling.truncate" = true}},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + rms_norm(attention(x))
      %qkv = gpt.linear %x weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %h = gpt.qk_norm %qkv weights("layers.{l}.self_attn.q_norm", "layers.{l}.self_attn.k_norm") : !rows -> !rows
      %r = gpt.rotary %h at %pos
          theta(select(sliding, select(rope_local_theta, rope_local_theta, rope_theta), rope_theta))
          scaling(rope_type) factor(select(sliding, 1.0, rope_factor)) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(select(sliding, 0, rope_amplitude))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %pn = gpt.rms_norm %p weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %x1 = arith.addf %x, %pn : !rows

      // x + rms_norm(mlp(x))
      %f = gpt.linear %x1 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %mn = gpt.rms_norm %m weights("layers.{l}.post_feedforward_layernorm") : !rows -> !rows
      %x2 = arith.addf %x1, %mn : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
