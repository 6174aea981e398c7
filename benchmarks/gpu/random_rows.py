#!/usr/bin/env python3
"""Norms, softmax and elementwise kernels at widths drawn at random, beside a copy of the same bytes.

    random_rows.py build TILEGPT_OPT OUT_DIR [--seed 1] [--draws 40]      needs ptxas, no GPU
    random_rows.py measure OUT_DIR [--seed 1] [--draws 40] [--out FILE]   needs a GPU and PyTorch

Columns are drawn from 1 … 200000, half of them uniformly and half by their logarithm; rows so that a tensor has 4 to 128 MB.
`measure` checks every result before it is timed and fails when one is wrong.
"""

import argparse
import json
import os
import random
import re
import sys

from jobs import Job

MOST_COLUMNS = 200000


def random_jobs(seed, draws):
    """The jobs of a seed: the first N of more draws are those of N draws."""
    chance = random.Random(seed)
    for number in range(draws):
        columns = (chance.randint(1, MOST_COLUMNS) if number % 2 else
                   round(MOST_COLUMNS ** chance.random()))
        element = chance.choice(("bf16", "f32"))
        nbytes = columns * (2 if element == "bf16" else 4)
        rows = max(1, round((4 << 20) * 32 ** chance.random() / nbytes))
        kernel = chance.choice(("layer_norm", "softmax", "gelu", "add"))
        x = ((rows, columns), element)
        vector = ((columns,), "f32")
        name = f"{kernel.replace('_', '')}_{element}_{rows}x{columns}"
        if kernel == "layer_norm":
            yield Job(name, kernel, (x, vector, vector, "f32"), (x,), weights=(1, 2))
        else:
            yield Job(name, kernel, (x, x) if kernel == "add" else (x,), (x,))


def build(options):
    from build import compile_job
    os.makedirs(options.out_dir, exist_ok=True)
    options.out, failed = options.out_dir, 0
    for job in random_jobs(options.seed, options.draws):
        if not re.search(options.only, job.name):
            continue
        try:
            print(compile_job(job, options), flush=True)
        except (RuntimeError, AttributeError, json.JSONDecodeError) as error:
            failed += 1
            print(f"{job.name}: {error}", file=sys.stderr)
    return 1 if failed else 0


def measure(options):
    import kernels
    import torch
    from harness import Harness, geometric_mean

    harness, rows, wrong = Harness(), [], 0
    options.check_only = options.triton = False
    options.contenders, options.target_us = "", 1500.0
    for job in random_jobs(options.seed, options.draws):
        base = os.path.join(options.out_dir, job.name)
        if not re.search(options.only, job.name) or not os.path.exists(base + ".cubin"):
            continue
        row = kernels.measure(harness, job, kernels.Kernel(base), options)
        wrong += "wrong" in row
        rows.append(row)
        print(kernels.show(row), flush=True)
        torch.cuda.empty_cache()
    shares = sorted(row["of_copy"] for row in rows if "of_copy" in row)
    if shares:
        print(f"of a copy: geometric mean {geometric_mean(shares):.3f}, fifth percentile {shares[len(shares) // 20]:.3f}, "
              f"least {shares[0]:.3f}")
    print(f"{len(rows)} jobs, {wrong} wrong")
    if options.out:
        with open(options.out, "w") as file:
            json.dump(rows, file, indent=1)
    return 1 if wrong or not rows else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(required=True)
    for name, run in (("build", build), ("measure", measure)):
        mode = modes.add_parser(name)
        mode.set_defaults(run=run)
        if run is build:
            mode.add_argument("compiler")
            mode.add_argument("--arch", default="sm_90a")
        else:
            mode.add_argument("--out", default="")
        mode.add_argument("out_dir")
        mode.add_argument("--seed", type=int, default=1)
        mode.add_argument("--draws", type=int, default=40)
        mode.add_argument("--only", default="")
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
