// 774,030,080 parameters with a tied head.
gpt.model @"gpt2-large" like "gpt2" {layers = 36, heads = 20, width = 1280, context = 1024, vocab = 50257}
