// Command R7B and Command A of any size: Command R with a window in three of four layers and no rotation in the others. The
// sizes below are those of Hugging Face's Cohere2Config (34,980,831,232 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @cohere2 {layers = 40, heads = 64, width = 8192, context = 8192, vocab = 256000, inner = 22528, eps = 1.0e-5,
    tied = true, attention_bias = false, logit_scale = 0.0625, window = 4096, sliding = [1, 1, 1, 0],
    rope_theta = 10000.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["cohere2"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "layer_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias", logit_scale = "logit_scale",
        window = "sliding_window",
        sliding = {
          keys = ["layer_types", "sliding_window_pattern", "_sliding_window_pattern", "layer_switch"],
          values = {sliding_attention = 1, full_attention = 0}, every = [1, 0]},
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
        hidden_act = "silu", use_qk_norm = false, order_of_interleaved_layers = "local_attn_first",
        position_embedding_type = "rope_gptj", rotary_pct = 1.0, use_gated_activation = true, use_parallel_block = true,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      ignored = [
        "pretraining_tp", "layer_switch", "sliding_window_pattern", "use_embedding_sharing", "use_parallel_embedding"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      interleaved = {
        "layers.{l}.self_attn.q_proj" = ["heads", "head_dim / 2", 2, 1],
        "layers.{l}.self_attn.k_proj" = ["kv_heads", "head_dim / 2", 2, 1]},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") bias(0) : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(sliding * head_dim)
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows
      %f = gpt.linear %n1 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %g = gpt.glu %f activation(silu) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm") bias(0) : !rows -> !rows
    %z = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.scale %z by(logit_scale) : !rows -> !rows
    return %logits : !rows
  }
}
