"""GPT-2 in plain PyTorch: seeded weights for a checkpoint, and the forward passes that our models are compared with."""

import json
import os
from typing import NamedTuple

import torch
import torch.nn.functional as F

VOCABULARY = 50257
CONTEXT = 1024


class Size(NamedTuple):
    layers: int
    width: int
    heads: int


SIZES = {"nano": Size(3, 48, 3), "small": Size(6, 384, 6), "medium": Size(8, 512, 8),
         "gpt2": Size(12, 768, 12), "gpt2-medium": Size(24, 1024, 16), "gpt2-large": Size(36, 1280, 20),
         "gpt2-xl": Size(48, 1600, 25)}
LINEAR = {"attn.c_attn": (1, 3), "attn.c_proj": (1, 1), "mlp.c_fc": (1, 4), "mlp.c_proj": (4, 1)}  # in, out in widths


def random_weights(size, seed=1):
    """Tensors by checkpoint name, in bf16 so that models of every type start from the same numbers.

    Matrices are [out, in]; biases and norms are random as well, so that omitting one is noticed.
    """
    generator = torch.Generator("cuda").manual_seed(seed)

    def normal(*shape, mean=0.0, deviation=0.02):
        return (torch.randn(*shape, device="cuda", generator=generator) * deviation + mean).to(torch.bfloat16)

    width = size.width
    weights = {"wte.weight": normal(VOCABULARY, width), "wpe.weight": normal(CONTEXT, width)}
    for norm in [f"h.{layer}.{name}" for layer in range(size.layers) for name in ("ln_1", "ln_2")] + ["ln_f"]:
        weights[f"{norm}.weight"] = normal(width, mean=1.0, deviation=0.1)
        weights[f"{norm}.bias"] = normal(width)
    for layer in range(size.layers):
        for name, (inputs, outputs) in LINEAR.items():
            weights[f"h.{layer}.{name}.weight"] = normal(outputs * width, inputs * width)
            weights[f"h.{layer}.{name}.bias"] = normal(outputs * width)
    return weights


def save_checkpoint(folder, size, weights):
    """Writes a folder for `tilegpt-run --weights FOLDER --weights-layout linear`."""
    from safetensors.torch import save_file

    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump({"model_type": "gpt2", "n_layer": size.layers, "n_embd": size.width, "n_head": size.heads,
                   "n_positions": CONTEXT, "vocab_size": VOCABULARY, "activation_function": "gelu_new",
                   "layer_norm_epsilon": 1e-5, "tie_word_embeddings": True}, file)
    save_file(weights, os.path.join(folder, "model.safetensors"))


def hugging_face(size, weights, dtype):
    """transformers' GPT-2 with these weights."""
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_layer=size.layers, n_embd=size.width, n_head=size.heads, n_positions=CONTEXT,
                        vocab_size=VOCABULARY)
    with torch.device("cuda"):
        model = GPT2LMHeadModel(config).to(dtype).eval()
    stored = {}
    for name, tensor in weights.items():
        is_linear = tensor.dim() == 2 and name.startswith("h.")
        stored["transformer." + name] = tensor.t() if is_linear else tensor  # Conv1D is [in, out]
    stored["lm_head.weight"] = weights["wte.weight"]
    model.load_state_dict(stored)
    return model


class Model:
    """The weights in one type, and the functions that a mode may compile."""

    def __init__(self, size, weights, dtype, padded=False):
        self.size = size
        self.weights = {name: tensor.to(dtype) for name, tensor in weights.items()}
        # As in nanoGPT: zero rows pad the vocabulary to a multiple of 64, which is faster in libraries.
        self.head = F.pad(self.weights["wte.weight"], (0, 0, 0, -VOCABULARY % 64 if padded else 0))
        self.block, self.unembed = block, unembed

    def compile(self, block=None, **options):
        """Applies torch.compile with static shapes to block(), unless another function is given."""
        self.block = torch.compile(block or self.block, dynamic=False, fullgraph=True, **options)
        self.unembed = torch.compile(unembed, dynamic=False, fullgraph=True, **options)
        return self

    def layer(self, layer):
        return [self.weights[f"h.{layer}.{name}.{part}"] for name in ("ln_1", "attn.c_attn", "attn.c_proj", "ln_2",
                "mlp.c_fc", "mlp.c_proj") for part in ("weight", "bias")]

    def forward(self, ids, last=False, cache=None):
        """Logits [B, T, V], or of the last tokens only, [B, 1, V]; with a cache, of one more token per sequence."""
        start = 0 if cache is None else cache[0][0].shape[2] - 1
        x = F.embedding(ids, self.weights["wte.weight"]) + self.weights["wpe.weight"][start:start + ids.shape[1]]
        for layer in range(self.size.layers):
            x = self.block(x, self.layer(layer), self.size.heads, None if cache is None else cache[layer])
        if last:
            x = x[:, -1:].contiguous()
        return self.unembed(x, self.weights["ln_f.weight"], self.weights["ln_f.bias"], self.head)

    def empty_cache(self, batch, tokens):
        """Keys and values of all layers, [B, H, tokens, D]; a step writes the last row and reads all rows."""
        shape = (batch, self.size.heads, tokens, self.size.width // self.size.heads)
        return [tuple(torch.randn(shape, device="cuda").to(self.head.dtype) for _ in range(2))
                for _ in range(self.size.layers)]


def norm(x, weight, bias):
    return F.layer_norm(x, (x.shape[-1],), weight, bias)


def split_heads(x, heads):
    return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def block(x, weights, heads, cache, linear=F.linear):
    """One layer. With a cache: of one token, whose key and value become the last row."""
    n1, n1b, qkv, qkvb, out, outb, n2, n2b, fc, fcb, proj, projb = weights
    q, k, v = (split_heads(part, heads) for part in linear(norm(x, n1, n1b), qkv, qkvb).chunk(3, dim=-1))
    if cache is not None:
        for rows, new in zip(cache, (k, v)):
            rows[:, :, -1:].copy_(new)
        k, v = cache
    y = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
    x = x + linear(y.transpose(1, 2).reshape(x.shape), out, outb)
    return x + linear(F.gelu(linear(norm(x, n2, n2b), fc, fcb), approximate="tanh"), proj, projb)


def apart_block(x, weights, heads, cache):
    """The block with biases separate from products, so that inductor may generate matrix-vector products itself."""
    return block(x, weights, heads, cache, lambda y, weight, bias: F.linear(y, weight) + bias)


def unembed(x, weight, bias, head):
    return F.linear(norm(x, weight, bias), head)
