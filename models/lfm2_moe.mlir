// LFM2 with experts, of any size: LFM2 with feed-forward blocks in the first layers, then experts that sigmoids and a bias
// select. The sizes below are LFM2 8B A1B's (8,339,930,560 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @lfm2_moe {layers = 24, heads = 32, kv_heads = 8, width = 2048, context = 128000, vocab = 65536, inner = 7168,
    eps = 1.0e-5, tied = true, attends = [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0],
    taps = 3, conv_bias = false, dense = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    experts = 32, experts_per_token = 4, expert_inner = 1792, normalize_shares = true, share_scale = 1.0,
    rope_theta = 1000000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    config = {
      model_type = ["lfm2_moe"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size", head_dim = "head_dim",
        eps = "norm_eps", tied = ["tie_embedding", "tie_word_embeddings"],
        attends = {
          keys = ["layer_types", "full_attn_idxs"], values = {full_attention = 1, conv = 0}, at = [1, 0]},
        taps = "conv_L_cache", conv_bias = "conv_bias",
        dense = {keys = ["num_dense_layers"], first = [1, 0]},
        experts = ["num_experts", "num_local_experts"], experts_per_token = "num_experts_per_tok",
        expert_inner = "moe_intermediate_size", normalize_shares = "norm_topk_prob",
        share_scale = "routed_scaling_factor",
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
        rope_amplitude = ["rope_parameters.attention_factor", "rope_scaling.attention_factor"]},
      required = {
        use_expert_bias = true,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      defaults = {num_dense_layers = 2},
      ignored = ["output_router_logits", "router_aux_loss_coef"]},
    weights = {strip = ["model."], tied = {lm_head = "embed_tokens"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x)), or x + convolution(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.operator_norm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(0) : !rows -> !rows
      %h = gpt.head_norm %qkv weights("layers.{l}.self_attn.q_layernorm", "layers.{l}.self_attn.k_layernorm")
          : !rows -> !rows
      %r = gpt.rotary %h at %pos theta(rope_theta)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(rope_amplitude) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.out_proj") to width bias(0) : !rows -> !rows

      %b = gpt.linear %n1 weights("layers.{l}.conv.in_proj") to 3 * width bias(conv_bias) : !rows -> !rows
      %c = gpt.short_conv %b at %pos cache("layers.{l}.conv") weights("layers.{l}.conv.conv") taps(taps)
          bias(conv_bias) : !rows, !ints -> !rows
      %o = gpt.linear %c weights("layers.{l}.conv.out_proj") to width bias(conv_bias) : !rows -> !rows
      %s = gpt.select(attends) %p, %o : !rows
      %x1 = arith.addf %x, %s : !rows

      // x + mlp(rms_norm(x)) in the first layers, then x + experts(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.ffn_norm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.feed_forward.w1", "layers.{l}.feed_forward.w3")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.feed_forward.w2") to width bias(0) : !rows -> !rows

      %z = gpt.linear %n2 weights("layers.{l}.feed_forward.gate") to experts bias(0) : !rows -> !rows
      %i, %t = gpt.route %z top(experts_per_token) normalize(normalize_shares) sigmoid
          bias("layers.{l}.feed_forward.expert_bias") scale(share_scale) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %i, %t weights(
          "layers.{l}.feed_forward.experts.{e}.w1", "layers.{l}.feed_forward.experts.{e}.w3",
          "layers.{l}.feed_forward.experts.{e}.w2")
          experts(experts) inner(expert_inner) activation(silu) : !rows, !ids, !rows -> !rows
      %k = gpt.select(dense) %d, %m : !rows
      %x2 = arith.addf %x1, %k : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("embedding_norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
