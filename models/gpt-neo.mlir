// GPT-Neo of any size: GPT-2 with unscaled scores, a window in every other layer, and no biases of queries, keys and
// values. The sizes below are GPT-Neo 125M's (125,198,592 parameters with a tied head).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @"gpt-neo" {layers = 12, heads = 12, width = 768, context = 2048, vocab = 50257,
    activation = "gelu_tanh", tied = true, window = 256, local = [0, 1],
    config = {
      model_type = ["gpt_neo"],
      settings = {
        layers = "num_layers", heads = "num_heads", width = "hidden_size", inner = "intermediate_size",
        context = "max_position_embeddings", vocab = "vocab_size", eps = "layer_norm_epsilon",
        tied = "tie_word_embeddings", window = "window_size",
        local = {keys = ["attention_layers", "attention_types"], values = {global = 0, local = 1}},
        activation = {
          keys = ["activation_function"],
          values = {gelu_new = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh", gelu = "gelu_erf"}}},
      defaults = {bos_token_id = 50256, eos_token_id = 50256},
      ignored = ["attention_types", "gradient_checkpointing"]},
    weights = {
      strip = ["transformer."],
      tied = {lm_head = "wte"},
      ignored = ["h.{l}.attn.attention.bias", "h.{l}.attn.attention.masked_bias"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "h.{l}.attn.attention.q_proj", "h.{l}.attn.attention.k_proj", "h.{l}.attn.attention.v_proj")
          to 3 * width bias(0) : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("h.{l}") window(local * window) scale(1.0) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.attention.out_proj") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("h.{l}.ln_2") : !rows -> !rows
      %f = gpt.linear %n2 weights("h.{l}.mlp.c_fc") to inner : !rows -> !rows
      %g = gpt.gelu %f : !rows -> !rows
      %m = gpt.linear %g weights("h.{l}.mlp.c_proj") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
