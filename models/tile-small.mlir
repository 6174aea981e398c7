// 3,424,704 parameters with a tied head.
gpt.model @"tile-small" like "gpt2" {layers = 4, heads = 4, width = 64, context = 128, vocab = 50257}
