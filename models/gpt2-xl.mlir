// 1,557,611,200 parameters with a tied head.
gpt.model @"gpt2-xl" like "gpt2" {layers = 48, heads = 25, width = 1600, context = 1024, vocab = 50257}
