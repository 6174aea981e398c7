// The demo model with a kernel of its own launched by hand: the feed-forward block of every layer is one launch of @mlp,
// whose hidden layer never reaches memory. Everything else is as in models/gpt2.mlir.
//   tilegpt-run examples/fused-mlp.mlir --weights models/shakespeare -p "ROMEO:"

!ints = tensor<?xi32>
!rows = tensor<?x256xf32>
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
!F = !tile.view<?xf32>

gpt.model @fused_mlp {layers = 6, heads = 4, width = 256, context = 512, vocab = 2048,
    activation = "gelu_tanh", tied = true,
    config = {
      model_type = ["gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl", "gopher-44m", "gpt-mini", "gpt-micro", "gpt-nano"],
      section = "model",
      settings = {
        layers = "n_layer", heads = "n_head", width = "n_embd", vocab = "vocab_size", inner = "n_inner",
        context = ["n_positions", "n_ctx", "block_size"], eps = "layer_norm_epsilon", tied = "tie_word_embeddings",
        activation = {
          keys = ["activation_function"],
          values = {gelu_new = "gelu_tanh", gelu_pytorch_tanh = "gelu_tanh", gelu = "gelu_erf"}}},
      required = {
        add_cross_attention = false, scale_attn_by_inverse_layer_idx = false, scale_attn_weights = true},
      defaults = {bos_token_id = 50256, eos_token_id = 50256},
      ignored = ["n_ctx", "reorder_and_upcast_attn"]},
    weights = {
      strip = ["transformer."],
      tied = {lm_head = "wte"},
      transposed = ["h.{l}.attn.c_attn", "h.{l}.attn.c_proj", "h.{l}.mlp.c_fc", "h.{l}.mlp.c_proj"],
      witness = "h.0.attn.c_attn",
      ignored = ["h.{l}.attn.bias", "h.{l}.attn.masked_bias"]}} {
  tile.global @"h.{l}.mlp.c_fc.weight" weight : tensor<1024x256xf32>
  tile.global @"h.{l}.mlp.c_fc.bias" weight : tensor<1024xf32>
  tile.global @"h.{l}.mlp.c_proj.weight" weight : tensor<256x1024xf32>
  tile.global @"h.{l}.mlp.c_proj.bias" weight : tensor<256xf32>

  // Fused MLP: y = r + gelu(x·w1ᵀ + b1)·w2ᵀ + b2, gelu by tanh; the hidden layer never reaches memory.
  //   x [N, C], w1 [F, C], b1 [F], w2 [C, F], b2 [C], r [N, C] → y [N, C]; a block makes BM whole rows, BN hidden units
  //   at a time.
  // f32 inside: error ≤ (C + F)·2⁻²⁴ of Σ|·|. Moves 3·N·C + 2·F·C·⌈N/BM⌉ elements.
  tile.kernel @mlp(%x: !X, %w1: !W, %b1: !F, %w2: !W, %b2: !F, %res: !X) outs(%y: !X)
      params {BM = 32 in [1, 4, 16, 32, 64], BN = 64 in [16, 32, 64, 128], C = dim(%x, 1),
              X: type = f32 in [f32, bf16, f16], W: type = f32 in [f32, bf16, f16]}
      grid [ceildiv(dim(%y, 0), BM)] {
    %m = tile.block_id 0
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
    %none = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
    %init = tile.splat %zero [BM, C] : f32 -> tensor<?x?xf32>
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %cubic = arith.constant 0.044715 : f32
    %root = arith.constant 0.7978845608028654 : f32
    %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
    %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
    %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
    %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
    %steps = tile.num_tiles %w1, 0 by [BN] : !W
    %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
      %w1t = tile.load %w1[%j, %c0] [BN, C] : !W -> tensor<?x?x!tile.elt<W>>
      %b1t = tile.load %b1[%j] [BN] : !F -> tensor<?xf32>
      %d = tile.dot %xt, %w1t, %none transpose_b
          : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
      %b1s = tile.broadcast %b1t [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
      %h = arith.addf %d, %b1s : tensor<?x?xf32>
      %h2 = arith.mulf %h, %h : tensor<?x?xf32>
      %h3 = arith.mulf %h2, %h : tensor<?x?xf32>
      %p = arith.mulf %h3, %cubics : tensor<?x?xf32>
      %q = arith.addf %h, %p : tensor<?x?xf32>
      %u = arith.mulf %q, %roots : tensor<?x?xf32>
      %t = math.tanh %u : tensor<?x?xf32>
      %s = arith.addf %t, %ones : tensor<?x?xf32>
      %hh = arith.mulf %h, %halves : tensor<?x?xf32>
      %g = arith.mulf %hh, %s : tensor<?x?xf32>
      %w2t = tile.load %w2[%c0, %j] [C, BN] : !W -> tensor<?x?x!tile.elt<W>>
      %next = tile.dot %g, %w2t, %acc transpose_b
          : tensor<?x?xf32>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
      scf.yield %next : tensor<?x?xf32>
    }
    %b2t = tile.load %b2[%c0] [C] : !F -> tensor<?xf32>
    %b2s = tile.broadcast %b2t [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
    %rt = tile.load %res[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
    %rf = tile.cast %rt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %o = arith.addf %sum, %b2s : tensor<?x?xf32>
    %r = arith.addf %o, %rf : tensor<?x?xf32>
    %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
    tile.store %out, %y[%m, %c0] : tensor<?x?x!tile.elt<X>>, !X
  }

  func.func @forward(%ids: !ints, %pos: !ints) -> tensor<?x2048xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %ids, %c0 : !ints
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.attn.c_attn") to 3 * width : !rows -> tensor<?x768xf32>
      %a = gpt.attention %qkv at %pos cache("h.{l}") : tensor<?x768xf32>, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.c_proj") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      %n2 = gpt.layer_norm %x1 weights("h.{l}.ln_2") : !rows -> !rows
      %w1 = tile.get_global @"h.{l}.mlp.c_fc.weight" : tensor<1024x256xf32>
      %b1 = tile.get_global @"h.{l}.mlp.c_fc.bias" : tensor<1024xf32>
      %w2 = tile.get_global @"h.{l}.mlp.c_proj.weight" : tensor<256x1024xf32>
      %b2 = tile.get_global @"h.{l}.mlp.c_proj.bias" : tensor<256xf32>
      %d = tensor.empty(%n) : !rows
      %x2 = tile.launch @mlp ins(%n2, %w1, %b1, %w2, %b2, %x1) outs(%d)
          : (!rows, tensor<1024x256xf32>, tensor<1024xf32>, tensor<256x1024xf32>, tensor<256xf32>, !rows, !rows) -> !rows
      gpt.yield %x2 : !rows
    }

    %z = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.unembed %z weights("wte") : !rows -> tensor<?x2048xf32>
    return %logits : tensor<?x2048xf32>
  }
}
