# Runs a command once for every prompt of reference.json and compares the ids it prints with the reference's.
import json
import subprocess
import sys

reference, *command = sys.argv[1:]
with open(reference, encoding="utf-8") as file:
    prompts = json.load(file)["prompts"]
for prompt in prompts:
    ids = ",".join(map(str, prompt["ids"]))
    done = subprocess.run(command + ["--tokens", ids], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{prompt['prompt']!r}: {done.stderr}")
    generated = prompt["ids"] + [int(word) for word in done.stdout.split()]
    if generated != prompt["greedy_ids"]:
        sys.exit(f"{prompt['prompt']!r}: expected {prompt['greedy_ids']}, got {generated}")
