// Llama 3.2 1B (1,235,814,400 parameters).
gpt.model @"llama-3.2-1b" like "llama" {layers = 16, heads = 32, kv_heads = 8, head_dim = 64, width = 2048, context = 131072,
    vocab = 128256, inner = 8192, eps = 1.0e-5, tied = true, rope_theta = 500000.0, rope_type = "llama3",
    rope_factor = 32.0, rope_low = 1.0, rope_high = 4.0, rope_original = 8192}
