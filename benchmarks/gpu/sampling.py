#!/usr/bin/env python3
"""Samples tokens on the GPU: checks @sample_order and @sample_draw against float64, then compares with PyTorch's operators.

    build.py TILEGPT_OPT CUBINS --only ^sample, then sampling.py CUBINS

Logits are normal with deviation 3, as peaked as a trained model's, or 0.3, as flat as those of random weights.
"""

import argparse
import math
import os
import random
import struct

import torch
from driver import Kernel
from harness import Harness

# Temperature, k, p and min-p, as in tilegpt-run.
CASES = {"greedy": (0, 40, .95, .05), "defaults": (.8, 40, .95, .05), "top-k 40": (1, 40, 1, 0),
         "top-p 0.95": (1, 0, .95, 0), "all": (1, 0, 1, 0), "top-k 1000, top-p 0.9": (.7, 1000, .9, 0)}
ROUNDS = 12


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def expected(logits, temperature, k, p, log_min_p, u):
    """The expected token, by sorting in float64."""
    logits = logits.double().cpu()
    kept = torch.argsort(logits, descending=True, stable=True)
    best = logits[kept[0]]
    if temperature == 0:
        return int(kept[0])
    if k > 0:
        kept = kept[:int(k)]
    if p < 1:
        weights = torch.exp(logits[kept] - best)
        kept = kept[:int(torch.searchsorted(torch.cumsum(weights, 0), p * weights.sum())) + 1]
    kept = kept[logits[kept] >= best + log_min_p]
    weights = torch.exp((logits[kept] - best) / temperature)
    end = int(torch.searchsorted(torch.cumsum(weights, 0), u * weights.sum(), right=True))
    return int(kept[min(end, len(kept) - 1)])


def peer(logits, temperature, k, p):
    """The usual PyTorch code: top-k, softmax, cumulative sum, multinomial."""
    if temperature == 0:
        return torch.argmax(logits, -1)
    values, ids = torch.topk(logits, k) if k else torch.sort(logits, descending=True)
    if p < 1:
        before = torch.softmax(values, -1)
        values = values.masked_fill(torch.cumsum(before, -1) - before > p, -math.inf)
    return ids.gather(-1, torch.multinomial(torch.softmax(values / temperature, -1), 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cubins")
    options = parser.parse_args()
    harness = Harness()
    order, draw = (Kernel(os.path.join(options.cubins, name)) for name in ("sample_order_50257", "sample_draw_50257"))
    vocabulary, entries, columns = 50257, 50432, 256

    def launches(logits, how):
        ranked = harness.poisoned(1, entries, dtype=torch.float32)
        ids = torch.full((1, entries), -1, dtype=torch.int32, device="cuda")
        token = torch.full((1,), -1, dtype=torch.int32, device="cuda")
        first = harness.bind(order, [logits, ranked, ids], [columns, 1])
        second = harness.bind(draw, [ranked, ids, how, token], [1])
        return first, second, token

    for scale in (3.0, 0.3):
        for name, (temperature, k, p, min_p) in CASES.items():
            both, orders, draws, peers, wrong = [], [], [], [], 0
            for _ in range(ROUNDS):
                logits = harness.normal(1, vocabulary, dtype=torch.float32, scale=scale)
                row = [f32(x) for x in (temperature, k, p, math.log(min_p) if min_p else -math.inf,
                                        random.getrandbits(24) / 2**24)]
                first, second, token = launches(logits, torch.tensor([row], device="cuda"))
                first(), second()
                torch.cuda.synchronize()
                wrong += int(token.item()) != expected(logits[0], *row)
                orders.append(first)
                draws.append(second)
                both.append(lambda first=first, second=second: (first(), second()))
                peers.append(lambda logits=logits: peer(logits, temperature, k, p))
            times = harness.race({"both": both, "order": orders, "draw": draws, "pytorch": peers}, rounds=5, target_us=400)
            print(f"deviation {scale}, {name}: {times['both']:.1f} µs ({times['order']:.1f} + {times['draw']:.1f}), "
                  f"PyTorch {times['pytorch']:.1f} µs, {wrong} of {ROUNDS} tokens differ", flush=True)
    if harness.status.item():
        raise SystemExit(f"assertion {harness.status.item()} failed")


if __name__ == "__main__":
    main()
