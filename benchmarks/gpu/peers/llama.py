"""Llama-style models in plain PyTorch with random bf16 weights, for comparison in llama_models.py."""

from typing import NamedTuple

import torch
import torch.nn.functional as F


class Size(NamedTuple):
    layers: int
    width: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    vocabulary: int
    norms_heads: bool = False
    tied: bool = True

    @property
    def products(self):
        """[rows, columns] of a layer's matrices."""
        return {"qkv": ((self.heads + 2 * self.kv_heads) * self.head, self.width),
                "out": (self.width, self.heads * self.head),
                "gate_up": (2 * self.inner, self.width), "down": (self.width, self.inner)}

    def step_bytes(self, cached):
        """The least bytes that a step of one token reads: all weights but the embedding, and the cache."""
        matrices = sum(rows * columns for rows, columns in self.products.values())
        cache = 2 * self.kv_heads * self.head * cached
        return 2 * (self.vocabulary * self.width + self.layers * (matrices + cache))


SIZES = {"smollm2-135m": Size(30, 576, 9, 3, 64, 1536, 49152),
         "qwen3-0.6b": Size(28, 1024, 16, 8, 128, 3072, 151936, norms_heads=True),
         "llama-3.2-1b": Size(16, 2048, 32, 8, 64, 8192, 128256),
         "llama-3.1-8b": Size(32, 4096, 32, 8, 128, 14336, 128256, tied=False)}


def normal(*shape, mean=0.0):
    return (torch.randn(*shape, device="cuda", dtype=torch.bfloat16) * 0.02 + mean)


class Model:
    """Weights, and steps of `tokens` tokens after `cached` ones; a mode may replace `layer` by a compiled version."""

    def __init__(self, size):
        self.size, self.layer = size, layer
        self.embedding = normal(size.vocabulary, size.width)
        self.head = self.embedding if size.tied else normal(size.vocabulary, size.width)
        self.norm = normal(size.width, mean=1.0)
        self.layers = [{"n1": normal(size.width, mean=1.0), "n2": normal(size.width, mean=1.0),
                        "qn": normal(size.head, mean=1.0), "kn": normal(size.head, mean=1.0),
                        **{name: normal(*shape) for name, shape in size.products.items()}}
                       for _ in range(size.layers)]

    def compile(self):
        self.layer = torch.compile(layer, dynamic=False, fullgraph=True)
        return self

    def step(self, tokens, cached):
        """A function that computes the logits of the last token, [1, V]."""
        size = self.size
        caches = [tuple(normal(1, size.kv_heads, cached + tokens, size.head) for _ in range(2)) for _ in self.layers]
        frequencies = 10000.0 ** (-torch.arange(0, size.head, 2, device="cuda") / size.head)
        angles = torch.arange(cached, cached + tokens, device="cuda")[:, None] * frequencies
        turn = angles.cos().bfloat16()[:, None], angles.sin().bfloat16()[:, None]
        ids = torch.randint(0, size.vocabulary, (tokens,), device="cuda")

        def run():
            x = F.embedding(ids, self.embedding)
            for weights, cache in zip(self.layers, caches):
                x = self.layer(x, weights, cache, turn, size)
            return F.rms_norm(x[-1:], (size.width,), self.norm, 1e-5) @ self.head.t()
        return run


def rotate(x, turn):
    cos, sin = turn
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


def layer(x, weights, cache, turn, size):
    """One layer of [T, width]; keys and values become the last T rows of the cache."""
    tokens = x.shape[0]
    normed = F.rms_norm(x, (size.width,), weights["n1"], 1e-5)
    shares = [heads * size.head for heads in (size.heads, size.kv_heads, size.kv_heads)]
    q, k, v = (part.view(tokens, -1, size.head) for part in (normed @ weights["qkv"].t()).split(shares, -1))
    if size.norms_heads:
        q, k = (F.rms_norm(part, (size.head,), weights[name], 1e-6) for part, name in ((q, "qn"), (k, "kn")))
    keys, values = cache
    keys[:, :, -tokens:] = rotate(k, turn).transpose(0, 1)
    values[:, :, -tokens:] = v.transpose(0, 1)
    y = F.scaled_dot_product_attention(rotate(q, turn).transpose(0, 1)[None], keys, values, is_causal=tokens > 1,
                                       enable_gqa=True)
    x = x + y[0].transpose(0, 1).reshape(tokens, -1) @ weights["out"].t()
    gate, up = (F.rms_norm(x, (size.width,), weights["n2"], 1e-5) @ weights["gate_up"].t()).chunk(2, -1)
    return x + (F.silu(gate) * up) @ weights["down"].t()
