// BLOOM and BLOOMZ of any size: GPT-2 whose scores decrease with the distance of the key (ALiBi) instead of a table of
// positions, and a norm of the embedding. The sizes below are BLOOM-560M's (559,214,592 parameters with a tied head).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @bloom {layers = 24, heads = 16, width = 1024, context = 2048, vocab = 250880, eps = 1.0e-5, tied = true,
    post_norm = false,
    config = {
      model_type = ["bloom"],
      settings = {
        layers = ["n_layer", "num_hidden_layers"], heads = ["n_head", "num_attention_heads"],
        width = ["hidden_size", "n_embed"], context = "seq_length", vocab = "vocab_size",
        eps = "layer_norm_epsilon", tied = "tie_word_embeddings",
        post_norm = "apply_residual_connection_post_layernorm"},
      defaults = {seq_length = 2048, bos_token_id = 1, eos_token_id = 2},
      ignored = [
        "attention_softmax_in_fp32", "bias_dropout_fusion", "masked_softmax_fusion", "n_inner", "offset_alibi",
        "pretraining_tp", "skip_bias_add", "skip_bias_add_qkv", "slow_but_exact"]},
    weights = {
      strip = ["transformer."], tied = {lm_head = "word_embeddings"},
      interleaved = {"h.{l}.self_attention.query_key_value" = ["heads", 3, "head_dim"]}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("word_embeddings") : !ints, !ints -> !rows
    %e = gpt.layer_norm %t weights("word_embeddings_layernorm") : !rows -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)); with post_norm, layer_norm(x) + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.self_attention.query_key_value") to 3 * width : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("h.{l}") alibi(8.0) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.self_attention.dense") to width : !rows -> !rows
      %s1 = gpt.select(post_norm) %n1, %x : !rows
      %x1 = arith.addf %s1, %p : !rows

      // x + mlp(layer_norm(x)), likewise
      %n2 = gpt.layer_norm %x1 weights("h.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("h.{l}.mlp.dense_h_to_4h") to inner : !rows -> !rows
      %g = gpt.gelu %f : !rows -> !rows
      %m = gpt.linear %g weights("h.{l}.mlp.dense_4h_to_h") to width : !rows -> !rows
      %s2 = gpt.select(post_norm) %n2, %x1 : !rows
      %x2 = arith.addf %s2, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
