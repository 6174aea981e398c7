// The text model of Llama 4, of any size: rotation of adjacent features, then norms without weights of the heads of queries
// and keys, in three of four layers, no positions in the others; experts whose inputs are scaled by their shares, one for
// each token, and a shared one. The context ends before attention is by chunks and depends on the position. The sizes below
// are Llama 4 Scout's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @llama4_text {layers = 48, heads = 40, kv_heads = 8, head_dim = 128, width = 5120, context = 8191,
    vocab = 202048, inner = 16384, eps = 1.0e-5, tied = false, attention_bias = false, qk_norm = true, turned = [1, 1, 1, 0],
    routed = [1], experts = 16, expert_inner = 8192, rope_theta = 500000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["llama4_text"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size_mlp", vocab = "vocab_size",
        context = {keys = ["attention_chunk_size", "floor_scale"], under = true},
        eps = "rms_norm_eps", tied = "tie_word_embeddings", head_dim = "head_dim",
        attention_bias = "attention_bias", qk_norm = "use_qk_norm",
        turned = {keys = ["no_rope_layers", "no_rope_layer_interval"], every = [1, 0]},
        routed = {keys = ["moe_layers", "interleave_moe_layer_step"], at = [1, 0], every = [0, 1]},
        experts = "num_local_experts", expert_inner = "intermediate_size",
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
        hidden_act = "silu", num_experts_per_tok = 1,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      defaults = {attention_chunk_size = 8192, floor_scale = 8192},
      ignored = [
        "max_position_embeddings", "layer_types", "attn_temperature_tuning", "attn_scale", "for_llm_compressor",
        "output_router_logits", "router_aux_loss_coef", "router_jitter_noise", "interleave_moe_layer_step",
        "no_rope_layer_interval"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"],
      transposed_experts = ["layers.{l}.feed_forward.experts.gate_up_proj", "layers.{l}.feed_forward.experts.down_proj"],
      // Adjacent features turn.
      interleaved = {
        "layers.{l}.self_attn.q_proj" = ["heads", "head_dim / 2", 2, 1],
        "layers.{l}.self_attn.k_proj" = ["kv_heads", "head_dim / 2", 2, 1]}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(turned * head_dim)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %rn = gpt.head_norm %r : !rows -> !rows
      %h = gpt.select(qk_norm * turned) %rn, %r : !rows
      %a = gpt.attention %h at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(rms_norm(x)) + shared(rms_norm(x)), or x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.feed_forward.gate_proj", "layers.{l}.feed_forward.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.feed_forward.down_proj") to width bias(0) : !rows -> !rows

      %z = gpt.linear %n2 weights("layers.{l}.feed_forward.router") to experts bias(0) : !rows -> !rows
      %i, %one = gpt.route %z top(1) normalize(1) : !rows -> !ids, !rows
      %j, %s = gpt.route %z top(1) sigmoid : !rows -> !ids, !rows
      %n3 = gpt.gate %n2 by %s linear : !rows, !rows
      %m = gpt.experts %n3 by %i, %one weights(
          "layers.{l}.feed_forward.experts.gate_up_proj", "layers.{l}.feed_forward.experts.down_proj")
          experts(experts) inner(expert_inner) activation(silu) : !rows, !ids, !rows -> !rows
      %sf = gpt.linear %n2 weights(
          "layers.{l}.feed_forward.shared_expert.gate_proj", "layers.{l}.feed_forward.shared_expert.up_proj")
          to 2 * expert_inner bias(0) : !rows -> !rows
      %sg = gpt.glu %sf activation(silu) : !rows -> !rows
      %sd = gpt.linear %sg weights("layers.{l}.feed_forward.shared_expert.down_proj") to width bias(0)
          : !rows -> !rows
      %ms = arith.addf %m, %sd : !rows
      %b = gpt.select(routed) %ms, %d : !rows
      %x2 = arith.addf %x1, %b : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
