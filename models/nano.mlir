// 2,503,392 parameters with a tied head.
gpt.model @nano like "gpt2" {layers = 3, heads = 3, width = 48, context = 128, vocab = 50257}
