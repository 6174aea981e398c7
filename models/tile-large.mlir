// 19,315,456 parameters with a tied head.
gpt.model @"tile-large" like "gpt2" {layers = 8, heads = 8, width = 256, context = 512, vocab = 50257}
