// gpt-oss of any size: attention with sinks and a window in every other layer, and experts with biases and clamped gates.
// The sizes below are gpt-oss-20b's (20,914,757,184 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @gpt_oss {layers = 24, heads = 64, kv_heads = 8, head_dim = 64, width = 2880, context = 131072,
    vocab = 201088, inner = 2880, eps = 1.0e-5, tied = false, attention_bias = true, window = 128, sliding = [1, 0],
    experts = 32, experts_per_token = 4, limit = 7.0, slope = 1.702, rope_theta = 150000.0,
    rope_type = "yarn", rope_factor = 32.0, rope_low = 1.0, rope_high = 32.0, rope_original = 4096,
    rope_amplitude = 0.0, rope_truncate = true,
    config = {
      model_type = ["gpt_oss"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        head_dim = "head_dim", eps = "rms_norm_eps", tied = "tie_word_embeddings", attention_bias = "attention_bias",
        experts = ["num_local_experts", "num_experts"], experts_per_token = ["num_experts_per_tok", "experts_per_token"],
        limit = {keys = ["swiglu_limit"], above = 0.0}, slope = {keys = ["swiglu_alpha"], above = 0.0},
        window = {keys = ["sliding_window"], null = 0},
        sliding = {keys = ["layer_types"], values = {sliding_attention = 1, full_attention = 0}},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", linear = "linear", yarn = "yarn"},
          needs = {linear = ["rope_factor"], yarn = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0},
        rope_low = ["rope_parameters.beta_slow", "rope_scaling.beta_slow"],
        rope_high = ["rope_parameters.beta_fast", "rope_scaling.beta_fast"],
        rope_original = [
          "rope_parameters.original_max_position_embeddings", "rope_scaling.original_max_position_embeddings"],
        rope_amplitude = ["rope_parameters.attention_factor", "rope_scaling.attention_factor"],
        rope_truncate = ["rope_parameters.truncate", "rope_scaling.truncate"]},
      required = {hidden_act = "silu"},
      defaults = {head_dim = 64},
      ignored = ["initial_context_length", "output_router_logits", "router_aux_loss_coef"],
      quantized = ["mxfp4"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"],
      transposed_experts = ["layers.{l}.mlp.experts.gate_up_proj", "layers.{l}.mlp.experts.down_proj"],
      // Gates and values alternate.
      interleaved = {
        "layers.{l}.mlp.experts.gate_up_proj" = ["experts", "inner", 2, 1],
        "layers.{l}.mlp.experts.gate_up_proj_bias" = ["experts", "inner", 2, 1]}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) truncate(rope_truncate) amplitude(rope_amplitude)
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window)
          sinks("layers.{l}.self_attn.sinks") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.mlp.router") to experts : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(1) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %e, %s weights(
          "layers.{l}.mlp.experts.gate_up_proj", "layers.{l}.mlp.experts.down_proj")
          experts(experts) inner(inner) activation(silu)
          biases("layers.{l}.mlp.experts.gate_up_proj_bias", "layers.{l}.mlp.experts.down_proj_bias")
          clamped(limit, slope) : !rows, !ids, !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
