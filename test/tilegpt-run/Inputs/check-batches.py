# Compares the logits of steps that --bench measured with those of each sequence on its own. Standard library only.
import json
import re
import subprocess
import sys

from npy import read_npy

lines, ids, dumped, alone, *command = sys.argv[1:]
ids = ids.split(",")


def tokens(first, count):
    return [ids[i % len(ids)] for i in range(first, first + count)]


with open(lines, encoding="utf-8") as file:
    tests = [json.loads(line)["test"] for line in file]
for test in tests:
    kind, count, sequences, depth = re.fullmatch(r"(\w+):(\d+)x(\d+)@(\d+)", test).groups()
    count, sequences, depth = int(count), int(sequences), int(depth)
    rows = count if kind == "score" else 1
    shape, logits = read_npy(dumped.replace(".npy", f"-{test}.npy"))
    vocabulary = shape[1]
    if shape[0] != sequences * rows:
        sys.exit(f"{test}: expected {sequences * rows} rows, got {shape[0]}")
    for b in range(sequences):
        text = tokens(b * depth, depth) + tokens(sequences * depth + b * count, count)
        subprocess.run(command + ["--tokens", ",".join(text), "--dump-logits", alone], check=True, capture_output=True)
        _, expected = read_npy(alone)
        got = logits[b * rows * vocabulary : (b + 1) * rows * vocabulary]
        worst = max(abs(x - y) for x, y in zip(got, expected[-rows * vocabulary :], strict=True))
        if not worst <= 1e-3:
            sys.exit(f"{test}: logits of sequence {b} differ by {worst}")
