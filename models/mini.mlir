// 12,368,064 parameters with a tied head.
gpt.model @mini like "gpt2" {layers = 6, heads = 6, width = 192, context = 256, vocab = 50257}
