#!/usr/bin/env python3
"""Compiles every kernel of a folder with the command a new user would type, for GPUs and for the CPU.

Usage: every_kernel.py FOLDER

If tilegpt-opt asks for a size, its proposal must work. Prints failures; exits 1 if there are any, or if the
folder has no kernels.
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
    """Returns the output of compiling; empty on success."""
    done = subprocess.run(["tilegpt-opt", kernel, *flags, "-o", "/dev/null"], capture_output=True, text=True, check=False)
    if done.returncode == 0 and not done.stderr:
        return ""
    return done.stderr or f"exit code {done.returncode}"


def check(kernel):
    """The errors of a kernel, one per line."""
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
