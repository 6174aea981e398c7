// MiniCPM 3 of any size: multi-head latent attention, and embeddings, blocks and logits that are scaled as in MiniCPM. The sizes
// below are the 4B model's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @minicpm3 {layers = 62, heads = 40, head_dim = 96, width = 2560, context = 32768, vocab = 73448, inner = 6400,
    eps = 1.0e-5, tied = true, attention_bias = false, query_rank = 768, latent_rank = 256, turned_dim = 32,
    other_dim = 64, value_dim = 0, scale_emb = 12.0, scale_depth = 1.4, dim_model_base = 256.0, rope_theta = 10000.0,
    rope_type = "none", rope_factor = 0.0, rope_original = 0, rope_amplitude = 0.0, rope_short = [1.0], rope_long = [1.0],
    config = {
      model_type = ["minicpm3"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads",
        head_dim = {keys = ["qk_rope_head_dim", "qk_nope_head_dim"], sum = true},
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        query_rank = {keys = ["q_lora_rank"], null = 0}, latent_rank = "kv_lora_rank", turned_dim = "qk_rope_head_dim",
        other_dim = "qk_nope_head_dim", value_dim = "v_head_dim", attention_bias = "attention_bias",
        scale_emb = "scale_emb", scale_depth = "scale_depth", dim_model_base = "dim_model_base",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", longrope = "longrope", su = "longrope"},
          needs = {
            longrope = ["rope_short", "rope_long", "rope_original"],
            su = ["rope_short", "rope_long", "rope_original"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0},
        rope_original = [
          "rope_parameters.original_max_position_embeddings", "rope_scaling.original_max_position_embeddings",
          "original_max_position_embeddings"],
        rope_amplitude = ["rope_parameters.attention_factor", "rope_scaling.attention_factor"],
        rope_short = {keys = ["rope_parameters.short_factor", "rope_scaling.short_factor"], any_length = true},
        rope_long = {keys = ["rope_parameters.long_factor", "rope_scaling.long_factor"], any_length = true}},
      required = {
        hidden_act = "silu", mlp_bias = false, "rope_parameters.partial_rotary_factor" = 1.0, partial_rotary_factor = 1.0},
      ignored = ["num_key_value_heads", "qk_head_dim", "head_dim", "pretraining_tp"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") scale(scale_emb) : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + m·attention(rms_norm(x)), with latent attention as in DeepSeek V3
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
      %kb = gpt.linear %kn weights("layers.{l}.self_attn.kv_b_proj")
          to heads * (other_dim + select(value_dim, value_dim, width / heads)) bias(0) : !rows -> !rows
      %kt = gpt.columns %c from(latent_rank) to turned_dim : !rows -> !rows
      %qkv = gpt.latent_heads %q, %kb, %kt : !rows, !rows, !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(turned_dim)
          scaling(rope_type)
          factor(select(rope_factor, rope_factor, 1.0 * context / select(rope_original, rope_original, 1)))
          original(select(rope_original, rope_original, context)) amplitude(rope_amplitude)
          factors("rope_short", "rope_long") : !rows, !ints -> !rows
      %h = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %a = gpt.columns %h groups(heads) to select(value_dim, value_dim, width / heads) : !rows -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %ps = gpt.scale %p by(scale_depth / sqrt(layers)) : !rows -> !rows
      %x1 = arith.addf %x, %ps : !rows

      // x + m·mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %ds = gpt.scale %d by(scale_depth / sqrt(layers)) : !rows -> !rows
      %x2 = arith.addf %x1, %ds : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %z = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.scale %z by(dim_model_base / width) : !rows -> !rows
    return %logits : !rows
  }
}
