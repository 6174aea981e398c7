// Falcon 40B and 180B and Falcon 2, of any size: attention and MLP side by side, each after its norm or both after one,
// and groups of heads that share a key and a value. The sizes below are Falcon 40B's (41,303,293,952 parameters with a
// tied head).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @falcon_grouped {layers = 60, heads = 128, kv_heads = 8, width = 8192, context = 2048, vocab = 65024,
    activation = "gelu_erf", tied = true, biases = false, norms = 2, rope_theta = 10000.0, rope_type = "none",
    rope_factor = 1.0,
    config = {
      model_type = ["falcon", "RefinedWeb"],
      settings = {
        layers = ["num_hidden_layers", "n_layer"], heads = ["num_attention_heads", "n_head"],
        kv_heads = ["num_kv_heads", "n_head_kv"], norms = "num_ln_in_parallel_attn", width = "hidden_size",
        inner = "ffn_hidden_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "layer_norm_epsilon", tied = "tie_word_embeddings", biases = "bias",
        activation = {
          keys = ["activation"],
          values = {
            gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_fast = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh"}},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {alibi = false, new_decoder_architecture = true},
      defaults = {context = 2048, bos_token_id = 11, eos_token_id = 11},
      ignored = ["multi_query", "parallel_attn", "apply_residual_connection_post_layernorm"]},
    weights = {strip = ["transformer."], tied = {lm_head = "word_embeddings"},
      interleaved = {
        "h.{l}.self_attention.query_key_value" = ["kv_heads", ["heads / kv_heads", 1, 1], "head_dim"]}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("word_embeddings") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x))
      %na = gpt.layer_norm %x weights("h.{l}.ln_attn") : !rows -> !rows
      %nm = gpt.layer_norm %x weights("h.{l}.ln_mlp") : !rows -> !rows
      %nb = gpt.layer_norm %x weights("h.{l}.input_layernorm") : !rows -> !rows
      %n1 = gpt.select(norms - 1) %na, %nb : !rows
      %n2 = gpt.select(norms - 1) %nm, %nb : !rows
      %qkv = gpt.linear %n1 weights("h.{l}.self_attention.query_key_value")
          to (heads + 2 * kv_heads) * head_dim bias(biases) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) scaling(rope_type) factor(rope_factor)
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("h.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.self_attention.dense") to width bias(biases) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      %f = gpt.linear %n2 weights("h.{l}.mlp.dense_h_to_4h") to inner bias(biases) : !rows -> !rows
      %g = gpt.gelu %f approximate(none) : !rows -> !rows
      %m = gpt.linear %g weights("h.{l}.mlp.dense_4h_to_h") to width bias(biases) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
