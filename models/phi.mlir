// Phi-1, 1.5 and 2 of any size: attention and MLP side by side behind one norm, biases everywhere, also of the logits,
// rotation of a part of each head, and optionally norms of each head of queries and of keys. The
// sizes below are Phi-2's (2,779,683,840 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @phi {layers = 32, heads = 32, width = 2560, context = 2048, vocab = 51200, inner = 10240, eps = 1.0e-5,
    activation = "gelu_tanh", qk_norm = false, rope_theta = 10000.0, rope_fraction = 0.5,
    rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["phi"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        head_dim = "head_dim",
        eps = "layer_norm_eps", qk_norm = "qk_layernorm",
        activation = {
          keys = ["hidden_act"],
          values = {gelu = "gelu_erf", gelu_new = "gelu_tanh", gelu_fast = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh"}},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor"],
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {tie_word_embeddings = false}},
    weights = {
      strip = ["model."],
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq"]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)) + mlp(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim : !rows -> !rows
      %h = gpt.head_layer_norm %qkv weights("layers.{l}.self_attn.q_layernorm", "layers.{l}.self_attn.k_layernorm")
          : !rows -> !rows
      %s = gpt.select(qk_norm) %h, %qkv : !rows
      %r = gpt.rotary %s at %pos theta(rope_theta) features(int(rope_fraction * head_dim)) scaling(rope_type)
          factor(rope_factor) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.dense") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows
      %f = gpt.linear %n1 weights("layers.{l}.mlp.fc1") to inner : !rows -> !rows
      %g = gpt.gelu %f : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.fc2") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("final_layernorm") : !rows -> !rows
    %logits = gpt.linear %n weights("lm_head") to vocab : !rows -> !rows
    return %logits : !rows
  }
}
