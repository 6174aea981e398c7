// The demo model with a kernel launched by hand: the feed-forward block of every layer is one launch of the library's
// fused @mlp, whose hidden layer never reaches memory. Everything else is as in models/gpt2.mlir.
//   tilegpt-run examples/fused-mlp.mlir --weights models/shakespeare -p "ROMEO:"

!ints = tensor<?xi32>
!rows = tensor<?x256xf32>

gpt.model @fused_mlp {layers = 6, heads = 4, width = 256, context = 512, vocab = 2048,
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
      ignored = ["n_ctx", "reorder_and_upcast_attn"]},
    weights = {
      strip = ["transformer."],
      tied = {lm_head = "wte"},
      transposed = ["h.{l}.attn.c_attn", "h.{l}.attn.c_proj", "h.{l}.mlp.c_fc", "h.{l}.mlp.c_proj"],
      witness = "h.0.attn.c_attn",
      ignored = ["h.{l}.attn.bias", "h.{l}.attn.masked_bias"]}} {
  tile.global @"h.{l}.mlp.c_fc.weight" weight : tensor<1024x256xf32>
  tile.global @"h.{l}.mlp.c_fc.bias" weight : tensor<1024xf32>
  tile.global @"h.{l}.mlp.c_proj.weight" weight : tensor<256x1024xf32>
  tile.global @"h.{l}.mlp.c_proj.bias" weight : tensor<256xf32>

  func.func @forward(%ids: !ints, %pos: !ints) -> tensor<?x2048xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %ids, %c0 : !ints
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.attn.c_attn") to 3 * width : !rows -> tensor<?x768xf32>
      %a = gpt.attention %qkv at %pos cache("h.{l}") : tensor<?x768xf32>, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.c_proj") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      %n2 = gpt.layer_norm %x1 weights("h.{l}.ln_2") : !rows -> !rows
      %w1 = tile.get_global @"h.{l}.mlp.c_fc.weight" : tensor<1024x256xf32>
      %b1 = tile.get_global @"h.{l}.mlp.c_fc.bias" : tensor<1024xf32>
      %w2 = tile.get_global @"h.{l}.mlp.c_proj.weight" : tensor<256x1024xf32>
      %b2 = tile.get_global @"h.{l}.mlp.c_proj.bias" : tensor<256xf32>
      %d = tensor.empty(%n) : !rows
      %x2 = tile.launch @mlp ins(%n2, %w1, %b1, %w2, %b2, %x1) outs(%d)
          : (!rows, tensor<1024x256xf32>, tensor<1024xf32>, tensor<256x1024xf32>, tensor<256xf32>, !rows, !rows) -> !rows
      gpt.yield %x2 : !rows
    }

    %z = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.unembed %z weights("wte") : !rows -> tensor<?x2048xf32>
    return %logits : tensor<?x2048xf32>
  }
}
