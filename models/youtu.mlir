// Youtu-LLM of any size: multi-head latent attention, and Llama's feed-forward blocks. The sizes below are the 2B model's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @youtu {layers = 32, heads = 16, head_dim = 192, width = 2048, context = 131072, vocab = 128256, inner = 6144,
    eps = 1.0e-6, tied = true, attention_bias = false, query_rank = 1536, latent_rank = 512, turned_dim = 64,
    other_dim = 128, value_dim = 128, interleaved = true, rope_theta = 10000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["youtu"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads",
        head_dim = {keys = ["qk_rope_head_dim", "qk_nope_head_dim"], sum = true},
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        query_rank = {keys = ["q_lora_rank"], null = 0}, latent_rank = "kv_lora_rank", turned_dim = "qk_rope_head_dim",
        other_dim = "qk_nope_head_dim", value_dim = "v_head_dim", attention_bias = "attention_bias",
        interleaved = "rope_interleave",
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
        hidden_act = "silu",
        "rope_parameters.partial_rotary_factor" = 1.0, partial_rotary_factor = 1.0,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      ignored = [
        "num_key_value_heads", "qk_head_dim", "head_dim", "embedding_initializer_range", "pretraining_tp", "mlp_bias"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + attention(rms_norm(x)), as in DeepSeek V3
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

      // x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %d = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %d : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
