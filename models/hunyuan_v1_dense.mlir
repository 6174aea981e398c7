// Hunyuan of any size, without experts: Llama with norms of the heads of queries and keys after their rotation, whose base
// grows with a factor for longer texts. The sizes below make a model of 463,512,576 parameters.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @hunyuan_v1_dense {layers = 24, heads = 8, kv_heads = 4, head_dim = 128, width = 1024, context = 262144,
    vocab = 120818, inner = 3584, eps = 1.0e-5, tied = true, attention_bias = false, rope_theta = 10000.0, rope_alpha = 1.0,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    rope_mscale = 0.0, rope_mscale_all = 0.0,
    config = {
      model_type = ["hunyuan_v1_dense"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_alpha = {keys = ["rope_parameters.alpha", "rope_scaling.alpha"], above = 0.0},
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
        hidden_act = "silu", mlp_bias = false, norm_type = "rms", use_qk_norm = true, use_cla = false,
        use_rotary_pos_emb = true,
        "rope_parameters.truncate" = true, "rope_scaling.truncate" = true},
      ignored = [
        "attention_head_dim", "cla_share_factor", "eod_token_id", "im_end_id", "im_newline_id", "im_start_id",
        "image_token_id", "mask_init_id", "org_vocab_size", "pool_type", "pretraining_tp", "text_end_id",
        "text_start_id", "add_classification_head", "class_num", "dense_list", "enable_lm_head_fp32"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %t = gpt.rotary %qkv at %pos theta(rope_theta * pow(rope_alpha, head_dim / (head_dim - 2)))
          scaling(rope_type) factor(rope_factor) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(
              select(rope_amplitude, rope_amplitude, select(rope_mscale * rope_mscale_all * int(rope_factor),
                  (0.1 * rope_mscale * log(rope_factor) + 1) / (0.1 * rope_mscale_all * log(rope_factor) + 1), 0)))
          : !rows, !ints -> !rows
      %h = gpt.head_norm %t weights("layers.{l}.self_attn.query_layernorm", "layers.{l}.self_attn.key_layernorm")
          : !rows -> !rows
      %a = gpt.attention %h at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
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
