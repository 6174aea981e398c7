"""Writes a tuning record that decides a fusion otherwise, from the IR that --tile-fuse-launches=shows-decisions prints.

Usage: fusion-record.py NAME FIRST-LAST [RECORDS.json, for the device] < SHOWN.mlir > RECORD.json
"""
import json
import re
import sys

name, rows, *others = sys.argv[1:]
device = {"arch": "x86_64", "name": "znver4", "lanes": 4}
if others:
    with open(others[0]) as file:
        device = json.load(file)["device"]
found = re.search(r'\{digest = "(\w+)", fused = (\w+), name = "' + re.escape(name) + r'", operands = (\[[^]]*\])\}', sys.stdin.read())
digest, fused, operands = found.groups()
record = {"kernel": name, "digest": digest, "operands": json.loads(operands), "rows": [int(row) for row in rows.split("-")], "params": {},
          "fused": fused == "false", "measured": {"us": 1, "defaultUs": 2, "wins": 1, "samples": 40}, "tool": "test"}
print(json.dumps({"format": "tilegpt-tuning", "version": 1, "device": device, "records": [record]}))
