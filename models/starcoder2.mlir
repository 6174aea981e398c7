// StarCoder2 of any size: layer norms, biases and GELU, heads that share keys, a window. The sizes below are the 3B model's
// (3,030,371,328 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @starcoder2 {layers = 30, heads = 24, kv_heads = 2, width = 3072, context = 16384, vocab = 49152,
    inner = 12288, eps = 1.0e-5, activation = "gelu_tanh", tied = true, biases = true, window = 0, rope_theta = 10000.0,
    rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["starcoder2"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        head_dim = "head_dim",
        eps = "norm_epsilon", tied = "tie_word_embeddings", biases = "use_bias",
        window = {keys = ["sliding_window"], null = 0},
        activation = {
          keys = ["hidden_act"],
          values = {gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_fast = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh"}},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {
        mlp_type = "default", norm_type = "layer_norm", scale_attn_weights = true},
      ignored = [
        "activation_function", "layer_norm_epsilon", "attention_softmax_in_fp32", "scale_attention_softmax_in_fp32"]},
    weights = {strip = ["model."], tied = {lm_head = "embed_tokens"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(biases) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) scaling(rope_type) factor(rope_factor)
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(biases) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.c_fc") to inner bias(biases) : !rows -> !rows
      %g = gpt.gelu %f : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.c_proj") to width bias(biases) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
