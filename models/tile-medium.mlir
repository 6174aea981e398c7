// 7,655,552 parameters with a tied head.
gpt.model @"tile-medium" like "gpt2" {layers = 6, heads = 4, width = 128, context = 256, vocab = 50257}
