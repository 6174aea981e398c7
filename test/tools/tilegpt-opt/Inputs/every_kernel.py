#!/usr/bin/env python3
"""Compiles every kernel of a folder with the one command that a newcomer would type, for GPUs and for the CPU.

Usage: every_kernel.py FOLDER

Where tilegpt-opt asks for a size, what it proposes must do. Prints what fails; exits 1 then, or when the
folder has no kernel.
"""

import glob
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TARGETS = [["--emit=ptx", f"--arch={arch}"] for arch in ("sm_80", "sm_89", "sm_90a")] + [["--compile-to=llvm"]]
SIZES = r"[A-Z]\w*(?:, [A-Z]\w*)* of @\w+"
ASKS = re.compile(rf"tilegpt-opt: error: (\S+): expected the sizes? {SIZES}(?: and {SIZES})*; "
                  r"add (--bind=\S+)(?: or (--arg=\S+))? with your sizes\n")


def compile_one(kernel, flags):
    """Nothing where it compiles in silence, else what it says."""
    done = subprocess.run(["tilegpt-opt", kernel, *flags, "-o", "/dev/null"], capture_output=True, text=True, check=False)
    if done.returncode == 0 and not done.stderr:
        return ""
    return done.stderr or f"exit code {done.returncode}"


def check(kernel):
    """What is wrong with a kernel, a line each."""
    said = compile_one(kernel, TARGETS[-2])
    if said:
        asked = ASKS.fullmatch(said)
        if not asked or asked.group(1) != kernel:
            return [f"{kernel}: {said}"]
        runs = [target + [asked.group(2)] for target in TARGETS]
        if asked.group(3):
            runs.append(TARGETS[-2] + [asked.group(3)])
    else:
        runs = TARGETS[:-2] + TARGETS[-1:]
    return [f"{kernel} {' '.join(flags)}: {said}" for flags in runs if (said := compile_one(kernel, flags))]


def main():
    kernels = sorted(glob.glob(sys.argv[1] + "/*.mlir"))
    with ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(check, kernels) for line in lines]
    print("\n".join(wrong) if wrong else "all compile")
    sys.exit(bool(wrong) or not kernels)


if __name__ == "__main__":
    main()
