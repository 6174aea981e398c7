// Granite with attention sinks, a sliding window in three of four layers and a base of the rotation for each layer, 0 for none,
// of any size. The sizes below are those of Hugging Face's GraniteSWAConfig.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @granite_swa {layers = 32, heads = 32, width = 4096, context = 2048, vocab = 32000, inner = 11008,
    eps = 1.0e-6, tied = false, attention_bias = false, mlp_bias = false, embedding_multiplier = 1.0,
    attention_multiplier = 1.0, residual_multiplier = 1.0, logits_scaling = 1.0,
    rope_theta = [10000.0], window = 128, sliding = [0, 1, 1, 1],
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["granite_swa"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias", mlp_bias = "mlp_bias",
        embedding_multiplier = "embedding_multiplier", attention_multiplier = "attention_multiplier",
        residual_multiplier = "residual_multiplier", logits_scaling = "logits_scaling",
        window = {keys = ["sliding_window"], null = 0},
        sliding = {keys = ["layer_types"], values = {sliding_attention = 1, full_attention = 0}},
        rope_theta = ["layer_rope_theta", "rope_parameters.rope_theta", "rope_theta"],
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
      ignored = ["pretraining_tp"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") scale(embedding_multiplier) : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + m·attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(select(rope_theta, rope_theta, 10000.0))
          features(select(rope_theta, head_dim, 0))
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window) scale(attention_multiplier)
          sinks("layers.{l}.self_attn.sinks") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %ps = gpt.scale %p by(residual_multiplier) : !rows -> !rows
      %x1 = arith.addf %x, %ps : !rows

      // x + m·mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(mlp_bias) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(mlp_bias) : !rows -> !rows
      %ms = gpt.scale %m by(residual_multiplier) : !rows -> !rows
      %x2 = arith.addf %x1, %ms : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %z = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.scale %z by(1 / logits_scaling) : !rows -> !rows
    return %logits : !rows
  }
}
