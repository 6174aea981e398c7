// Nemotron and Minitron of any size: layer norms whose weights are stored minus one, squared ReLU instead of gates, and
// rotation of a part of each head. The sizes below are those of Hugging Face's NemotronConfig (17,642,041,344 parameters).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @nemotron {layers = 32, heads = 48, head_dim = 128, width = 6144, context = 4096, vocab = 256000, inner = 24576,
    eps = 1.0e-5, tied = false, attention_bias = false, mlp_bias = false, rope_theta = 10000.0, rope_fraction = 0.5,
    rope_type = "none", rope_factor = 1.0,
    config = {
      model_type = ["nemotron"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "norm_eps", tied = "tie_word_embeddings", head_dim = "head_dim",
        attention_bias = "attention_bias", mlp_bias = "mlp_bias",
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0},
        rope_fraction = ["rope_parameters.partial_rotary_factor", "partial_rotary_factor", "rope_percent"],
        rope_type = {
          keys = ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
          values = {default = "none", dynamic = "none", linear = "linear"}, needs = {linear = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.factor", "rope_scaling.factor"], above = 0.0}},
      required = {hidden_act = "relu2"}},
    weights = {strip = ["model."], tied = {lm_head = "embed_tokens"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.input_layernorm") offset(1) : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) features(int(rope_fraction * head_dim)) scaling(rope_type)
          factor(rope_factor) : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.post_attention_layernorm") offset(1) : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.up_proj") to inner bias(mlp_bias) : !rows -> !rows
      %g = gpt.relu %f squared : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.down_proj") to width bias(mlp_bias) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("norm") offset(1) : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
