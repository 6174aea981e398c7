#!/usr/bin/python3
"""How long it takes from the call of tilegpt-run to the first kernel and to the first token, on the CPU.

cold: nothing is kept of compilations; warm: the second start. Each figure is the median of some runs in processes of their
own. Beside wall time stands the CPU time of the whole process, which a busy machine distorts less."""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def start(tool, model, cache):
    """One run of one token: seconds to the first kernel, to the end, and of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    done = subprocess.run(
        [tool, *model, "--cache-dir", cache, "--tokens", "859,26,199,7,41", "-n", "1", "--temp", "0", "--print-ids"],
        check=True, capture_output=True, text=True)
    end = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The report says what each stage took; what is left was spent before the first one or after the last.
    stage = {name: float(ms) / 1e3 for name, ms in re.findall(r"^(\w+) +([\d.]+) ms", done.stderr, re.MULTILINE)}
    return {"compile": stage["compile"], "load": stage["load"], "kernel": end - stage["prefill"], "token": end, "cpu": cpu}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/dev/bin/tilegpt-run"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", help="file for the results")
    options = parser.parse_args()
    text = os.path.join(ROOT, "models/gpt2.mlir")
    models = {
        "shakespeare, 6 layers": [text, "--weights", os.path.join(ROOT, "models/shakespeare")],
        "gpt2, random weights": [text, "--random-weights", "1"],
    }
    results = []
    print("model                   start   compile      load  first kernel  first token   CPU, s")
    for name, model in models.items():
        for kind in ("cold", "warm"):
            runs = []
            with tempfile.TemporaryDirectory() as cache:
                if kind == "warm":
                    start(options.tool, model, cache)
                for number in range(options.runs):
                    folder = cache if kind == "warm" else os.path.join(cache, str(number))
                    runs.append(start(options.tool, model, folder))
            middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            results.append({"model": name, "start": kind, **middle})
            print(f"{name:22}  {kind:5}  {middle['compile']:8.3f}  {middle['load']:8.3f}  {middle['kernel']:12.3f}"
                  f"  {middle['token']:11.3f}  {middle['cpu']:7.3f}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
