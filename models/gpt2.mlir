// GPT-2 of any size. The sizes below are the 124M model's (124,439,808 parameters with a tied head); presets are
// `like "gpt2"` with sizes of their own, `--gpt-configure` replaces single ones, and `tilegpt-run --weights DIR` takes
// them from the checkpoint's config.json, by the table below. minGPT writes the same tensors and other keys.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @gpt2 {layers = 12, heads = 12, width = 768, context = 1024, vocab = 50257,
    activation = "gelu_tanh", tied = true,
    config = {
      model_type = ["gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl", "gopher-44m", "gpt-mini", "gpt-micro", "gpt-nano"],
      section = "model",
      settings = {
        layers = "n_layer", heads = "n_head", width = "n_embd", vocab = "vocab_size", inner = "n_inner",
        context = ["n_positions", "n_ctx", "block_size"], eps = "layer_norm_epsilon", tied = "tie_word_embeddings",
        activation = {
          keys = ["activation_function"],
          values = {gelu_new = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh", gelu = "gelu_erf"}}},
      required = {
        add_cross_attention = false, scale_attn_by_inverse_layer_idx = false, scale_attn_weights = true},
      defaults = {bos_token_id = 50256, eos_token_id = 50256},
      ignored = ["n_ctx", "reorder_and_upcast_attn", "n_special", "predict_special_tokens", "output_past"]},
    weights = {
      strip = ["transformer."],
      tied = {lm_head = "wte"},
      transposed = ["h.{l}.attn.c_attn", "h.{l}.attn.c_proj", "h.{l}.mlp.c_fc", "h.{l}.mlp.c_proj"],
      witness = "h.0.attn.c_attn",
      ignored = ["h.{l}.attn.bias", "h.{l}.attn.masked_bias"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.attn.c_attn") to 3 * width : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("h.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.c_proj") to width : !rows -> !rows
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
