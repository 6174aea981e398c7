// The first GPT, of any size: norms after the blocks only, and none in front of the logits. The sizes below are its own
// (116,534,784 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @openai_gpt {layers = 12, heads = 12, width = 768, context = 512, vocab = 40478, tied = true, activation = "gelu_tanh",
    config = {
      model_type = ["openai-gpt"],
      settings = {
        layers = "n_layer", heads = "n_head", width = "n_embd", vocab = "vocab_size", context = ["n_positions", "n_ctx"],
        eps = "layer_norm_epsilon", tied = "tie_word_embeddings",
        activation = {keys = ["afn"], values = {gelu = "gelu_tanh"}}},
      ignored = ["n_ctx", "n_special", "predict_special_tokens"]},
    weights = {
      strip = ["transformer."], tied = {lm_head = "tokens_embed"},
      transposed = ["h.{l}.attn.c_attn", "h.{l}.attn.c_proj", "h.{l}.mlp.c_fc", "h.{l}.mlp.c_proj"],
      witness = "h.0.attn.c_attn", ignored = ["h.{l}.attn.bias", "position_ids"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("tokens_embed", "positions_embed") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // layer_norm(x + attention(x))
      %qkv = gpt.linear %x weights("h.{l}.attn.c_attn") to 3 * width : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("h.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.c_proj") to width : !rows -> !rows
      %s1 = arith.addf %x, %p : !rows
      %x1 = gpt.layer_norm %s1 weights("h.{l}.ln_1") : !rows -> !rows

      // layer_norm(x + mlp(x))
      %f = gpt.linear %x1 weights("h.{l}.mlp.c_fc") to inner : !rows -> !rows
      %g = gpt.gelu %f approximate(tanh) : !rows -> !rows
      %m = gpt.linear %g weights("h.{l}.mlp.c_proj") to width : !rows -> !rows
      %s2 = arith.addf %x1, %m : !rows
      %x2 = gpt.layer_norm %s2 weights("h.{l}.ln_2") : !rows -> !rows
      gpt.yield %x2 : !rows
    }

    %logits = gpt.unembed %y weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
