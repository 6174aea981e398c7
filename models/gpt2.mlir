// GPT-2 of any size. The sizes below are the 124M model's (124,439,808 parameters with a tied head); presets are
// `like "gpt2"` with sizes of their own, `--gpt-configure` replaces single ones, and `tilegpt-run --weights DIR` takes
// them from the checkpoint's config.json.

!ints = tensor<?xi32>     // ids [N], positions [B]
!rows = tensor<?x?xf32>   // activations: one row for each token

gpt.model @gpt2 {layers = 12, heads = 12, width = 768, context = 1024, vocab = 50257} {
  func.func @forward(%ids: !ints, %pos: !ints) -> !rows {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : !ints, !ints -> !rows

    %y = gpt.layers iter(%x = %e) : !rows {
      // x + attention(layer_norm(x))
      %n1 = gpt.layer_norm %x weights("h.{l}.ln_1") : !rows -> !rows
      %qkv = gpt.linear %n1 weights("h.{l}.attn.c_attn") to 3 * width : !rows -> !rows
      %a = gpt.attention %qkv at %pos cache("h.{l}") : !rows, !ints -> !rows
      %p = gpt.linear %a weights("h.{l}.attn.c_proj") to width : !rows -> !rows
      %x1 = arith.addf %x, %p : !rows

      // x + mlp(layer_norm(x))
      %n2 = gpt.layer_norm %x1 weights("h.{l}.ln_2") : !rows -> !rows
      %f = gpt.linear %n2 weights("h.{l}.mlp.c_fc") to inner : !rows -> !rows
      %g = gpt.gelu %f : !rows -> !rows
      %m = gpt.linear %g weights("h.{l}.mlp.c_proj") to width : !rows -> !rows
      %x2 = arith.addf %x1, %m : !rows
      gpt.yield %x2 : !rows
    }

    %n = gpt.layer_norm %y weights("ln_f") : !rows -> !rows
    %logits = gpt.unembed %n weights("wte") : !rows -> !rows
    return %logits : !rows
  }
}
