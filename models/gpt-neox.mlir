// GPT-NeoX and Pythia of any size: attention and MLP side by side, or one after the other where
// `use_parallel_residual` is false, and rotation of a part of each head. The sizes below are Pythia-160M's
// (162,322,944 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @"gpt-neox" {layers = 12, heads = 12, width = 768, context = 2048, vocab = 50304, inner = 3072, eps = 1.0e-5,
    activation = "gelu_erf", tied = false, attention_bias = true, rope_theta = 10000.0, rope_fraction = 0.25,
    parallel = true, rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["gpt_neox"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", width = "hidden_size", inner = "intermediate_size",
        context = "max_position_embeddings", vocab = "vocab_size", eps = "layer_norm_eps", tied = "tie_word_embeddings",
        attention_bias = "attention_bias", parallel = "use_parallel_residual",
        activation = {
          keys = ["hidden_act"],
          values = {gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_fast = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh"}},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta", "rotary_emb_base"], above = 1.0},
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor", "rotary_pct"],
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}}},
    weights = {
      strip = ["gpt_neox."], tied = {embed_out = "embed_in"},
      interleaved = {"layers.{l}.attention.query_key_value" = ["heads", 3, "head_dim"]},
      ignored = [
        "layers.{l}.attention.bias", "layers.{l}.attention.masked_bias", "layers.{l}.attention.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_in") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("layers.{l}.attention.query_key_value") to 3 * width bias(attention_bias)
          : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(int(rope_fraction * head_dim)) scaling(rope_type)
          factor(rope_factor) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.attention.dense") to width bias(attention_bias) : !rows -> !rows

      %x1 = arith.addf %x, %p : !rows

      // mlp(layer_norm(x)), or of the sum; and x + both
      %s = gpt.select(parallel) %x, %x1 : !rows
      %n2 = gpt.layer_norm %s weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.dense_h_to_4h") to inner : !rows -> !rows
      %g = gpt.gelu %f approximate(none) : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.dense_4h_to_h") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("final_layer_norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("embed_out") : !rows -> !rows
    return %logits : !rows
  }
}
