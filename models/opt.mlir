// OPT of any size: GPT-2 with ReLU, or GELU in Galactica, and a table of positions whose first two rows are unused. The sizes
// below are OPT 125M's (125,237,760 parameters without those rows).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @opt {layers = 12, heads = 12, width = 768, context = 2048, vocab = 50272, inner = 3072, eps = 1.0e-5,
    tied = true, biases = true, relu = true,
    config = {
      model_type = ["opt"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", width = "hidden_size", inner = "ffn_dim",
        context = "max_position_embeddings", vocab = "vocab_size", tied = "tie_word_embeddings", biases = "enable_bias",
        relu = {keys = ["activation_function"], values = {relu = true, gelu = false}}},
      required = {
        do_layer_norm_before = true, "_remove_final_layer_norm" = false, layer_norm_elementwise_affine = true,
        scale_embeddings = false, learned_embeddings = true},
      ignored = ["word_embed_proj_dim", "layerdrop", "init_std"]},
    weights = {
      strip = ["model.decoder.", "decoder."],
      tied = {lm_head = "embed_tokens"},
      skipped = {embed_positions = 2}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("embed_tokens", "embed_positions") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.self_attn_layer_norm") : !rows -> !rows
      %qkv = gpt.linear %n1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to 3 * width bias(biases) : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.out_proj") to width bias(biases) : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.final_layer_norm") : !rows -> !rows
      %f = gpt.linear %n2 weights("layers.{l}.fc1") to inner bias(biases) : !rows -> !rows
      %r = gpt.relu %f : !rows -> !rows
      %g = gpt.gelu %f approximate(none) : !rows -> !rows
      %u = gpt.select(relu) %r, %g : !rows
      %m = gpt.linear %u weights("layers.{l}.fc2") to width bias(biases) : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("final_layer_norm") : !rows -> !rows
    %logits = gpt.unembed %n weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
