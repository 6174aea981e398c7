# Compares the perplexity a command prints for the validation tokens of reference.json with the reference's.
import json
import subprocess
import sys

reference, tolerance, *command = sys.argv[1:]
with open(reference, encoding="utf-8") as file:
    expected = json.load(file)
ids = ",".join(map(str, expected["val_tokens"]))
done = subprocess.run(command + ["--tokens", ids], check=True, capture_output=True, text=True)
if not abs(float(done.stdout) - expected["perplexity"]) <= float(tolerance):
    sys.exit(f"expected {expected['perplexity']} within {tolerance}, got {done.stdout}")
