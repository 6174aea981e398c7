// Phi-3 and Phi-4-mini of any size: Llama with one matrix for queries, keys and values, one for gates and what they let
// pass, and rotation of a part of each head. The sizes below are Phi-3-mini-4k's (3,821,079,552 parameters), whose window
// is 2047; a config.json without one, or with null, has none.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @phi3 {layers = 32, heads = 32, width = 3072, context = 4096, vocab = 32064, inner = 8192, eps = 1.0e-5,
    tied = false, window = 0, rope_theta = 10000.0, rope_fraction = 1.0, rope_type = "none", rope_factor = 0.0,
    rope_original = 0, rope_amplitude = 0.0, rope_short = [1.0], rope_long = [1.0],
    config = {
      model_type = ["phi3"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        head_dim = "head_dim",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        window = "sliding_window",
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor"],
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", longrope = "longrope", su = "longrope", yarn = "longrope"},
          needs = {
            longrope = ["rope_short", "rope_long", "rope_original"], su = ["rope_short", "rope_long", "rope_original"],
            yarn = ["rope_short", "rope_long", "rope_original"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0},
        rope_original = [
          "rope_parameters.original_max_position_embeddings", "rope_scaling.original_max_position_embeddings",
          "original_max_position_embeddings"],
        rope_amplitude = ["rope_parameters.attention_factor", "rope_scaling.attention_factor"],
        rope_short = {keys = ["rope_parameters.short_factor", "rope_scaling.short_factor"], any_length = true},
        rope_long = {keys = ["rope_parameters.long_factor", "rope_scaling.long_factor"], any_length = true}},
      required = {
        hidden_act = "silu", attention_bias = false, mlp_bias = false, lm_head_bias = false, full_attn_mod = 1,
        interpolate_factor = 1}},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("layers.{l}.self_attn.qkv_proj")
          to (heads + 2 * kv_heads) * head_dim bias(0) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(int(rope_fraction * head_dim))
          scaling(rope_type)
          factor(select(rope_factor, rope_factor, 1.0 * context / select(rope_original, rope_original, 1)))
          original(select(rope_original, rope_original, context)) amplitude(rope_amplitude)
          factors("rope_short", "rope_long") : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(0) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
