"""Interrupts `tilegpt-run tune` in its first heat and checks that it ends soon, with exit code 130 and a records file.

Usage: interrupt-tune.py RECORDS.json COMMAND…
"""
import json
import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True)
first = process.stdout.readline()  # the model is compiled, the race starts
assert first.startswith("tune: "), first
time.sleep(0.5)
process.send_signal(signal.SIGINT)
rest, _ = process.communicate(timeout=300)
assert process.returncode == 130, process.returncode
assert json.load(open(sys.argv[1]))["format"] == "tilegpt-tuning"
print(rest)
