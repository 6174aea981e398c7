#!/usr/bin/env python3
"""Compiles the models of models.py and llama_models.py: MODEL-TYPE.tgb for each. Needs ptxas, no GPU.

    build_models.py TILEGPT_RUN OUT_DIR [--arch sm_90a] [--only REGEX]
"""

import os
import re
import subprocess
import sys
import time

from build_flags import parse_flags

# layers, heads, width; the tests of models.py need up to this many prompts, rows and tokens in the cache.
GRID = {"nano": (3, 3, 48), "small": (6, 6, 384), "medium": (8, 8, 512)}
GPT2 = {"gpt2": (12, 12, 768), "gpt2-medium": (24, 16, 1024), "gpt2-large": (36, 20, 1280), "gpt2-xl": (48, 25, 1600)}
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../models")
LLAMA = ("smollm2-135m", "qwen3-0.6b", "llama-3.2-1b")  # with model files in MODELS
LLAMA_8B = """gpt.model @"llama-3.1-8b" like "llama" {layers = 32, heads = 32, kv_heads = 8, head_dim = 128, width = 4096,
    context = 131072, vocab = 128256, inner = 14336, eps = 1.0e-5, tied = false, rope_theta = 500000.0}
"""


def jobs():
    """(name, model, flags) of every bundle."""
    def preset(name, sizes):
        layers, heads, width = sizes
        return (f'gpt.model @{name.replace("-", "_")} like "gpt2" {{layers = {layers}, heads = {heads}, '
                f"width = {width}, context = 1024, vocab = 50257}}\n")

    for name, sizes in GRID.items():
        for dtype in ("f32", "tf32", "bf16", "bf16-logits"):
            narrow = ["--logits", "bf16"] if dtype == "bf16-logits" else []
            yield f"{name}-{dtype}", preset(name, sizes), ["--dtype", dtype.split("-")[0], *narrow, "--parallel", "16",
                                                           "--batch-size", "4096", "--ctx-size", "256"]
    for name, sizes in GPT2.items():
        yield f"{name}-bf16", preset(name, sizes), ["--dtype", "bf16", "--parallel", "8", "--batch-size", "8192"]
        yield f"{name}-f32", preset(name, sizes), ["--dtype", "f32"]
    texts = {"llama-3.1-8b": LLAMA_8B}
    for name in LLAMA:
        with open(os.path.join(MODELS, name + ".mlir")) as file:
            texts[name] = file.read()
    for name, text in texts.items():
        yield f"{name}-bf16", text, ["--dtype", "bf16", "--batch-size", "1024", "--ctx-size", "1024"]


def main():
    options = parse_flags(__doc__)
    failed = 0
    for name, text, flags in jobs():
        if not re.search(options.only, name):
            continue
        source = os.path.join(options.out, name + ".mlir")
        with open(source, "w") as file:
            file.write(text)
        bundle = os.path.join(options.out, name + ".tgb")
        begin = time.perf_counter()
        done = subprocess.run(
            [options.compiler, source, "--device", "cuda", "--arch", options.arch, "--save", bundle, *flags],
            capture_output=True, text=True)
        os.remove(source)
        failed += done.returncode != 0
        size = os.path.getsize(bundle) / 1e6 if done.returncode == 0 else 0
        print(f"{name}: {time.perf_counter() - begin:.1f} s, {size:.1f} MB", flush=True)
        print(done.stderr, end="", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
