#!/usr/bin/env python3
"""Compares the passes that a guide's table lists for each phase with those that the phase runs, including their order.

Usage: phase_passes.py GUIDE.md MODEL.mlir [FLAG…]

Rows of the table are | `phase` | … | … `pass` `pass` … |; upstream passes may be omitted. FLAGs are those of
tilegpt-opt: an architecture for GPU phases. Prints the compared phases; exits 1 with both lists if they differ.
"""

import re
import subprocess
import sys

OURS = re.compile(r"(?:gpt|tile|cpu)-[a-z0-9-]+")
MODEL = ["--configure=layers=1 heads=1 width=64 context=64 vocab=64", "--plans=decode:1-1"]


def listed(guide):
    """The passes of each phase according to the guide."""
    phases = {}
    with open(guide, encoding="utf-8") as text:
        for line in text:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            name = re.fullmatch(r"`([a-z]+)`", cells[0])
            passes = [word for word in re.findall(r"`([^`]+)`", cells[-1]) if OURS.fullmatch(word)]
            if name and passes:
                phases[name.group(1)] = passes
    return phases


def run(model, flags, phase):
    """The passes up to the end of a phase, without duplicates."""
    command = ["tilegpt-opt", model, *MODEL, *flags, f"--compile-to={phase}", "-o", "/dev/null"]
    done = subprocess.run(
        command + ["--mlir-disable-threading", "--mlir-print-ir-before-all", "--mlir-elide-elementsattrs-if-larger=0"],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} fails: {done.stderr[-400:]}")
    found = re.findall(r"IR Dump Before \S+ \(([a-z0-9-]+)", done.stderr)
    return [name for name in dict.fromkeys(found) if OURS.fullmatch(name)]


def main():
    guide, model, *flags = sys.argv[1:]
    phases = listed(guide)
    order = ["graph", "launches", "specialized"]
    order += ["planned", "layouts", "threads", "nvvm"] if flags else ["linalg", "bufferized", "vector", "llvm"]
    before, wrong = [], 0
    for phase in order:
        now = run(model, flags, phase)
        new = [name for name in now if name not in before]
        before = now
        if phase not in phases:
            continue
        if phases[phase] != new:
            wrong += 1
            print(f"{guide}: {phase}\n  lists {' '.join(phases[phase])}\n  runs  {' '.join(new)}")
        else:
            print(f"{phase}: {len(new)} passes")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
