// CodeGen of any size: GPT-J with one matrix of queries, values and keys, in four groups of heads. The sizes below are those
// of CodeGen 350M (356,712,448 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @codegen {layers = 20, heads = 16, width = 1024, context = 2048, vocab = 51200, eps = 1.0e-5,
    activation = "gelu_tanh", rotary = 32,
    config = {
      model_type = ["codegen"],
      settings = {
        layers = "n_layer", heads = "n_head", width = "n_embd", inner = "n_inner", context = "n_positions",
        vocab = "vocab_size", eps = "layer_norm_epsilon", rotary = "rotary_dim",
        activation = {
          keys = ["activation_function"],
          values = {
            gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_fast = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh"}}},
      required = {tie_word_embeddings = false, scale_attn_weights = true},
      defaults = {bos_token_id = 50256, eos_token_id = 50256},
      ignored = ["n_ctx", "rotary"]},
    weights = {
      strip = ["transformer."],
      split = {"h.{l}.attn.qkv_proj" = [4, "q_proj", "v_proj", "k_proj"]},
      interleaved = {
        "h.{l}.attn.q_proj" = ["heads", "rotary / 2", 2, 1, "head_dim - rotary"],
        "h.{l}.attn.k_proj" = ["heads", "rotary / 2", 2, 1, "head_dim - rotary"]},
      ignored = ["h.{l}.attn.bias", "h.{l}.attn.masked_bias", "h.{l}.attn.embed_positions", "h.{l}.attn.causal_mask"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("wte") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.attn.q_proj", "h.{l}.attn.k_proj", "h.{l}.attn.v_proj")
          to 3 * width bias(0) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(10000.0) features(rotary) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("h.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.out_proj") to width bias(0) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      %f = gpt.linear %n1 weights("h.{l}.mlp.fc_in") to inner : !rows -> !rows
      %g = gpt.gelu %f : !rows -> !rows
      %m = gpt.linear %g weights("h.{l}.mlp.fc_out") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.linear %n weights("lm_head") to vocab : !rows -> !rows
    return %logits : !rows
  }
}
