// ERNIE 4.5 with experts, of any size: rotation of adjacent features, feed-forward blocks in the first layers, then experts
// that a bias helps to select, and shared ones. The sizes below are those of ERNIE-4.5-21B-A3B (21,825,437,888 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @ernie4_5_moe {layers = 28, heads = 20, kv_heads = 4, head_dim = 128, width = 2560, context = 131072,
    vocab = 103424, inner = 12288, eps = 1.0e-5, tied = true, rope_theta = 500000.0,
    dense = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    experts = 64, experts_per_token = 6, expert_inner = 1536, shared = 2,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["ernie4_5_moe"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        experts = ["moe_num_experts", "num_experts"], experts_per_token = ["moe_k", "num_experts_per_tok"],
        expert_inner = "moe_intermediate_size", shared = "moe_num_shared_experts",
        dense = {keys = ["moe_layer_start_index"], first = [1, 0]},
        eps = "rms_norm_eps", tied = "tie_word_embeddings", head_dim = "head_dim",
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
        hidden_act = "silu", use_bias = false, use_rmsnorm = true, moe_layer_interval = 1, moe_gate = "topk",
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      defaults = {moe_layer_start_index = 1},
      // Experts that a layer behind moe_layer_end_index lacks would be missing tensors.
      ignored = [
        "moe_layer_end_index", "moe_norm_min", "moe_capacity", "moe_use_aux_free", "num_nextn_predict_layers",
        "output_router_logits", "router_aux_loss_coef", "pretraining_tp"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      interleaved = {
        "layers.{l}.self_attn.q_proj" = ["heads", "head_dim / 2", 2, 1],
        "layers.{l}.self_attn.k_proj" = ["kv_heads", "head_dim / 2", 2, 1]},
      ignored = [
        "layers.{l}.self_attn.rotary_emb.inv_freq", "mtp_block.", "mtp_emb_norm.", "mtp_hidden_norm.",
        "mtp_linear_proj."]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(0) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(0) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(rms_norm(x)) in the first layers, then x + experts(rms_norm(x)) + shared(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows

      %z = gpt.linear %n2 weights("layers.{l}.mlp.gate") to experts bias(0) : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(1)
          bias("layers.{l}.mlp.moe_statics.e_score_correction_bias")
          : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %e, %s weights(
          "layers.{l}.mlp.experts.{e}.gate_proj", "layers.{l}.mlp.experts.{e}.up_proj",
          "layers.{l}.mlp.experts.{e}.down_proj")
          experts(experts) inner(expert_inner) activation(silu) : !rows, !ids, !rows -> !rows
      %sf = gpt.linear %n2 weights("layers.{l}.mlp.shared_experts.gate_proj", "layers.{l}.mlp.shared_experts.up_proj")
          to 2 * select(shared, shared, 1) * expert_inner bias(0) : !rows -> !rows
      %sg = gpt.glu %sf activation(silu) : !rows -> !rows
      %sd = gpt.linear %sg weights("layers.{l}.mlp.shared_experts.down_proj") to width bias(0) : !rows -> !rows
      %ms = arith.addf %m, %sd : !rows
      %both = gpt.select(shared) %ms, %m : !rows
      %b = gpt.select(dense) %d, %both : !rows
      %x2 = arith.addf %x1, %b : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
