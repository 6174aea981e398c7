gpt.model @base {layers = 1, heads = 1, width = 8, context = 16, vocab = 32, eps = 1.0e-6, kind = "plain", rate = 0.5} {
  func.func @forward(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> tensor<?x?xf32> {
    %e = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>
    return %e : tensor<?x?xf32>
  }
}
