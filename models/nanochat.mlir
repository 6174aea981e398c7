// NanoChat of any size: norms without weights, also of the embedding and of the heads of queries and keys after their
// rotation, which turns backwards, squared ReLU, no gates, and logits with a soft limit. The sizes below are those of Hugging
// Face's NanoChatConfig.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @nanochat {layers = 12, heads = 6, width = 768, context = 2048, vocab = 50304, inner = 8192, eps = 1.0e-6,
    tied = false, attention_bias = false, logit_cap = 15.0, rope_theta = 10000.0,
    config = {
      model_type = ["nanochat"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", kv_heads = "num_key_value_heads",
        width = "hidden_size", inner = "intermediate_size", context = "max_position_embeddings", vocab = "vocab_size",
        eps = "rms_norm_eps", tied = "tie_word_embeddings", head_dim = "head_dim", attention_bias = "attention_bias",
        logit_cap = {keys = ["final_logit_softcapping", "logits_soft_cap"], null = 0.0},
        rope_theta = {keys = ["rope_parameters.rope_theta", "rope_theta"], above = 1.0}},
      required = {
        hidden_act = "relu2", "rope_parameters.rope_type" = "default", "rope_scaling.rope_type" = "default",
        "rope_scaling.type" = "default"}},
    weights = {strip = ["model."], tied = {lm_head = "embed_tokens"}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %t = gpt.embed %ids at %pos weights("embed_tokens") : !ints, !ints -> !rows
    %e = gpt.rms_norm %t : !rows -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(rms_norm(x))
      %n1 = gpt.rms_norm %x : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to (heads + 2 * kv_heads) * head_dim bias(attention_bias) : !rows -> !rows
      %r = gpt.rotary %qkv at %pos theta(rope_theta) scaling("linear") factor(-1.0) : !rows, !ints -> !rows
      %h = gpt.head_norm %r : !rows -> !rows
      %a = gpt.attention %h at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.o_proj") to width bias(attention_bias) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(rms_norm(x))
      %n2 = gpt.rms_norm %x1 : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.mlp.fc1") to inner bias(0) : !rows -> !rows
      %g = gpt.relu %f squared : !rows -> !rows
      %m = gpt.linear %g weights("layers.{l}.mlp.fc2") to width bias(0) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.rms_norm %y : !rows -> !rows
    %z = gpt.unembed %n weights("lm_head") : !rows -> !rows
    %logits = gpt.softcap %z cap(logit_cap) : !rows -> !rows
    return %logits : !rows
  }
}
