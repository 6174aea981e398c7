"""Keeps the records of one kernel, model, or pair of kernels.

Usage: pick-record.py NAME RECORDS.json > RECORD.json
"""
import sys

name, path = sys.argv[1:]
with open(path) as file:
    lines = file.read().splitlines()
records = [line.rstrip(",") for line in lines if line.startswith(f'  {{"kernel": "{name}"')]
print("\n".join([*lines[:3], ",\n".join(records), " ]}"]))
