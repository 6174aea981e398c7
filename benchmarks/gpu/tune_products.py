#!/usr/bin/env python3
"""Tunes products with random sizes, and races the result and the compiler's own choice against cuBLAS and cuBLASLt.

    tune_products.py TILEGPT_RUN TILEGPT_OPT FOLDER [--draws 40] [--seed 0] [--budget 120] [--out FILE]

One call does it all, on a machine with a GPU and PyTorch: `tilegpt-run tune` writes FOLDER/records.json within the budget, a
second process verifies the records, both kernels of every product are compiled and checked against float64, then timed as in
kernels.py. Uses the ptxas bundled with Triton if there is no other.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import time
import types

from build import compile_job, module_of
from random_jobs import random_jobs


def find_ptxas():
    """Points the compiler to Triton's ptxas if there is no other."""
    if "TILEGPT_PTXAS" in os.environ or shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
        return
    import triton
    bundled = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "ptxas")
    if os.path.exists(bundled):
        os.environ["TILEGPT_PTXAS"] = bundled


def tune(options, jobs):
    """The records of the products; prints the output of the tuner and the verifier."""
    text, records = (os.path.join(options.folder, name) for name in ("products.mlir", "records.json"))
    with open(text, "w") as file:
        file.writelines(module_of(job) for job in jobs)
    if os.path.exists(records):
        os.remove(records)
    command = [options.runner, "tune", text, "--device", "cuda", "--cache-dir", "off"]
    begin = time.time()
    subprocess.run([*command, "--budget", str(options.budget), "--out", records], check=True)
    print(f"tuned in {time.time() - begin:.1f} s", flush=True)
    begin = time.time()
    verified = subprocess.run([*command, "--verify", records], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(verified.stdout, end="")
    kept = re.search(r"kept (\d+) of (\d+) records", verified.stdout)
    share = f"{int(kept[1]) / max(int(kept[2]), 1):.0%} of the records kept" if kept else "failed"
    print(f"verified in another process in {time.time() - begin:.1f} s: {share}, exit code {verified.returncode}", flush=True)
    return records


def compile_all(options, jobs, name, tuning):
    """Compiles all jobs to a folder of cubins."""
    folder = os.path.join(options.folder, name)
    os.makedirs(folder, exist_ok=True)
    flags = types.SimpleNamespace(compiler=options.compiler, out=folder, arch="sm_90a", tuning=tuning)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: compile_job(job, flags), jobs))
    return folder


def measure(harness, job, kernels):
    """One row of the table: a race of all kernels of a product and the libraries."""
    from kernels import ELEMENTS, TOLERANCE, make, peers, reference

    def operands():
        return [make(harness, t) for t in job.ins], [harness.poisoned(*shape, dtype=ELEMENTS[element]) for shape, element in job.outs]

    ins, outs = operands()
    want, row = reference(job, ins, outs), {"job": job.name}
    for name, kernel in kernels.items():
        verdict = harness.compare(harness.bind(kernel, [*ins, *outs], kernel.facts["grid"]), outs[-1], want, TOLERANCE["bf16"])
        if isinstance(verdict, str):
            return {**row, "wrong": f"{name}: {verdict}"}
    nbytes = sum(t.nbytes for t in (*ins, *outs))
    sets = [(ins, outs)] + [operands() for _ in range(harness.copies(nbytes) - 1)]
    contenders = {name: [harness.bind(kernel, [*i, *o], kernel.facts["grid"]) for i, o in sets] for name, kernel in kernels.items()}
    for name in peers(job, ins, outs):
        contenders[name] = [peers(job, i, o)[name] for i, o in sets]
    times = harness.race(contenders)
    best = min(time for name, time in times.items() if name not in kernels)
    return {**row, "us": times, "ratios": {name: best / times[name] for name in kernels},
            "params": {name: kernel.facts["params"] for name, kernel in kernels.items()}}


def race(jobs, folders):
    """One row of the table per job."""
    import torch

    from driver import Kernel
    from harness import Harness
    harness, rows = Harness(), []
    for job in jobs:
        rows.append(measure(harness, job, {name: Kernel(os.path.join(folder, job.name)) for name, folder in folders.items()}))
        print(rows[-1].get("wrong") or f"{job.name:34} " + ", ".join(f"{n} {t:.2f}" for n, t in rows[-1]["us"].items())
              + " µs " + ", ".join(f"×{r:.2f} {rows[-1]['params'][n]}" for n, r in rows[-1]["ratios"].items()), flush=True)
        torch.cuda.empty_cache()
    return rows


def summarize(rows, names):
    """Summarizes correctness, and the ratio to the faster library."""
    from harness import geometric_mean, percentile
    wrong = sum("wrong" in row for row in rows)
    for name in names:
        ratios = [row["ratios"][name] for row in rows if "ratios" in row]
        print(f"{name}: {len(ratios)} products, geometric mean ×{geometric_mean(ratios):.3f} of the faster library, fifth percentile "
              f"×{percentile(ratios, 5):.3f}, worst ×{min(ratios):.3f}")
    first, *others = names
    for name in others:
        gains = [row["ratios"][name] / row["ratios"][first] for row in rows if "ratios" in row]
        print(f"{name}: ×{geometric_mean(gains):.3f} of {first}, {sum(gain > 1.02 for gain in gains)} more than 2 % faster, "
              f"{sum(gain < 0.98 for gain in gains)} more than 2 % slower")
    print(f"{wrong} wrong")
    return wrong == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner", help="tilegpt-run")
    parser.add_argument("compiler", help="tilegpt-opt")
    parser.add_argument("folder", help="for records and cubins")
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, default=120)
    parser.add_argument("--out", default="")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    find_ptxas()
    jobs = random_jobs("products", options.draws, options.seed)
    records = tune(options, jobs)
    folders = {"untuned": compile_all(options, jobs, "untuned", "off"), "tuned": compile_all(options, jobs, "tuned", records)}
    rows = race(jobs, folders)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(rows, file, indent=1)
    return 0 if summarize(rows, list(folders)) else 1


if __name__ == "__main__":
    sys.exit(main())
