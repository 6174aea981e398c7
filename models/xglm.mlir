// XGLM of any size: GPT-2 with scaled embeddings and sinusoids of positions, the first of which is 2. The sizes below are the
// 564M model's (564,463,616 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @xglm {layers = 24, heads = 16, width = 1024, context = 2048, vocab = 256008, inner = 4096, eps = 1.0e-5,
    tied = true, scaled = true, activation = "gelu_erf",
    config = {
      model_type = ["xglm"],
      settings = {
        layers = ["num_layers", "num_hidden_layers"], heads = ["attention_heads", "num_attention_heads"],
        width = ["d_model", "hidden_size"], inner = "ffn_dim", context = "max_position_embeddings", vocab = "vocab_size",
        tied = "tie_word_embeddings", scaled = "scale_embedding",
        activation = {
          keys = ["activation_function"],
          values = {gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh", gelu_fast = "gelu_tanh"}}},
      ignored = ["layerdrop", "init_std"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"}, ignored = ["embed_positions.weights"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %w = gpt.embed %ids at %pos weights("embed_tokens") scale(select(scaled, sqrt(width), 1)) : !ints, !ints -> !rows
    %e = gpt.sinusoids %w at %pos theta(10000.0) steps(width / 2 - 1) first(2) : !rows, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.self_attn_layer_norm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to 3 * width : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.out_proj") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.final_layer_norm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.fc1") to inner : !rows -> !rows
      %g = gpt.gelu %f approximate(none) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.fc2") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("layer_norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
