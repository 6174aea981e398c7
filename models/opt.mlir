// OPT of any size: GPT-2 with ReLU, or GELU in Galactica, and a table of positions whose first two rows are unused. In OPT 350M
// norms follow the blocks, none is in front of the logits, and embeddings are narrower than the layers. The sizes below are
// OPT 125M's (125,237,760 parameters without those rows).

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @opt {layers = 12, heads = 12, width = 768, context = 2048, vocab = 50272, inner = 3072, eps = 1.0e-5,
    embedding = 0, tied = true, biases = true, relu = true, norms_first = true, last_norm_removed = false,
    config = {
      model_type = ["opt"],
      settings = {
        layers = "num_hidden_layers", heads = "num_attention_heads", width = "hidden_size", inner = "ffn_dim",
        context = "max_position_embeddings", vocab = "vocab_size", tied = "tie_word_embeddings", biases = "enable_bias",
        embedding = "word_embed_proj_dim", norms_first = "do_layer_norm_before",
        last_norm_removed = "_remove_final_layer_norm",
        relu = {keys = ["activation_function"], values = {relu = true, gelu = false}}},
      required = {
        layer_norm_elementwise_affine = true, scale_embeddings = false, learned_embeddings = true},
      ignored = ["layerdrop", "init_std"]},
    weights = {
      strip = ["model.decoder.", "decoder."],
      tied = {lm_head = "embed_tokens"},
      skipped = {embed_positions = 2}}} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %words = gpt.embed %ids at %pos weights("embed_tokens") to select(embedding, embedding, width) : !ints, !ints -> !rows
    %wide = gpt.linear %words weights("project_in") to width bias(0) : !rows -> !rows
    %placed = gpt.positions %wide at %pos weights("embed_positions") : !rows, !ints -> !rows
    %plain = gpt.embed %ids at %pos weights("embed_tokens", "embed_positions") : !ints, !ints -> !rows
    %e = gpt.select(embedding * (width - embedding)) %placed, %plain : !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x)), or layer_norm(x + attention(x))
      %n1 = gpt.layer_norm %x weights("layers.{l}.self_attn_layer_norm") : !rows -> !rows
      %b1 = gpt.select(norms_first) %n1, %x : !rows
      %qkv = gpt.linear %b1 weights(
          "layers.{l}.self_attn.q_proj", "layers.{l}.self_attn.k_proj", "layers.{l}.self_attn.v_proj")
          to 3 * width bias(biases) : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("layers.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("layers.{l}.self_attn.out_proj") to width bias(biases) : !rows -> !rows
      %s1 = arith.addf %x, %p : !rows
      %a1 = gpt.layer_norm %s1 weights("layers.{l}.self_attn_layer_norm") : !rows -> !rows
      %x1 = gpt.select(norms_first) %s1, %a1 : !rows

      // x + mlp(layer_norm(x)), or layer_norm(x + mlp(x))
      %n2 = gpt.layer_norm %x1 weights("layers.{l}.final_layer_norm") : !rows -> !rows
      %b2 = gpt.select(norms_first) %n2, %x1 : !rows
      %f = gpt.linear %b2 weights("layers.{l}.fc1") to inner bias(biases) : !rows -> !rows
      %r = gpt.relu %f : !rows -> !rows
      %g = gpt.gelu %f approximate(none) : !rows -> !rows
      %u = gpt.select(relu) %r, %g : !rows
      %m = gpt.linear %u weights("layers.{l}.fc2") to width bias(biases) : !rows -> !rows
      %s2 = arith.addf %x1, %m : !rows
      %a2 = gpt.layer_norm %s2 weights("layers.{l}.final_layer_norm") : !rows -> !rows
      %x2 = gpt.select(norms_first) %s2, %a2 : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("final_layer_norm") : !rows -> !rows
    %h = gpt.select(norms_first * (1 - last_norm_removed)) %n, %y : !rows
    %o = gpt.linear %h weights("project_out") to select(embedding, embedding, width) bias(0) : !rows -> !rows
    %t = gpt.select(embedding * (width - embedding)) %o, %h : !rows
    %logits = gpt.unembed %t weights("lm_head") : !rows -> !rows
    return %logits : !rows
  }
}
