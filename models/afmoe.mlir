// AFMoE of any size (Trinity): attention whose results have gates, RoPE only in layers with a window, norms around every block,
// and experts that sigmoids and a bias select, with shared ones. The sizes below are Hugging Face's defaults.

!ints = tensor<?xi32>     // ids [N], positions [B]
!ids = tensor<?x?xi32>    // the experts of each token
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @afmoe {layers = 32, heads = 16, head_dim = 128, width = 2048, context = 16384, vocab = 200192, inner = 6144,
    eps = 1.0e-5, tied = false, attention_bias = false, scaled = false, window = 1024, sliding = [1, 1, 1, 0],
    dense = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    experts = 64, experts_per_token = 6, expert_inner = 1408, shared = 2, share_scale = 1.0, rope_theta = 10000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["afmoe"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings", head_dim = "head_dim", attention_bias = "attention_bias",
        scaled = "mup_enabled", window = {keys = ["sliding_window"], null = 0},
        sliding = {
          keys = ["layer_types", "global_attn_every_n_layers"],
          values = {sliding_attention = 1, full_attention = 0}, every = [1, 0]},
        dense = {keys = ["num_dense_layers"], first = [1, 0]},
        experts = ["num_experts", "num_local_experts"], experts_per_token = "num_experts_per_tok",
        expert_inner = "moe_intermediate_size", shared = "num_shared_experts", share_scale = "route_scale",
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
        hidden_act = "silu", score_func = "sigmoid", route_norm = true, n_group = 1, topk_group = 1, num_expert_groups = 1,
        num_limited_groups = 1, "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      defaults = {num_dense_layers = 1},
      ignored = [
        "global_attn_every_n_layers", "load_balance_coeff", "use_grouped_mm", "output_router_logits",
        "router_aux_loss_coef"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") scale(select(scaled, sqrt(width), 1)) : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + rms_norm(attention(rms_norm(x)))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %h = gpt.head_norm %qkv weights("layers.{l}.self_attn.q_norm", "layers.{l}.self_attn.k_norm") : !rows -> !rows
      %r = gpt.rotary %h at %pos theta(rope_theta) features(sliding * head_dim)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window) : !rows, !ints -> !rows
      %az = gpt.linear %n1 weights("layers.{l}.self_attn.gate_proj") to heads * head_dim bias(0) : !rows -> !rows
      %ag = gpt.gate %a by %az : !rows, !rows
      %p = gpt.linear %ag weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %pn = gpt.rms_norm %p weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %x1 = arith.addf %x, %pn : !rows

      // x + rms_norm(mlp(rms_norm(x))) in the first layers, then x + rms_norm(experts(rms_norm(x)) + shared(rms_norm(x)))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.pre_mlp_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows

      %z = gpt.linear %n2 weights("layers.{l}.mlp.router.gate") to experts bias(0) : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(1) sigmoid bias("layers.{l}.mlp.expert_bias")
          scale(share_scale) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %e, %s weights(
          "layers.{l}.mlp.experts.{e}.gate_proj", "layers.{l}.mlp.experts.{e}.up_proj",
          "layers.{l}.mlp.experts.{e}.down_proj")
          experts(experts) inner(expert_inner) activation(silu) : !rows, !ids, !rows -> !rows
      %sf = gpt.linear %n2 weights("layers.{l}.mlp.shared_experts.gate_proj", "layers.{l}.mlp.shared_experts.up_proj")
          to 2 * shared * expert_inner bias(0) : !rows -> !rows
      %sg = gpt.glu %sf activation(silu) : !rows -> !rows
      %sd = gpt.linear %sg weights("layers.{l}.mlp.shared_experts.down_proj") to width bias(0) : !rows -> !rows
      %ms = arith.addf %m, %sd : !rows
      %b = gpt.select(dense) %d, %ms : !rows
      %bn = gpt.rms_norm %b weights("layers.{l}.post_mlp_layernorm") : !rows -> !rows
      %x2 = arith.addf %x1, %bn : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
