"""Writes launches of matmuls, and records of their times with many tiles as `tilegpt-run tune --times` does: times grow with the
area of the tiles. One record is for a launch that does not exist, one has a raster.

Usage: times-of-launches.py TILEGPT_OPT LAUNCHES.mlir TIMES.json
"""
import json
import re
import subprocess
import sys

compiler, launches, times = sys.argv[1:]
SIZES = [(256, 1024, 512), (2048, 2048, 4096), (777, 4096, 1000), (4096, 768, 3072)]
with open(launches, "w") as file:
    for number, (m, n, k) in enumerate(SIZES):
        types = [f"tensor<{m}x{k}xbf16>", f"tensor<{n}x{k}xbf16>", f"tensor<{n}xf32>", f"tensor<{m}x{n}xbf16>"]
        arguments = ", ".join(f"%{number}: {type}" for number, type in enumerate(types))
        file.write(f"func.func @f{number}({arguments}) {{\n  %r = tile.launch @linear ins(%0, %1, %2) outs(%3) : ({', '.join(types)}) -> {types[3]}\n"
                   f"  return\n}}\n")
lowered = subprocess.run([compiler, launches, "--arch=sm_90a", "--compile-to=launches"], capture_output=True, text=True, check=True).stdout
explained = subprocess.run([compiler, "-", "--tile-apply-records=explain"], input=lowered, capture_output=True, text=True,
                           check=True).stderr
digest = re.search(r"@linear of text ([0-9a-f]+)", explained).group(1)
records = []
for m, n, k in SIZES:
    for rows in (64, 128, 256):
        for columns in (32, 64, 96, 128, 160, 192):
            blocks = -(-m // rows) * -(-n // columns)
            us = 2 + -(-blocks // 120) * k / 64 * (34 + rows * columns / 28) / 1755
            records.append({"kernel": "linear", "digest": digest, "operands": [f"{m}x{k}xbf16", f"{n}x{k}xbf16", f"{n}xf32", f"{m}x{n}xbf16"],
                            "rows": [0, 0], "params": {"BM": rows, "BN": columns, "BK": 64}, "plan": {"parts": 1, "multicast": 1},
                            "measured": {"us": us, "defaultUs": 9.0, "wins": 0, "samples": 3}, "tool": "test"})
records.append(records[0] | {"digest": "0" * 64})
records.append(records[0] | {"plan": {"raster": 4}})
with open(times, "w") as file:
    file.write('{"format": "tilegpt-tuning", "version": 1,\n "device": {"arch": "sm_90a", "name": "NVIDIA H200 NVL", "lanes": 120},\n')
    file.write(' "records": ' + json.dumps(records) + "}\n")
