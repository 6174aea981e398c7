// MPT of any size: layer norms and linear layers without biases, and scores that decrease with the distance of the key
// (ALiBi). The sizes below are MPT-7B's (6,649,286,656 parameters with a tied head).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @mpt {layers = 32, heads = 32, width = 4096, context = 2048, vocab = 50432, eps = 1.0e-5, tied = true,
    alibi_bias_max = 8, clip_qkv = 0.0, softmax_scale = 0.0,
    config = {
      model_type = ["mpt"],
      settings = {
        layers = "n_layers", heads = "n_heads", width = "d_model", context = "max_seq_len", vocab = "vocab_size",
        eps = "layer_norm_epsilon", tied = "tie_word_embeddings", alibi_bias_max = "attn_config.alibi_bias_max",
        clip_qkv = "attn_config.clip_qkv", softmax_scale = "attn_config.softmax_scale"},
      required = {
        "attn_config.alibi" = true, "attn_config.attn_type" = "multihead_attention", "attn_config.prefix_lm" = false,
        "attn_config.qk_ln" = false, "attn_config.rope" = false, "attn_config.sliding_window_size" = -1,
        expansion_ratio = 4, no_bias = true,
        norm_type = ["low_precision_layernorm", "layernorm"]},
      defaults = {max_seq_len = 2048},
      ignored = [
        "attn_config.attn_impl", "attn_config.attn_pdrop", "attn_config.attn_uses_sequence_id", "attn_config.model_type",
        "emb_pdrop", "embedding_fraction", "init_config", "init_device", "learned_pos_emb", "resid_pdrop",
        "tokenizer_name", "verbose"]},
    weights = {strip = ["transformer."], tied = {lm_head = "wte"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("wte") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("blocks.{l}.norm_1") bias(0) : !rows -> !rows
      %u = gpt.linear %n1 weights("blocks.{l}.attn.Wqkv") to 3 * width bias(0) : !rows -> !rows
      %qkv = gpt.clamp %u within(clip_qkv) : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("blocks.{l}")
          scale(select(softmax_scale, softmax_scale, rsqrt(head_dim))) alibi(alibi_bias_max) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("blocks.{l}.attn.out_proj") to width bias(0) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("blocks.{l}.norm_2") bias(0) : !rows -> !rows
      %f = gpt.linear %n2 weights("blocks.{l}.ffn.up_proj") to inner bias(0) : !rows -> !rows
      %g = gpt.gelu %f approximate(none) : !rows -> !rows
      %m = gpt.linear %g weights("blocks.{l}.ffn.down_proj") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm_f") bias(0) : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
