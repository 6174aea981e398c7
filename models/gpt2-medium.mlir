// 354,823,168 parameters with a tied head.
gpt.model @"gpt2-medium" like "gpt2" {layers = 24, heads = 16, width = 1024, context = 1024, vocab = 50257}
