#!/usr/bin/env python3
"""Tunes products at random sizes, and races what comes of it and what the compiler chooses by itself beside cuBLAS and cuBLASLt.

    tune_products.py TILEGPT_RUN TILEGPT_OPT FOLDER [--draws 40] [--seed 0] [--budget 120] [--out FILE]

One call does all of it, on a machine with a GPU and PyTorch: `tilegpt-run tune` writes FOLDER/records.json within the budget, a
second process verifies the records, both kernels of every product are compiled and checked against float64, then timed as
kernels.py times them. A ptxas that Triton brings along is taken where there is no other.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import time
import types

from build import compile_job, module_of
from random_jobs import random_jobs


def find_ptxas():
    """Tell the compiler of Triton's where there is no other."""
    if "TILEGPT_PTXAS" in os.environ or shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
        return
    import triton
    bundled = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "ptxas")
    if os.path.exists(bundled):
        os.environ["TILEGPT_PTXAS"] = bundled


def tune(options, jobs):
    """The records of the products; what the tuner and the verifier say is printed."""
    text, records = (os.path.join(options.folder, name) for name in ("products.mlir", "records.json"))
    with open(text, "w") as file:
        file.writelines(module_of(job) for job in jobs)
    if os.path.exists(records):
        os.remove(records)
    command = [options.runner, "tune", text, "--device", "cuda", "--cache-dir", "off"]
    begin = time.time()
    subprocess.run([*command, "--budget", str(options.budget), "--out", records], check=True)
    print(f"tuned in {time.time() - begin:.1f} s", flush=True)
    verified = subprocess.run([*command, "--verify", records])
    print(f"verified in another process: exit code {verified.returncode}", flush=True)
    return records


def compile_all(options, jobs, name, tuning):
    """A folder of the cubins of all jobs."""
    folder = os.path.join(options.folder, name)
    os.makedirs(folder, exist_ok=True)
    flags = types.SimpleNamespace(compiler=options.compiler, out=folder, arch="sm_90a", tuning=tuning)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: compile_job(job, flags), jobs))
    return folder


def race(jobs, folders):
    """A row of the table for each job and folder."""
    import torch

    from driver import Kernel
    from harness import Harness
    from kernels import measure, show
    harness, rows = Harness(), []
    flags = types.SimpleNamespace(check_only=False, triton=False, contenders="", target_us=1500.0)
    for job in jobs:
        row = {}
        for name, folder in folders.items():
            row[name] = measure(harness, job, Kernel(os.path.join(folder, job.name)), flags)
            print(f"{name:8} {show(row[name])}", flush=True)
            torch.cuda.empty_cache()
        rows.append(row)
    return rows


def summarize(rows, names):
    """Whether all are right; how far from the faster library."""
    from harness import geometric_mean, percentile
    wrong = sum("wrong" in row[name] for row in rows for name in names)
    for name in names:
        ratios = [row[name]["ratio"] for row in rows if "ratio" in row[name]]
        print(f"{name}: {len(ratios)} products, geometric mean ×{geometric_mean(ratios):.3f} of the faster library, fifth percentile "
              f"×{percentile(ratios, 5):.3f}, worst ×{min(ratios):.3f}")
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
    folders = {"untuned": compile_all(options, jobs, "untuned", ""), "tuned": compile_all(options, jobs, "tuned", records)}
    rows = race(jobs, folders)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(rows, file, indent=1)
    return 0 if summarize(rows, list(folders)) else 1


if __name__ == "__main__":
    sys.exit(main())
