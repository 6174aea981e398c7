// Falcon 7B and its kind, of any size: attention and MLP side by side after one norm, heads that share one key and one
// value. The sizes below are Falcon-7B's (6,921,720,704 parameters with a tied head).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @falcon {layers = 32, heads = 71, kv_heads = 1, width = 4544, context = 2048, vocab = 65024,
    activation = "gelu_erf", tied = true, biases = false, rope_theta = 10000.0, rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["falcon", "RefinedWebModel"],
      settings = {
        layers = ["num_hidden_layers", "n_layer"], heads = ["num_attention_heads", "n_head"], width = "hidden_size",
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
      required = {
        alibi = false, multi_query = true, new_decoder_architecture = false, parallel_attn = true},
      defaults = {context = 2048, bos_token_id = 11, eos_token_id = 11},
      ignored = ["num_kv_heads", "num_ln_in_parallel_attn", "apply_residual_connection_post_layernorm"]},
    weights = {strip = ["transformer."], tied = {lm_head = "word_embeddings"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("word_embeddings") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.self_attention.query_key_value")
          to (heads + 2 * kv_heads) * head_dim bias(biases) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) scaling(rope_type) factor(rope_factor)
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("h.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.self_attention.dense") to width bias(biases) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      %f = gpt.linear %n1 weights("h.{l}.mlp.dense_h_to_4h") to inner bias(biases) : !rows -> !rows
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
