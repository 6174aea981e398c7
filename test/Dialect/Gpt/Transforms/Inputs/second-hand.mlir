gpt.model @second like "base" {layers = 1, heads = 1, width = 8, context = 16, vocab = 32}
