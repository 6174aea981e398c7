# Dumps the logits of every prompt of a checkpoint's reference.json and compares them with reference_logits.safetensors.
# Standard library only.
import array
import json
import os
import struct
import subprocess
import sys

from npy import read_npy


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data, 0)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        assert entry["dtype"] == "F32", entry
        yield name, (entry["shape"], array.array("f", data[begin:end]))


folder, tolerance, dump, *command = sys.argv[1:]
with open(os.path.join(folder, "reference.json"), encoding="utf-8") as file:
    prompts = json.load(file)["prompts"]
expected = dict(read_safetensors(os.path.join(folder, "reference_logits.safetensors")))
assert len(expected) == len(prompts), list(expected)
for prompt, name in zip(prompts, sorted(expected, key=lambda name: int("".join(filter(str.isdigit, name))))):
    ids = ",".join(map(str, prompt["ids"]))
    subprocess.run(command + ["--tokens", ids, "--dump-logits", dump], check=True, capture_output=True)
    shape, values = read_npy(dump)
    wanted_shape, wanted = expected[name]
    if shape != wanted_shape:
        sys.exit(f"{prompt['prompt']!r}: expected shape {wanted_shape}, got {shape}")
    worst = max(abs(a - b) for a, b in zip(values, wanted))
    if not worst <= float(tolerance):
        sys.exit(f"{prompt['prompt']!r}: logits differ by {worst}, expected at most {tolerance}")
