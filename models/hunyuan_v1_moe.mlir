// Hunyuan with experts, of any size: norms of the heads of queries and keys after their rotation, whose base grows with a
// factor for longer texts, experts and a shared one. The sizes below are Hunyuan A13B's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @hunyuan_v1_moe {layers = 32, heads = 32, kv_heads = 8, head_dim = 128, width = 4096, context = 32768,
    vocab = 128167, inner = 3072, experts = 64, experts_per_token = 8, shared = 1, eps = 1.0e-5, tied = true,
    attention_bias = false, rope_theta = 10000.0, rope_alpha = 1.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["hunyuan_v1_moe"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = ["moe_intermediate_size", "intermediate_size"],
        context = "max_position_embeddings", vocab = "vocab_size",
        experts = ["num_experts", "num_local_experts"], experts_per_token = ["moe_topk", "num_experts_per_tok"],
        shared = "num_shared_expert", eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_alpha = {keys = ["rope_parameters.alpha", "rope_scaling.alpha"], above = 0.0},
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
        hidden_act = "silu", mlp_bias = false, norm_type = "rms", use_qk_norm = true, use_cla = false,
        use_rotary_pos_emb = true, use_mixed_mlp_moe = true, norm_topk_prob = true, moe_layer_num_skipped = 0,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      ignored = [
        "attention_head_dim", "cla_share_factor", "eod_token_id", "im_end_id", "im_newline_id", "im_start_id",
        "image_token_id", "mask_init_id", "org_vocab_size", "pool_type", "pretraining_tp", "text_end_id",
        "text_start_id", "add_classification_head", "class_num", "dense_list", "enable_lm_head_fp32",
        "capacity_factor", "moe_drop_tokens", "moe_random_routing_dropped_token", "group_limited_greedy",
        "n_group", "topk_group", "routed_scaling_factor", "output_router_logits", "router_aux_loss_coef"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %t = gpt.rotary %qkv at %pos theta(rope_theta * pow(rope_alpha, head_dim / (head_dim - 2)))
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %h = gpt.head_norm %t weights("layers.{l}.self_attn.query_layernorm", "layers.{l}.self_attn.key_layernorm")
          : !rows -> !rows
      %a = gpt.attention %h at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(rms_norm(x)) + shared(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.mlp.gate.wg") to experts bias(0) : !rows -> !rows
      %i, %s = gpt.route %z top(experts_per_token) normalize(1) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %i, %s weights(
          "layers.{l}.mlp.experts.{e}.gate_proj", "layers.{l}.mlp.experts.{e}.up_proj",
          "layers.{l}.mlp.experts.{e}.down_proj")
          experts(experts) inner(inner) activation(silu) : !rows, !ids, !rows -> !rows
      %sf = gpt.linear %n2 weights("layers.{l}.mlp.shared_mlp.gate_proj", "layers.{l}.mlp.shared_mlp.up_proj")
          to 2 * shared * inner bias(0) : !rows -> !rows
      %sg = gpt.glu %sf activation(silu) : !rows -> !rows
      %sd = gpt.linear %sg weights("layers.{l}.mlp.shared_mlp.down_proj") to width bias(0) : !rows -> !rows
      %ms = arith.addf %m, %sd : !rows
      %x2 = arith.addf %x1, %ms : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
