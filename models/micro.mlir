// 7,259,008 parameters with a tied head.
gpt.model @micro like "gpt2" {layers = 4, heads = 4, width = 128, context = 256, vocab = 50257}
