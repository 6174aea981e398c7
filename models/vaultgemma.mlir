// VaultGemma of any size: Gemma 2 without norms behind the blocks. The sizes below are the 1B model's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @vaultgemma {layers = 26, heads = 4, kv_heads = 4, head_dim = 256, width = 1152, context = 1024, vocab = 256000,
    inner = 6912, eps = 1.0e-6, tied = true, attention_bias = false, window = 4096, sliding = [1, 0],
    query_pre_attn_scalar = 256, score_cap = 50.0, logit_cap = 30.0, rope_theta = 10000.0,
    rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["vaultgemma"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        window = {keys = ["sliding_window"], null = 0},
        query_pre_attn_scalar = "query_pre_attn_scalar",
        score_cap = {keys = ["attn_logit_softcapping"], null = 0.0},
        logit_cap = {keys = ["final_logit_softcapping"], null = 0.0},
        sliding = {keys = ["layer_types"], values = {sliding_attention = 1, full_attention = 0}},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {
        hidden_activation = "gelu_pytorch_tanh", use_bidirectional_attention = false},
      defaults = {head_dim = 256},
      ignored = ["hidden_act"]},
    weights = {strip = ["model."], tied = {lm_head = "embed_tokens"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") scale(sqrt(width)) : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") offset(1) : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) scaling(rope_type) factor(rope_factor)
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window)
          scale(rsqrt(query_pre_attn_scalar)) softcap(score_cap) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.pre_feedforward_layernorm") offset(1) : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(gelu_tanh) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") offset(1) : !rows -> !rows
    %z = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.softcap %z cap(logit_cap) : !rows -> !rows
    return %logits : !rows
  }
}
