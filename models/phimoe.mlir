// Phi-3.5-MoE of any size: layer norms, biases, and two experts that a sparse mixer selects, one after the other. The sizes
// below are its own.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @phimoe {layers = 32, heads = 32, kv_heads = 8, width = 4096, context = 131072, vocab = 32064, inner = 6400,
    eps = 1.0e-5, tied = false, attention_bias = false, head_bias = false, experts = 16, jitter = 0.01, window = 0,
    rope_theta = 1000000.0, rope_type = "none", rope_factor = 0.0, rope_original = 0, rope_amplitude = 0.0,
    rope_short = [1.0], rope_long = [1.0],
    config = {
      model_type = ["phimoe"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        head_dim = "head_dim",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        window = "sliding_window", attention_bias = "attention_bias", head_bias = "lm_head_bias",
        experts = "num_local_experts", jitter = {keys = ["router_jitter_noise"], above = 0.0},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", longrope = "longrope"},
          needs = {longrope = ["rope_short", "rope_long", "rope_original", "rope_amplitude"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0},
        rope_original = [
          "rope_parameters.original_max_position_embeddings", "rope_scaling.original_max_position_embeddings",
          "original_max_position_embeddings"],
        rope_amplitude = ["rope_parameters.short_mscale", "rope_scaling.short_mscale"],
        rope_short = {keys = ["rope_parameters.short_factor", "rope_scaling.short_factor"], any_length = true},
        rope_long = {keys = ["rope_parameters.long_factor", "rope_scaling.long_factor"], any_length = true}},
      required = {hidden_act = "silu", num_experts_per_tok = 2},
      ignored = [
        "input_jitter_noise", "output_router_logits", "router_aux_loss_coef", "original_max_position_embeddings",
        "rope_parameters.long_mscale", "rope_scaling.long_mscale", "rope_parameters.attention_factor",
        "rope_scaling.attention_factor"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) scaling(rope_type)
          factor(select(rope_factor, rope_factor, 1.0 * context / select(rope_original, rope_original, 1)))
          original(select(rope_original, rope_original, context)) amplitude(rope_amplitude)
          factors("rope_short", "rope_long") : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.block_sparse_moe.gate") to experts bias(0) : !rows -> !rows
      %i, %s = gpt.route %z top(2) margin(2 * jitter) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %i, %s weights(
          "layers.{l}.block_sparse_moe.experts.{e}.w1", "layers.{l}.block_sparse_moe.experts.{e}.w3",
          "layers.{l}.block_sparse_moe.experts.{e}.w2")
          experts(experts) inner(inner) activation(silu) : !rows, !ids, !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.linear %n weights("lm_head") to vocab bias(head_bias) : !rows -> !rows
    return %logits : !rows
  }
}
