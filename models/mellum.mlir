// Mellum 2 of any size: Qwen3 with experts, windows and feed-forward blocks in layers that config.json lists, and a base of the
// rotation of its own in layers with a window. The sizes below are Hugging Face's MellumConfig's.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token
!ids = tensor<?x?xi32>    // experts: a few for each token

gpt.model @mellum {layers = 28, heads = 32, kv_heads = 4, head_dim = 128, width = 2304, context = 131072,
    vocab = 98304, inner = 7168, dense = [0], eps = 1.0e-6, tied = false, attention_bias = false,
    rope_theta = 500000.0, rope_local_theta = 10000.0, window = 1024, sliding = [0],
    experts = 64, experts_per_token = 8, expert_inner = 896, normalize_shares = true,
    rope_type = "none", rope_factor = 1.0, rope_low = 1.0, rope_high = 32.0, rope_original = 0, rope_amplitude = 0.0,
    config = {
      model_type = ["mellum"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        dense = {keys = ["mlp_layer_types"], values = {dense = 1, sparse = 0}},
        sliding = {keys = ["layer_types"], values = {sliding_attention = 1, full_attention = 0}},
        experts = ["num_local_experts", "num_experts"], experts_per_token = "num_experts_per_tok",
        expert_inner = "moe_intermediate_size", normalize_shares = "norm_topk_prob",
        eps = "rms_norm_eps", tied = "tie_word_embeddings",
        head_dim = "head_dim", attention_bias = "attention_bias",
        window = {keys = ["sliding_window"], null = 0},
        rope_theta = {keys = ["rope_parameters.full_attention.rope_theta"], above = 1.0},
        rope_local_theta = {keys = ["rope_parameters.sliding_attention.rope_theta"], above = 1.0},
        rope_type = {
          keys = ["rope_parameters.full_attention.rope_type"],
          values = {default = "none", linear = "linear", yarn = "yarn"},
          needs = {linear = ["rope_factor"], yarn = ["rope_factor"]}},
        rope_factor = {keys = ["rope_parameters.full_attention.factor"], above = 0.0},
        rope_low = "rope_parameters.full_attention.beta_slow",
        rope_high = "rope_parameters.full_attention.beta_fast",
        rope_original = "rope_parameters.full_attention.original_max_position_embeddings",
        rope_amplitude = "rope_parameters.full_attention.attention_factor"},
      required = {
        hidden_act = "silu", "rope_parameters.sliding_attention.rope_type" = "default",
        "rope_parameters.full_attention.truncate" = true},
      ignored = [
        "output_router_logits", "router_aux_loss_coef", "num_nextn_predict_layers", "mtp_layer_types",
        "mtp_mlp_layer_types"]},
    weights = {
      strip = ["model."], tied = {lm_head = "embed_tokens"},
      ignored = ["layers.{l}.self_attn.rotary_emb.inv_freq", "mtp."]}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %t) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x weights("layers.{l}.input_layernorm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %h = gpt.head_norm %qkv weights("layers.{l}.self_attn.q_norm", "layers.{l}.self_attn.k_norm")
          : !rows -> !rows
      %r = gpt.rotary %h at %pos theta(select(sliding, rope_local_theta, rope_theta)) scaling(rope_type)
          factor(select(sliding, 1.0, rope_factor)) low(rope_low) high(rope_high)
          original(select(rope_original, rope_original, context)) amplitude(select(sliding, 1.0, rope_amplitude))
          : !rows, !ints -> !rows
      %a = gpt.attention %r at %pos cache("layers.{l}") window(sliding * window) : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + experts(rms_norm(x)), or x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 weights("layers.{l}.post_attention_layernorm") : !rows -> !rows
      %z = gpt.linear %n2 weights("layers.{l}.mlp.gate") to experts bias(0) : !rows -> !rows
      %e, %s = gpt.route %z top(experts_per_token) normalize(normalize_shares) : !rows -> !ids, !rows
      %m = gpt.experts %n2 by %e, %s weights(
          "layers.{l}.mlp.experts.{e}.gate_proj", "layers.{l}.mlp.experts.{e}.up_proj",
          "layers.{l}.mlp.experts.{e}.down_proj")
          experts(experts) inner(expert_inner) activation(silu) : !rows, !ids, !rows -> !rows
      %df = gpt.linear %n2 weights("layers.{l}.mlp.gate_proj", "layers.{l}.mlp.up_proj")
          to 2 * inner bias(0) : !rows -> !rows
      %dg = gpt.glu %df activation(silu) : !rows -> !rows
      %dd = gpt.linear %dg weights("layers.{l}.mlp.down_proj") to width bias(0) : !rows -> !rows
      %b = gpt.select(dense) %dd, %m : !rows
      %x2 = arith.addf %x1, %b : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y weights("norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
