// GPT-BigCode (SantaCoder, StarCoder) of any size: GPT-2 whose heads share one key and one value. The sizes below are
// those of tiny_starcoder_py (164,144,128 parameters with a tied head).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @"gpt-bigcode" {layers = 20, heads = 12, kv_heads = 1, width = 768, context = 8192, vocab = 49152,
    activation = "gelu_tanh", tied = true,
    config = {
      model_type = ["gpt_bigcode"],
      settings = {
        layers = "n_layer", heads = "n_head", width = "n_embd", vocab = "vocab_size", inner = "n_inner",
        context = "n_positions", eps = "layer_norm_epsilon", tied = "tie_word_embeddings",
        activation = {
          keys = ["activation_function"],
          values = {
            gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_fast = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh"}}},
      required = {add_cross_attention = false, multi_query = true, scale_attn_weights = true},
      defaults = {bos_token_id = 50256, eos_token_id = 50256},
      ignored = [
        "attention_softmax_in_fp32", "scale_attention_softmax_in_fp32", "inference_runner", "validate_runner_input",
        "pre_allocate_kv_cache", "num_key_value_heads", "max_batch_size", "max_sequence_length", "pad_key_length",
        "n_ctx"]},
    weights = {
      strip = ["transformer."],
      tied = {lm_head = "wte"},
      ignored = ["h.{l}.attn.bias", "h.{l}.attn.masked_bias"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.attn.c_attn") to (heads + 2 * kv_heads) * head_dim : !rows -> !rows
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
