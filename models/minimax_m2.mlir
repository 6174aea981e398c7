// MiniMax-M2 of any size: norms of all queries and of all keys, rotation of a part of each head, experts that sigmoids and
// a bias select. The sizes below are the published model's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @minimax_m2 {layers = 62, heads = 48, kv_heads = 8, head_dim = 128, width = 3072, context = 196608,
    vocab = 200064, inner = 1536, eps = 1.0e-6, tied = false, rope_theta = 5000000.0, rope_fraction = 1.0, rotary = 0,
    experts = 256, experts_per_token = 8,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["minimax_m2"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        experts = "num_local_experts", experts_per_token = "num_experts_per_tok",
        head_dim = "head_dim", rotary = "rotary_dim",
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor"],
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
        hidden_act = "silu", use_qk_norm = true, qk_norm_type = "per_layer", scoring_func = "sigmoid",
        use_routing_bias = true, shared_intermediate_size = 0,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      defaults = {head_dim = 128},
      ignored = [
        "num_mtp_modules", "use_mtp", "mtp_transformer_layers",
        "output_router_logits", "router_aux_loss_coef", "router_jitter_noise"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(0) : !rows -> !rows
      %h = gpt.qk_norm %qkv weights("layers.{l}.self_attn.q_norm", "layers.{l}.self_attn.k_norm") : !rows -> !rows
      %r = gpt.rotary %h at %pos theta(rope_theta) features(select(rotary, rotary, int(rope_fraction * head_dim)))
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(0) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.block_sparse_moe.gate") to experts bias(0) : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(1) sigmoid
          bias("layers.{l}.block_sparse_moe.e_score_correction_bias") : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %e, %s weights(
          "layers.{l}.block_sparse_moe.experts.{e}.w1", "layers.{l}.block_sparse_moe.experts.{e}.w3",
          "layers.{l}.block_sparse_moe.experts.{e}.w2")
          experts(experts) inner(inner) activation(silu) : !rows, !ids, !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
