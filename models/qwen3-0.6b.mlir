// Qwen3 0.6B (596,049,920 parameters).
gpt.model @"qwen3-0.6b" like "qwen3" {layers = 28, heads = 16, kv_heads = 8, head_dim = 128, width = 1024, context = 40960,
    vocab = 151936, inner = 3072, eps = 1.0e-6, tied = true, rope_theta = 1000000.0}
