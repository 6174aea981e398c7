// DeepSeek V3 and GLM-4.7-Flash of any size: multi-head latent attention, feed-forward blocks in the first layers, then experts that sigmoids and
// a bias select from some of their groups, and shared ones. The sizes below are DeepSeek V3's (671,026,419,200 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @deepseek_v3 {layers = 61, heads = 128, head_dim = 192, width = 7168, context = 4096, vocab = 129280, inner = 18432,
    eps = 1.0e-6, tied = false, attention_bias = false, query_rank = 1536, latent_rank = 512, turned_dim = 64,
    other_dim = 128, value_dim = 128, interleaved = true, dense = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    experts = 256, experts_per_token = 8, expert_inner = 2048, shared = 1, normalize_shares = true, share_scale = 2.5,
    groups = 8, chosen_groups = 4,
    rope_theta = 10000.0, rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0,
    rope_amplitude = 0.0, rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["deepseek_v3", "glm4_moe_lite"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads",
        head_dim = {keys = ["qk_rope_head_dim", "qk_nope_head_dim"], sum = true},
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        query_rank = {keys = ["q_lora_rank"], null = 0}, latent_rank = "kv_lora_rank", turned_dim = "qk_rope_head_dim",
        other_dim = "qk_nope_head_dim", value_dim = "v_head_dim", attention_bias = "attention_bias",
        experts = ["n_routed_experts", "num_local_experts", "num_experts"], experts_per_token = "num_experts_per_tok",
        expert_inner = "moe_intermediate_size", shared = "n_shared_experts", share_scale = "routed_scaling_factor",
        normalize_shares = "norm_topk_prob", interleaved = "rope_interleave",
        groups = {keys = ["n_group"], null = 1}, chosen_groups = {keys = ["topk_group"], null = 1},
        dense = {
          keys = ["mlp_layer_types", "first_k_dense_replace"], values = {dense = 1, sparse = 0}, first = [1, 0]},
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
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
        hidden_act = "silu", scoring_func = "sigmoid", topk_method = "noaux_tc", moe_layer_freq = 1,
        "rope_parameters.partial_rotary_factor" = 1.0, partial_rotary_factor = 1.0,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      defaults = {first_k_dense_replace = 3},
      ignored = [
        "num_key_value_heads", "qk_head_dim", "head_dim", "num_nextn_predict_layers", "num_mtp_layers", "output_router_logits",
        "router_aux_loss_coef", "aux_loss_alpha", "seq_aux", "ep_size", "pretraining_tp"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      // The layers behind the last one predict further tokens.
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq", "layers.61."]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + attention(rms_norm(x)), with queries from a projection or by way of a few features, and keys and values by way of a
      // few features; some features of keys, which turn, are those of all heads.
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qd = gpt.linear %n1 weights("layers.{l}.self_attn.q_proj") to heads * head_dim bias(0) : !rows -> !rows
      %qa = gpt.linear %n1 weights("layers.{l}.self_attn.q_a_proj") to select(query_rank, query_rank, 1)
          bias(attention_bias) : !rows -> !rows
      %qn = gpt.rms_norm %qa weights("layers.{l}.self_attn.q_a_layernorm") eps(1.0e-6) : !rows -> !rows
      %qb = gpt.linear %qn weights("layers.{l}.self_attn.q_b_proj") to heads * head_dim bias(0) : !rows -> !rows
      %q = gpt.select(query_rank) %qb, %qd : !rows
      %c = gpt.linear %n1 weights("layers.{l}.self_attn.kv_a_proj_with_mqa") to latent_rank + turned_dim
          bias(attention_bias) : !rows -> !rows
      %ka = gpt.columns %c to latent_rank : !rows -> !rows
      %kn = gpt.rms_norm %ka weights("layers.{l}.self_attn.kv_a_layernorm") eps(1.0e-6) : !rows -> !rows
      %kb = gpt.linear %kn weights("layers.{l}.self_attn.kv_b_proj") to heads * (other_dim + value_dim) bias(0)
          : !rows -> !rows
      %kt = gpt.columns %c from(latent_rank) to turned_dim : !rows -> !rows
      %qkv = gpt.latent_heads %q, %kb, %kt interleaved(interleaved) : !rows, !rows, !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(turned_dim)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %h = gpt.attention %r at %pos cache("layers.{l}")
          scale(pow(0.1 * rope_mscale_all * log(rope_factor) + 1, 2) * rsqrt(head_dim)) : !rows, !ints -> !rows
      %a = gpt.columns %h groups(heads) to value_dim : !rows -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(rms_norm(x)) in the first layers, then x + experts(rms_norm(x)) + shared(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows

      %z = gpt.linear %n2 weights("layers.{l}.mlp.gate") to experts bias(0) : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(normalize_shares) sigmoid
          bias("layers.{l}.mlp.gate.e_score_correction_bias") scale(share_scale) groups(groups, chosen_groups)
          : !rows -> !ids, !rows
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
      %x2 = arith.addf %x1, %b : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
