// SmolLM2 135M (134,515,008 parameters).
gpt.model @"smollm2-135m" like "llama" {layers = 30, heads = 9, kv_heads = 3, width = 576, context = 8192, vocab = 49152,
    inner = 1536, eps = 1.0e-5, tied = true, rope_theta = 100000.0}
