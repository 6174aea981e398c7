#!/usr/bin/env python3
"""Compares Llama-style models with PyTorch on one GPU, in one run: a token after 511 others, and a prompt of 1024.

    llama_models.py TILEGPT_RUN BUNDLES [--models REGEX] [--peers graph,compiled] [--limit SECONDS] [--out FILE.json]

bf16, random weights, CUDA graphs on both sides, medians of device time. BUNDLES is the output of build_models.py. Each
of our steps has its own process: decoding right after a prefill is slower. Models that --limit leaves no time for are
skipped and reported.
"""

import argparse
import json
import re
import sys
import time

import torch

from models import capture, device_us
from peers.llama import SIZES, Model
from runner import Runner

# name: (tilegpt-run test, tokens, tokens before them)
STEPS = {"decode": ("decode:1@511", 1, 511), "prefill": ("prefill:1024", 1024, 0)}


def ours(runner, name):
    return {step: runner.bench(f"{name}-bf16", None, [test], None, None, "--repetitions", "50")[test]["device_us"]
            for step, (test, _, _) in STEPS.items()}


def peers(name, modes):
    """µs of each step in each PyTorch mode."""
    model, found = Model(SIZES[name]), {step: {} for step in STEPS}
    for mode in modes:
        torch._dynamo.reset()
        if mode == "compiled":
            model.compile()
        for step, (_, tokens, cached) in STEPS.items():
            graph, _ = capture(model.step(tokens, cached))
            found[step][mode] = device_us(graph.replay, times=30)
            del graph
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("bundles")
    parser.add_argument("--models", default="", help="regular expression")
    parser.add_argument("--peers", default="graph,compiled", help="of eager code, and of code compiled by inductor")
    parser.add_argument("--bandwidth", type=float, default=4.8, help="of the memory, TB/s")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which no other model begins")
    parser.add_argument("--out", help="file for the results, JSON")
    options = parser.parse_args()
    runner, rows, missed, begin = Runner(options.run, options.bundles), [], [], time.perf_counter()
    for name in SIZES:
        if not re.search(options.models, name):
            continue
        if time.perf_counter() - begin > options.limit:
            missed.append(name)
            continue
        try:
            mine = ours(runner, name)
        except RuntimeError as problem:
            missed.append(name)
            print(f"{name}: {problem}", file=sys.stderr)
            continue
        with torch.inference_mode():
            theirs = peers(name, options.peers.split(","))
        torch.cuda.empty_cache()
        for step in STEPS:
            mode = min(theirs[step], key=theirs[step].get)
            row = {"case": f"{name} {step}", "ours_us": round(mine[step], 1),
                   **{f"{m}_us": round(us, 1) for m, us in theirs[step].items()},
                   "over_best": round(theirs[step][mode] / mine[step], 3)}
            if step == "decode":
                row["of_bandwidth"] = round(SIZES[name].step_bytes(512) / options.bandwidth / 1e6 / mine[step], 3)
            rows.append(row)
            print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
        print(f"{name}: {time.perf_counter() - begin:.0f} s so far", flush=True)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(rows, file, indent=1)
    if missed:
        print("not measured:", ", ".join(missed), file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
