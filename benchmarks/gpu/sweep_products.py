#!/usr/bin/env python3
"""Measures the data that the product model is fitted to: many tiles of products with random sizes. Needs a GPU and PyTorch.

    sweep_products.py TILEGPT_OPT OUT.csv [--draws 60] [--seed 1] [--jobs 12]

For every product: the fastest of cuBLAS and cuBLASLt, and our kernel in every tile of a list, each checked against float64,
in back-to-back launches that overlap like those of a model. Compiles kernels while measuring. tilegpt-opt tune --fit reads the result.
"""

import argparse
import concurrent.futures
import csv
import dataclasses
import os
import re
import subprocess
import sys
import tempfile

import torch

from build import compile_job
from driver import Kernel
from harness import Harness
from kernels import ELEMENTS, TOLERANCE, make, peers
from random_jobs import random_jobs

# Rows and columns of tiles, by the rows of the product.
LARGE = [(64, n) for n in (32, 64, 96, 128, 176, 208, 256)] + [(128, n) for n in (64, 96, 112, 128, 160, 192, 208, 256)] + [
    (256, n) for n in (64, 96, 128, 160, 192)] + [(m, n) for n in (128, 256) for m in (72, 88, 104, 136, 152, 168, 208)]
FEW = [(16, n) for n in (8, 16, 32, 64, 128)] + [(32, n) for n in (16, 32, 64, 128)] + [(64, n) for n in (16, 32, 64, 96, 128, 208)]
MOST_FEW = 64
COLUMNS = ("m", "n", "k", "tile_rows", "tile_columns", "parts", "multicast", "sharing", "us", "library_us")


def variants_of(job):
    """The job with every tile that is not much larger than its result."""
    (m, _), (n, _) = job.ins[0][0], job.ins[1][0]
    if job.kernel == "linear_decode":
        tiles = [{"BM": 16, "BN": columns} for columns in (8, 16, 32, 64)]
    else:
        tiles = [{"BM": rows, "BN": columns, "BK": 64} for rows, columns in (LARGE if m > MOST_FEW else FEW)
                 if rows < 2 * m + 16 and columns < 2 * n]
    return [dataclasses.replace(job, name=f"{job.name}_{params['BM']}x{params['BN']}", params=params) for params in tiles]


def sharing_of(compiler, source, rows):
    """How blocks share the product, by the plan of the only kernel: the number in a cluster that split the depth, 0 without a
    producer; the operand that they multicast, and among how many blocks. rows: of a tile."""
    planned = subprocess.run([compiler, source, "--arch=sm_90a", "--compile-to=planned"], capture_output=True, text=True, check=True)
    plan = re.search(r"#tile_gpu.plan<(.*?)>", planned.stdout).group(1)
    if "producer = true" not in plan:
        return 0, "none", 1
    facts = dict(re.findall(r"(\w+) = (\w+)", plan))
    if facts.get("multicast", "1") == "1":
        return int(facts.get("parts", "1")), "none", 1
    if facts.get("multicastAxis") == "2":
        return 1, "both", 2
    # Blocks below each other share w, blocks side by side x, which is the lhs unless the product is transposed.
    is_transposed = rows > 64 and rows % 128 != 0
    shares_x = facts.get("multicastAxis", "0") == "1"
    return 1, "left" if shares_x != is_transposed else "right", int(facts["multicast"])


def compile_variant(job, options):
    compile_job(job, options)
    return sharing_of(options.compiler, os.path.join(options.out, job.name + ".mlir"), job.params["BM"])


def measure(harness, job, variants, folder):
    """A row of COLUMNS for every variant (with how its blocks share it) that a producer feeds."""
    def operands():
        return [make(harness, t) for t in job.ins], [harness.poisoned(*t[0], dtype=ELEMENTS[t[1]]) for t in job.outs]
    first = operands()
    nbytes = sum(t.nbytes for group in first for t in group)
    sets = [first] + [operands() for _ in range(harness.copies(nbytes) - 1)]
    x, w, b = first[0]
    want = x.double() @ w.double().t() + b.double()
    libraries = list(peers(job, *first))
    contenders = {name: [peers(job, i, o)[name] for i, o in sets] for name in libraries}
    for variant, (parts, *_) in variants:
        kernel = Kernel(os.path.join(folder, variant.name))
        grid = kernel.facts["grid"]
        error = harness.compare(harness.bind(kernel, [*first[0], *first[1]], grid), first[1][0], want, TOLERANCE["bf16"])
        if isinstance(error, str):
            raise RuntimeError(f"{variant.name}: {error}")
        if parts:
            contenders[variant.name] = [harness.bind(kernel, [*i, *o], grid) for i, o in sets]
    times = harness.race(contenders, rounds=5, target_us=600.0)
    library = min(times[name] for name in libraries)
    (m, k), (n, _) = job.ins[0][0], job.ins[1][0]
    return [(m, n, k, v.params["BM"], v.params["BN"], parts, multicast, sharing, round(times[v.name], 2), round(library, 2))
            for v, (parts, multicast, sharing) in variants if parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("out")
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=12, help="kernels compiled at a time")
    options = parser.parse_args()
    harness = Harness()
    with (tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
          open(options.out, "w", newline="") as file):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        flags = argparse.Namespace(compiler=options.compiler, out=folder, arch="sm_90a")
        work = []
        for job in random_jobs("products", options.draws, options.seed):
            variants = variants_of(job)
            work.append((job, variants, [pool.submit(compile_variant, variant, flags) for variant in variants]))
        for job, variants, compiled in work:
            rows = measure(harness, job, [(v, future.result()) for v, future in zip(variants, compiled)], folder)
            writer.writerows(rows)
            print(f"{job.name}: {len(rows)} tiles", flush=True)
            torch.cuda.empty_cache()


if __name__ == "__main__":
    sys.exit(main())
