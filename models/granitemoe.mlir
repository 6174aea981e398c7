// Granite with experts, of any size: Granite whose feed-forward blocks are several, packed in two tensors, of which each
// token takes a few. The sizes below are those of Hugging Face's GraniteMoeConfig (37,039,116,288 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @granitemoe {layers = 32, heads = 32, width = 4096, context = 2048, vocab = 32000, inner = 11008,
    eps = 1.0e-6, tied = false, attention_bias = false, experts = 8, experts_per_token = 2, shared = 0, embedding_multiplier = 1.0,
    attention_multiplier = 1.0, residual_multiplier = 1.0, logits_scaling = 1.0, rope_theta = 10000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["granitemoe", "granitemoeshared"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        experts = "num_local_experts", experts_per_token = "num_experts_per_tok",
        shared = "shared_intermediate_size",
        embedding_multiplier = "embedding_multiplier", attention_multiplier = "attention_multiplier",
        residual_multiplier = "residual_multiplier", logits_scaling = "logits_scaling",
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
        hidden_act = "silu",
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      ignored = ["output_router_logits", "router_aux_loss_coef"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") scale(embedding_multiplier) : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + m·attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") scale(attention_multiplier) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %ps = gpt.scale %p by(residual_multiplier) : !rows -> !rows
      %x1 = arith.addf %x, %ps : !rows

      // x + m·experts(rms_norm(x)), or x + m·(experts(rms_norm(x)) + shared(rms_norm(x)))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.block_sparse_moe.router.layer") to experts bias(0) : !rows -> !rows
      %i, %s = gpt.route %z top(experts_per_token) normalize(1) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %i, %s weights(
          "layers.{l}.block_sparse_moe.input_linear", "layers.{l}.block_sparse_moe.output_linear")
          experts(experts) inner(inner) activation(silu) : !rows, !ids, !rows -> !rows
      %sf = gpt.linear %n2 weights("layers.{l}.shared_mlp.input_linear") to 2 * select(shared, shared, 1) bias(0)
          : !rows -> !rows
      %sg = gpt.glu %sf activation(silu) : !rows -> !rows
      %sd = gpt.linear %sg weights("layers.{l}.shared_mlp.output_linear") to width bias(0) : !rows -> !rows
      %sum = arith.addf %m, %sd : !rows
      %b = gpt.select(shared) %sum, %m : !rows
      %ms = gpt.scale %b by(residual_multiplier) : !rows -> !rows
      %x2 = arith.addf %x1, %ms : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %u = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.scale %u by(1 / logits_scaling) : !rows -> !rows
    return %logits : !rows
  }
}
