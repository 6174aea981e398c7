// Qwen3 with experts, of any size: Qwen3 whose feed-forward blocks are many, of which each token takes a few. The sizes
// below are Qwen3-30B-A3B's (30,532,122,624 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @qwen3_moe {layers = 48, heads = 32, kv_heads = 4, head_dim = 128, width = 2048, context = 32768,
    vocab = 151936, inner = 6144, dense = [0], routed = [1], eps = 1.0e-6, tied = false, attention_bias = false,
    rope_theta = 10000.0,
    experts = 128, experts_per_token = 8, expert_inner = 768, normalize_shares = false, windows = false, window = 4096,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["qwen3_moe", "qwen3_vl_moe_text"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        dense = {keys = ["mlp_only_layers"], at = [1, 0]},
        routed = {keys = ["decoder_sparse_step"], every = [0, 1]},
        experts = ["num_experts", "num_local_experts"], experts_per_token = "num_experts_per_tok",
        expert_inner = "moe_intermediate_size", normalize_shares = "norm_topk_prob",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        windows = "use_sliding_window", window = {keys = ["sliding_window"], null = 0},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {
            default = "none", mrope = "none", dynamic = "none", linear = "linear", llama3 = "llama3", yarn = "yarn"},
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
      ignored = [
        "rope_parameters.mrope_section", "rope_scaling.mrope_section",
        "rope_parameters.mrope_interleaved", "rope_scaling.mrope_interleaved",
        "layer_types", "max_window_layers", "output_router_logits",
        "router_aux_loss_coef"]},
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
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %h = gpt.head_norm %qkv weights("layers.{l}.self_attn.q_norm", "layers.{l}.self_attn.k_norm")
          : !rows -> !rows
      %r = gpt.rotary %h at %pos theta(rope_theta)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(windows * window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(rms_norm(x)), or x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.mlp.gate") to experts bias(0) : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(normalize_shares) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %e, %s weights(
          "layers.{l}.mlp.experts.{e}.gate_proj", "layers.{l}.mlp.experts.{e}.up_proj",
          "layers.{l}.mlp.experts.{e}.down_proj")
          experts(experts) inner(expert_inner) activation(silu) : !rows, !ids, !rows -> !rows
      %df = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %dg = gpt.glu %df activation(silu) : !rows -> !rows
      %dd = gpt.linear %dg weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %b = gpt.select(dense + 1 - routed) %dd, %m : !rows
      %x2 = arith.addf %x1, %b : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
