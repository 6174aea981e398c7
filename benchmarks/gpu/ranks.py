#!/usr/bin/env python3
"""Compares a model on several GPUs with one, in one run: every step on every number of ranks, and the memory of each rank.

    ranks.py build TILEGPT_RUN BUNDLES [--ranks 1,2] [--models gpt2-xl] [--dtype bf16] [--arch sm_90a]
    ranks.py run TILEGPT_RUN BUNDLES [--ranks 1,2] [--share] [--collectives auto,nccl] [--overlap 0,2048] [--out FILE.json]

`build` needs ptxas and no GPU. `run` runs each bundle on the number of GPUs it is built for; with --share all ranks
use GPU 0, which tests correctness but not speed. A step takes as long as its slowest rank. Weights are random.
"""

import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys

from build_models import GPT2, GRID

STEPS = ("decode:1x32@512", "prefill:1024x8", "decode:1x1@512")


def numbers(text):
    return [int(number) for number in text.split(",")]


def parse_flags():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ("build", "run"):
        flags = commands.add_parser(command)
        flags.add_argument("program", help="tilegpt-run")
        flags.add_argument("bundles", help="folder of MODEL-DTYPE-RANKS.tgb")
        flags.add_argument("--ranks", type=numbers, default=[1, 2], help="how many, the first is what others are compared with")
        flags.add_argument("--models", default="gpt2-xl", help="of build_models.py, separated by commas")
        flags.add_argument("--dtype", default="bf16")
        if command == "build":
            flags.add_argument("--device", default="cuda", help="what to compile for")
            flags.add_argument("--arch", default="sm_90a", help="the GPU to compile for")
        else:
            flags.add_argument("--steps", default=",".join(STEPS))
            flags.add_argument("--repetitions", type=int, default=20)
            flags.add_argument("--collectives", default="auto", help="ways to exchange, separated by commas")
            flags.add_argument("--overlap", default="0,2048",
                               help="KiB from which on halves of a step take turns to exchange, separated by commas; 0: never")
            flags.add_argument("--device", default="cuda", help="what to run on")
            flags.add_argument("--share", action="store_true", help="all ranks take GPU 0")
            flags.add_argument("--out", help="file for the results as JSON")
    return parser.parse_args()


def bundle_of(flags, model, ranks):
    return os.path.join(flags.bundles, f"{model}-{flags.dtype}-{ranks}.tgb")


def build(flags):
    os.makedirs(flags.bundles, exist_ok=True)
    for model in flags.models.split(","):
        layers, heads, width = {**GRID, **GPT2}[model]
        text = os.path.join(flags.bundles, f"{model}-{flags.dtype}.mlir")  # unlike the name of the model it derives from
        with open(text, "w") as file:
            file.write(f'gpt.model @{model.replace("-", "_")} like "gpt2" {{layers = {layers}, heads = {heads}, '
                       f"width = {width}, context = 1024, vocab = 50257}}\n")
        target = ["--device", "cuda", "--arch", flags.arch] if flags.device == "cuda" else []
        for ranks in flags.ranks:
            subprocess.run([flags.program, text, *target, "--dtype", flags.dtype, "--parallel", "32", "--batch-size",
                            "8192", "--tp", str(ranks), "--save", bundle_of(flags, model, ranks)], check=True)
        os.remove(text)


def measure(flags, model, ranks, way, overlap):
    """{"us": {step: µs}, "memory": [{"weights": MB, "cache": MB} of each rank], "exchange": the transport}"""
    command = [flags.program, bundle_of(flags, model, ranks), "--random-weights", "1", "--bench", flags.steps,
               "--repetitions", str(flags.repetitions)]
    if flags.device != "cpu":
        command += ["--device", "cuda:0" if flags.share else "cuda"]
    if ranks > 1:
        command += ["--tp", str(ranks)]
        command += [] if flags.device == "cpu" else ["--collectives", way, "--overlap-exchanges", overlap]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
    slowest = collections.defaultdict(float)
    for line in map(json.loads, done.stdout.splitlines()):
        samples = line.get("device_samples_ns") or line["samples_ns"]
        slowest[line["test"]] = max(slowest[line["test"]], statistics.median(samples) / 1e3)
    memory = [{"weights": float(weights), "cache": float(cache)} for weights, cache in
              re.findall(r"^rank \d+ +([0-9.]+) MB of weights, ([0-9.]+) MB of cache$", done.stderr, re.MULTILINE)]
    exchange = re.search(r"^ranks exchange through (.*)$", done.stderr, re.MULTILINE)
    return {"ranks": ranks, "us": dict(slowest), "memory": memory, "exchange": exchange[1] if exchange else way,
            "overlap_kib": int(overlap)}


def report(flags, model, results):
    where = "on the CPU" if flags.device == "cpu" else "sharing ONE GPU" if flags.share else "a GPU each"
    print(f"{model}, {flags.dtype}, ranks {where}: µs a step, and how many times as fast as {flags.ranks[0]} of them")
    for result in results:
        times = "  ".join(f"{step} {us:9.1f} ({results[0]['us'][step] / us:.2f})" for step, us in result["us"].items())
        held = ", ".join(f"{rank['weights']:.1f} + {rank['cache']:.1f}" for rank in result["memory"])
        ranks = result["ranks"]
        print(f"{ranks:3} {'rank ' if ranks == 1 else 'ranks'}  {times}" +
              (f"  MB of weights + cache: {held}; through {result['exchange']}" if held else "") +
              (f"; halves from {result['overlap_kib']} KiB on" if result["overlap_kib"] else ""))


def run(flags):
    everything = {}
    for model in flags.models.split(","):
        results = []
        for ranks in flags.ranks:
            several = ranks > 1 and flags.device != "cpu"
            for way in flags.collectives.split(",") if several else ("sockets",):
                for overlap in flags.overlap.split(",") if several else ("0",):
                    results.append(measure(flags, model, ranks, way, overlap))
        everything[model] = results
        report(flags, model, results)
    if flags.out:
        with open(flags.out, "w") as file:
            json.dump({"dtype": flags.dtype, "device": flags.device, "shared": flags.share, "models": everything}, file,
                      indent=1)


if __name__ == "__main__":
    flags = parse_flags()
    sys.exit((build if flags.command == "build" else run)(flags))
