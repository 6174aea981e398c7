#!/usr/bin/env python3
"""Measures what the cost model of products is fitted to: many tiles of products at random sizes, as raw times.

    sweep_products.py TILEGPT_OPT OUT.json [--draws 60] [--seed 1] [--jobs 12] [--seconds 300]

For every product: cuBLAS, cuBLASLt and our kernel in every tile of a list, each checked, with launches that overlap and with
launches that do not. Kernels are compiled here, beside the measurements. fit_products.py reads the result.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import sys
import tempfile
import time

import torch

from build import compile_job
from driver import Kernel
from harness import Harness
from kernels import ELEMENTS, TOLERANCE, make, peers
from random_jobs import random_jobs

# Rows and columns of tiles, by the rows of the product.
LARGE = [(64, n) for n in (32, 64, 96, 128, 176, 208, 256)] + [(128, n) for n in (64, 96, 112, 128, 160, 192, 208, 256)] + [
    (256, n) for n in (64, 96, 128, 160, 192)]
FEW = [(16, n) for n in (8, 16, 32, 64, 128)] + [(32, n) for n in (16, 32, 64, 128)] + [(64, n) for n in (16, 32, 64, 96, 128, 208)]
MOST_FEW = 64


def tiles_of(m, n):
    """Tiles that are worth a try: not much larger than the result."""
    tiles = LARGE if m > MOST_FEW else [tile for tile in FEW if tile[0] >= min(m, MOST_FEW) or tile[0] * 4 > m]
    return [tile for tile in tiles if tile[0] < 2 * m + 16 and tile[1] < 2 * n]


def variants_of(job):
    """The job in every tile, by name."""
    (m, _), (n, _) = job.ins[0][0], job.ins[1][0]
    if job.kernel == "linear_decode":
        tiles = [{"BM": 16, "BN": columns} for columns in (8, 16, 32, 64)] + [{}]
        if m <= 2:
            tiles = [{"BN": columns} for columns in (2, 4, 8, 16, 32)]
    else:
        tiles = [{"BM": rows, "BN": columns, "BK": 64} for rows, columns in tiles_of(m, n)] + [{}]
    for params in tiles:
        suffix = "x".join(str(size) for size in params.values()) or "chosen"
        yield dataclasses.replace(job, name=f"{job.name}_{suffix}", params=params)


def measure(harness, job, variants, folder):
    """Times of one product: {"peers": …, "tiles": [{"params", "overlap", "apart"}]}, in µs."""
    def operands():
        return [make(harness, t) for t in job.ins], [harness.poisoned(*t[0], dtype=ELEMENTS[t[1]]) for t in job.outs]
    first = operands()
    nbytes = sum(t.nbytes for group in first for t in group)
    sets = [first] + [operands() for _ in range(harness.copies(nbytes) - 1)]
    x, w, b = first[0]
    want = x.double() @ w.double().t() + b.double()
    contenders = {}
    for name in peers(job, *first):
        contenders[name] = [peers(job, i, o)[name] for i, o in sets]
    rows = []
    for variant in variants:
        base = os.path.join(folder, variant.name)
        if not os.path.exists(base + ".cubin"):
            continue
        kernel = Kernel(base)
        facts = kernel.facts
        error = harness.compare(harness.bind(kernel, [*first[0], *first[1]], facts["grid"]), first[1][0], want, TOLERANCE["bf16"])
        row = {"params": facts["params"], "threads": facts["threads"], "shared": facts["shared_bytes"],
               "cluster": facts["cluster"], "registers": facts["registers"], "chosen": not variant.params}
        rows.append(row)
        if isinstance(error, str):
            row["wrong"] = error
            continue
        dependent, maps = facts["dependent_launch"], facts["tensor_maps"]
        for label, overlap, promotion in (("overlap", dependent, None), ("apart", False, None), ("apart128", False, 128)):
            if promotion and (not maps or job.ins[0][0][1] % 64 == 0):
                continue
            facts["dependent_launch"] = overlap
            facts["tensor_maps"] = [m | {"l2_promotion": promotion} for m in maps] if promotion else maps
            key = f"{variant.name} {label}"
            contenders[key] = [harness.bind(kernel, [*i, *o], facts["grid"]) for i, o in sets]
            row[label] = key
    times = harness.race(contenders, rounds=5, target_us=600.0)
    for row in rows:
        row.update({label: times[row[label]] for label in ("overlap", "apart", "apart128") if label in row})
    (m, k), (n, _) = job.ins[0][0], job.ins[1][0]
    return {"m": m, "n": n, "k": k, "kernel": job.kernel, "peers": {p: times[p] for p in peers(job, *first)}, "tiles": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("out")
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=12, help="kernels compiled at a time")
    parser.add_argument("--seconds", type=float, default=1e9, help="measure no further product after so long")
    options = parser.parse_args()
    harness, results, skipped = Harness(), [], 0
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        flags = argparse.Namespace(compiler=options.compiler, out=folder, arch="sm_90a")
        work = []
        for job in random_jobs("products", options.draws, options.seed):
            variants = list(variants_of(job))
            work.append((job, variants, [pool.submit(compile_job, variant, flags) for variant in variants]))
        for job, variants, compiled in work:
            if time.perf_counter() - begin > options.seconds:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            for future in compiled:
                if error := future.exception():
                    skipped += 1
                    print(f"not compiled: {str(error)[:300]}", file=sys.stderr)
            results.append(measure(harness, job, variants, folder))
            row = results[-1]
            best = min((t["apart"], t["params"]) for t in row["tiles"] if "apart" in t)
            print(f"{job.name}: {min(row['peers'].values()):.1f} µs, ours {best}", flush=True)
            with open(options.out, "w") as file:
                json.dump(results, file)
            torch.cuda.empty_cache()
    print(f"{len(results)} products, {skipped} kernels not compiled")


if __name__ == "__main__":
    sys.exit(main())
