#!/usr/bin/env python3
"""Checks that kernels describe what to compute and never how.

usage: declarative.py TILEGPT_OPT KERNEL.mlir…

A kernel may use tile, arith, math and scf ops and tensor.extract, which reads one element of a tile. No line
of it, including comments, may mention threads, warps, lanes, barriers, shared memory, buffers or a device.
"""
import re
import subprocess
import sys

ALLOWED_DIALECTS = {"tile", "arith", "math", "scf"}
ALLOWED_OPS = {"builtin.module", "tensor.extract"}
FORBIDDEN = re.compile(
    r"\b(gpu|nvvm|nvgpu|rocdl|spirv|llvm|memref|vector|bufferization|async|omp|affine)\.\w+"
    r"|thread|warp|barrier|shared|\bsmem\b|\blanes?\b|\bsync|fence|\balloca?\b|\bcta\b|\bcluster|\bcuda\b|\bsimd\b"
    r"|\bregisters?\b|prefetch",
    re.I)


def check(opt, path):
    """Returns the errors in one file, one per line."""
    errors = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if match := FORBIDDEN.search(line):
                errors.append(f"{path}:{number}: '{match[0]}' says how, not what")
    run = subprocess.run([opt, "--mlir-print-op-generic", path], text=True, capture_output=True, check=False)
    if run.returncode != 0:
        return errors + [f"{path}: does not parse:\n{run.stderr}"]
    # In the generic form an op is a quoted name before its operands; attribute names end with `}>`, not `"(`.
    ops = set(re.findall(r'"([\w.]+)"\(', run.stdout))
    if "tile.kernel" not in ops:
        errors.append(f"{path}: holds no kernel")
    for op in sorted(ops - ALLOWED_OPS):
        if op.split(".")[0] not in ALLOWED_DIALECTS:
            errors.append(f"{path}: op '{op}' is not one a kernel is made of")
    return errors


def main():
    opt, *paths = sys.argv[1:]
    errors = [error for path in paths for error in check(opt, path)]
    print("\n".join(errors) if errors else f"{len(paths)} kernels are declarative")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
