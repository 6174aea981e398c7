// The demo model, a GPT-2 trained on Shakespeare's plays (its checkpoint is in shakespeare/): 5,394,432 parameters.
gpt.model @shakespeare like "gpt2" {layers = 6, heads = 4, width = 256, context = 512, vocab = 2048}
