#!/usr/bin/env python3
"""Compares logits and tokens of tiny models of all families with transformers: a table of errors.

    families.py TILEGPT_RUN FAMILIES [--variants FILE.json] [--device cuda] [--types f32,bf16] [--bundles DIR] [--only REGEX]

FAMILIES is the unpacked test/data/families.tar.xz; --bundles has NAME-TYPE.tgb for each model, for a tilegpt-run without
a compiler. In f32 logits must be within 2e-3, for whole prompts and for the longest one token by token, and greedy tokens
must be equal; in bf16 the largest error of a family is compared with that of transformers in bf16. --variants is
family-variants.json: families with another config.json, checked in f32 by the last logits of a prompt and the next tokens.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

TOLERANCE = 2e-3


def read_logits(path):
    """The tensors of reference_logits.safetensors, all f32, in the order of the prompts."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    tensors = []
    for number in range(len([name for name in header if name.startswith("logits.")])):
        entry = header[f"logits.{number}"]
        begin, end = entry["data_offsets"]
        tensors.append(numpy.frombuffer(data[8 + size + begin:8 + size + end], "<f4").reshape(entry["shape"]))
    return tensors


def run(command, ids, *flags):
    """Runs the program on these tokens and returns its output."""
    done = subprocess.run([*command, "--tokens", ",".join(map(str, ids)), *flags], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()[-400:]}")
    return done.stdout


def continuation(command, ids, path, greedy_ids):
    """The logits at every position of a prompt, dumped to a file, and whether the generated tokens equal transformers'."""
    out = run(command, ids, "--dump-logits", path, "-n", str(len(greedy_ids) - len(ids)), "--temp", "0", "--print-ids")
    tokens = [int(word) for word in out.split()]
    # An end-of-text token ends the run.
    return numpy.load(path).astype(numpy.float64), tokens == greedy_ids[len(ids):][:len(tokens)] and len(tokens) > 0


class Family:
    def __init__(self, options, name, dtype):
        self.name, self.dtype, self.folder = name, dtype, os.path.join(options.families, name)
        with open(os.path.join(self.folder, "reference.json")) as file:
            self.results = json.load(file)
        self.wanted = read_logits(os.path.join(self.folder, "reference_logits.safetensors"))
        bundle = [os.path.join(options.bundles, f"{name}-{dtype}.tgb")] if options.bundles else []
        self.command = [options.program, *bundle, "--weights", self.folder, "--device", options.device, "--dtype", dtype]

    def run(self, ids, *flags):
        return run(self.command, ids, *flags)

    def prompt(self, number):
        """Differences of the logits of a prompt, and whether the generated tokens equal transformers'."""
        prompt = self.results["prompts"][number]
        with tempfile.TemporaryDirectory() as folder:
            logits, equal = continuation(self.command, prompt["ids"], os.path.join(folder, "logits.npy"), prompt["greedy_ids"])
        return logits - self.wanted[number], equal

    def steps(self):
        """Differences of the logits of the longest prompt, token by token."""
        ids = self.results["prompts"][-1]["ids"]
        tests = [f"decode:1@{position}" for position in range(len(ids))]
        with tempfile.TemporaryDirectory() as folder:
            self.run(ids, "--bench", ",".join(tests), "--repetitions", "1",
                     "--dump-logits", os.path.join(folder, "logits.npy"))
            rows = [numpy.load(os.path.join(folder, f"logits-decode:1x1@{position}.npy")) for position in range(len(ids))]
        return numpy.concatenate(rows).astype(numpy.float64) - self.wanted[-1]


def variant(options, about):
    """The largest difference of a variant's last logits in f32, and whether the generated tokens equal transformers'."""
    source = os.path.join(options.families, about["family"])
    with open(os.path.join(source, "config.json")) as file:
        config = {**json.load(file), **about["config"]}
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump({key: value for key, value in config.items() if value is not None}, file)
        os.symlink(os.path.abspath(os.path.join(source, "model.safetensors")), os.path.join(folder, "model.safetensors"))
        capacity = ["--ctx-size", str(about["capacity"])] if "capacity" in about else []
        logits, equal = continuation([options.program, "--weights", folder, "--device", options.device, *capacity],
                                     about["ids"], os.path.join(folder, "logits.npy"), about["greedy_ids"])
    return float(numpy.abs(logits[-1] - about["last_logits"]).max()), equal


def check_variants(options, pool):
    """Prints a table of the variants; returns the number of failures."""
    failed = 0
    with open(options.variants) as file:
        abouts = {name: about for name, about in json.load(file).items() if re.search(options.only, name)}
    print("\n| variant | error of the last logits | greedy tokens |\n|---|---|---|")
    futures = {name: pool.submit(variant, options, about) for name, about in abouts.items()}
    for name, future in futures.items():
        try:
            error, equal = future.result()
        except (RuntimeError, OSError) as problem:
            failed += 1
            print(f"| {name} | {problem} |", flush=True)
            continue
        right = error <= TOLERANCE and equal
        failed += not right
        print(f"| {name} | {error:.2g}{'' if right else ' exceeded'} | {'equal' if equal else 'differ'} |", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="tilegpt-run")
    parser.add_argument("families", help="folder of checkpoints")
    parser.add_argument("--variants", default="", help="family-variants.json; needs a tilegpt-run that compiles")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--types", default="f32,bf16")
    parser.add_argument("--bundles", default="", help="folder of compiled models")
    parser.add_argument("--only", default="", help="regular expression for the names of families")
    parser.add_argument("--jobs", type=int, default=8, help="processes at a time")
    options = parser.parse_args()

    names = [name for name in sorted(os.listdir(options.families)) if re.search(options.only, name)]
    families = [Family(options, name, dtype) for dtype in options.types.split(",") for name in names]
    failed = 0
    print("| family | type | largest error | token by token | allowed | rms | greedy tokens |\n|---|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [([pool.submit(family.prompt, number) for number in range(len(family.wanted))], pool.submit(family.steps))
                   for family in families]
        for family, (prompts, steps) in zip(families, futures):
            try:
                differences, equal = zip(*(prompt.result() for prompt in prompts))
                whole, single = (float(numpy.abs(numpy.concatenate(rows)).max())
                                 for rows in (differences, [steps.result()]))
            except (RuntimeError, OSError) as error:
                failed += 1
                print(f"| {family.name} | {family.dtype} | {error} |", flush=True)
                continue
            exact = family.dtype == "f32"
            allowed = TOLERANCE if exact else family.results["bf16_error"]
            # A NaN fails the comparison.
            right = whole <= allowed and (not exact or single <= allowed and all(equal))
            failed += not right
            rms = float(numpy.sqrt(numpy.mean(numpy.square(numpy.concatenate(differences)))))
            print(f"| {family.name} | {family.dtype} | {whole:.2g} | {single:.2g} | {allowed:.2g}{'' if right else ' exceeded'} "
                  f"| {rms:.2g} | {sum(equal)} of {len(equal)} |", flush=True)
        if options.variants:
            failed += check_variants(options, pool)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
