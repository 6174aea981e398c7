#!/usr/bin/python3
"""Measures the time from starting tilegpt-run to the first kernel and to the first token, on the CPU.

cold: with an empty compilation cache; warm: the second start. Each figure is the median of several runs in separate
processes. Besides wall time, reports the CPU time of the whole process, which a busy machine distorts less."""

import argparse
import json
import math
import os
import re
import resource
import statistics
import struct
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write_checkpoint(path):
    """Writes a gpt2 checkpoint in Hugging Face's single-file layout, all numbers 2^-7, with matrices as [in, out]."""
    width, layers, vocabulary, context = 768, 12, 50257, 1024
    shapes = {"wte.weight": [vocabulary, width], "wpe.weight": [context, width]}
    norms = [f"h.{i}.ln_{j}" for i in range(layers) for j in (1, 2)] + ["ln_f"]
    for norm in norms:
        shapes |= {norm + ".weight": [width], norm + ".bias": [width]}
    sizes = {"attn.c_attn": (1, 3), "attn.c_proj": (1, 1), "mlp.c_fc": (1, 4), "mlp.c_proj": (4, 1)}
    for i in range(layers):
        for name, (inputs, outputs) in sizes.items():
            shapes |= {f"h.{i}.{name}.weight": [inputs * width, outputs * width], f"h.{i}.{name}.bias": [outputs * width]}
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 64 + 56)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        block = struct.pack("<f", 2**-7) * (1 << 20)
        for begin in range(0, end, len(block)):
            file.write(block[:end - begin])


def start(tool, model, cache):
    """Runs one token; returns the seconds to the first kernel and to the token, and the CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    with subprocess.Popen(
            [tool, *model, "--cache-dir", cache, "--tokens", "859,26,199,7,41", "-n", "1", "--temp", "0", "--print-ids"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        run.stdout.read(1)
        token = time.monotonic() - begin
        report = run.communicate()[1].decode()
    if run.returncode != 0:
        raise SystemExit(report)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The report has the time of each stage; the remainder passed before the first one.
    stage = {name: float(ms) / 1e3 for name, ms in re.findall(r"^(\w+) +([\d.]+) ms", report, re.MULTILINE)}
    return {"compile": stage["compile"], "load": stage["load"], "kernel": token - stage["prefill"], "token": token, "cpu": cpu}


def measure(options, results, name, model):
    """Prints and records the medians of cold and warm starts."""
    for kind in ("cold", "warm"):
        runs = []
        with tempfile.TemporaryDirectory() as cache:
            if kind == "warm":
                start(options.tool, model, cache)
            for number in range(options.runs):
                runs.append(start(options.tool, model, cache if kind == "warm" else os.path.join(cache, str(number))))
        middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        results.append({"model": name, "start": kind, **middle})
        print(f"{name:22}  {kind:5}  {middle['compile']:8.3f}  {middle['load']:8.3f}  {middle['kernel']:12.3f}"
              f"  {middle['token']:11.3f}  {middle['cpu']:7.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/dev/bin/tilegpt-run"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", help="file for the results")
    options = parser.parse_args()
    results = []
    print("model                   start   compile      load  first kernel  first token   CPU, s")
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = os.path.join(folder, "model.safetensors")
        write_checkpoint(checkpoint)
        text = os.path.join(ROOT, "models/gpt2.mlir")
        measure(options, results, "shakespeare, 6 layers", [text, "--weights", os.path.join(ROOT, "models/shakespeare")])
        measure(options, results, "gpt2, a checkpoint", [text, "--weights", checkpoint])
        measure(options, results, "gpt2, random weights", [text, "--random-weights", "1"])
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
