// GLM-4-0414 of any size: GLM with norms after every block, too. The sizes below are GLM-4-9B-0414's
// (9,400,279,040 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @glm4 {layers = 40, heads = 32, kv_heads = 2, head_dim = 128, width = 4096, context = 32768, vocab = 151552,
    inner = 13696, eps = 1.5625e-7,
    tied = false, attention_bias = true, rope_theta = 10000.0,
    rope_fraction = 0.5, rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["glm4"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings", head_dim = "head_dim", attention_bias = "attention_bias",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor"],
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {hidden_act = "silu"},
      defaults = {head_dim = 128}},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      interleaved = {
        "layers.{l}.self_attn.q_proj" = [
          "heads", "int(rope_fraction * head_dim) / 2", 2, 1, "head_dim - int(rope_fraction * head_dim)"],
        "layers.{l}.self_attn.k_proj" = [
          "kv_heads", "int(rope_fraction * head_dim) / 2", 2, 1, "head_dim - int(rope_fraction * head_dim)"]},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + rms_norm(attention(rms_norm(x)))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(int(rope_fraction * head_dim)) scaling(rope_type)
          factor(rope_factor) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(0) : !rows -> !rows
      %pn = gpt.rms_norm %p weights("layers.{l}.post_self_attn_layernorm") : !rows -> !rows
      %x1 = arith.addf %x, %pn : !rows

      // x + rms_norm(mlp(rms_norm(x)))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_up_proj") to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %mn = gpt.rms_norm %m weights("layers.{l}.post_mlp_layernorm") : !rows -> !rows
      %x2 = arith.addf %x1, %mn : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
