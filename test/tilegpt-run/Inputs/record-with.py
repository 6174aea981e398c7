"""Writes one record of a file with other parameters.

Usage: record-with.py RECORDS.json OUT.json KERNEL [EXPLAINED] NAME=VALUE…

EXPLAINED is the output of --tile-apply-records=explain, whose digest the record gets.
"""
import json
import re
import sys

source, target, kernel, *rest = sys.argv[1:]
with open(source) as file:
    records = json.load(file)
record = next(record for record in records["records"] if record["kernel"] == kernel)
if "=" not in rest[0]:
    with open(rest.pop(0)) as file:
        record["digest"] = re.search(rf"@{kernel} of text ([0-9a-f]+)", file.read()).group(1)
record["params"] = {name: int(value) for name, value in (word.split("=") for word in rest)}
records["records"] = [record]
with open(target, "w") as file:
    json.dump(records, file)
