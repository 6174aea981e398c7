"""Runs every pass of ours alone on kernels, on models and on what each phase makes of them.

every_pass.py ROOT FOLDER [KERNEL…]"""

import concurrent.futures
import os
import re
import subprocess
import sys

ROOT, FOLDER = sys.argv[1:3]
KERNELS = sys.argv[3:] or ["softmax"]
PHASES = ["specialized", "linalg", "bufferized", "vector", "llvm", "planned", "layouts", "threads", "nvvm"]
SIZES = {"softmax": ["--bind=C=64"], "layer_norm": ["--bind=C=64"]}
INTERNAL = re.compile(r"bug of TileGPT|llvm-project|LLVM ERROR|Stack dump")


def passes():
    """The names that Passes.td declares, and the pipelines."""
    names = ["tile-to-gpu", "tile-to-cpu"]
    for folder, _, files in os.walk(os.path.join(ROOT, "include")):
        for file in files:
            if file == "Passes.td":
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    names += re.findall(r': *(?:Interface)?Pass<"([a-z0-9-]+)"', text.read())
    return names


def inputs():
    """Files of text, made where there are none."""
    os.makedirs(FOLDER, exist_ok=True)
    yield os.path.join(ROOT, "models/nano.mlir")
    for kernel in KERNELS:
        source = os.path.join(ROOT, "kernels", kernel + ".mlir")
        yield source
        for phase in PHASES:
            path = os.path.join(FOLDER, f"{kernel}-{phase}.mlir")
            subprocess.run(["tilegpt-opt", source, "--compile-to=" + phase, "-o", path, *SIZES.get(kernel, [])], check=True)
            yield path


def run(job):
    """What is wrong with a pass on a file; empty if nothing is."""
    name, path = job
    try:
        done = subprocess.run(["tilegpt-opt", path, "--" + name, "-o", "/dev/null"], capture_output=True, text=True,
                              errors="replace", timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return f"--{name} {os.path.basename(path)}: no end"
    if done.returncode in (0, 1) and not INTERNAL.search(done.stderr):
        return ""
    return f"--{name} {os.path.basename(path)}: exit code {done.returncode}: {done.stderr[:300]}"


def main():
    names, files = passes(), list(inputs())
    jobs = [(name, path) for name in names for path in files]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(run, jobs) if problem]
    print(*problems, sep="\n")
    print(f"{len(names)} passes on {len(files)} files: {len(problems)} problems")


main()
