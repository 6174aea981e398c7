#!/usr/bin/env python3
"""Kernels imported from CUDA Tile IR: compiled, checked against float64 and raced against PyTorch's libraries.

    imported.py build TILEGPT_OPT FOLDER [--arch sm_90a] [--only REGEX] [--tileiras PATH]      needs ptxas, no GPU
    imported.py run FOLDER [--only REGEX] [--out FILE]                                         needs a GPU and PyTorch

Peers: cuBLAS (torch.matmul, bmm), cuDNN's attention, PyTorch's own functions, and a copy of the same bytes. With --tileiras,
NVIDIA's assembler compiles the same bytecode, and its kernels are checked and raced as well.
"""

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys

from imported_jobs import imported_jobs


def build(options):
    os.makedirs(options.folder, exist_ok=True)
    failed = 0
    for job in wanted(options):
        base = os.path.join(options.folder, job.name)
        with open(base + ".mlir", "w") as file:
            file.write(job.text())

        def opt(kind, *flags):
            return subprocess.run([options.compiler, base + ".mlir", f"--emit={kind}", *flags], capture_output=True, check=True).stdout
        flags = [f"--arch={options.arch}"] + [f"--assume={job.assume}"] * bool(job.assume)
        try:
            with open(base + ".json", "wb") as file:
                file.write(opt("launch", *flags))
            seconds = cpu_seconds()
            with open(base + ".cubin", "wb") as file:
                file.write(opt("cubin", *flags))
            seconds = cpu_seconds() - seconds
            facts = json.loads(open(base + ".json").read())
            print(f"{job.name}: {facts['threads']} threads, {facts['registers']} registers, {len(facts['tensor_maps'])} maps, {seconds:.2f} s")
            if options.tileiras and not job.assume:
                with open(base + ".tileirbc", "wb") as file:
                    file.write(opt("cuda-tile-bytecode"))
                print(f"{job.name}: {assemble(job, base, options):.2f} s by tileiras")
        except subprocess.CalledProcessError as error:
            failed += 1
            print(f"{job.name}: {error.stderr.decode().strip()}", file=sys.stderr)
    return failed


def cpu_seconds():
    """CPU time of all finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def assemble(job, base, options):
    """Compiles a contender with NVIDIA's assembler, to be launched with one thread per block; returns it and the seconds."""
    seconds = cpu_seconds()
    subprocess.run([options.tileiras, f"--gpu-name={options.arch.rstrip('a')}", base + ".tileirbc", "-o", base + "@tileiras.cubin"],
                   capture_output=True, check=True)
    seconds = cpu_seconds() - seconds
    arguments = []
    for number, (shape, _, _) in enumerate(job.arrays):
        strides = [math.prod(shape[axis + 1:]) for axis in range(len(shape))]
        arguments += [{"pointer": number}] + [{"u32": value} for value in (*shape, *strides)]
    with open(base + "@tileiras.json", "w") as file:
        json.dump({"cubin": f"{job.name}@tileiras.cubin", "symbol": job.entry.name, "grid": [*job.blocks, 1, 1][:3], "threads": 1,
                   "shared_bytes": 0, "dependent_launch": False, "arguments": arguments}, file)
    return seconds


def wanted(options):
    return [job for job in imported_jobs() if re.search(options.only, job.name)]


def arguments_of(job, tensors):
    """Each array as pointer, sizes and strides."""
    return [value for tensor in tensors for value in (tensor, *tensor.shape, *tensor.stride())]


def run(options):
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel

    from contenders import contenders_of
    from driver import Kernel
    from harness import Harness

    types = {"bf16": torch.bfloat16, "f32": torch.float32}
    harness = Harness()
    torch.backends.cuda.matmul.allow_tf32 = True

    def compute(job, ins):
        if job.kind == "matmul_nt":
            return ins[0] @ ins[1].transpose(-1, -2)
        if job.kind in ("matmul", "matmul_tf32", "split_k"):
            return ins[0] @ ins[1]
        if job.kind in ("attention", "causal"):
            return F.scaled_dot_product_attention(*(t[None] for t in ins), is_causal=job.kind == "causal")[0]
        if job.kind == "add":
            return ins[0] + ins[1]
        if job.kind == "transpose":
            return ins[0].t().contiguous()
        if job.kind == "rms_norm":
            return F.rms_norm(ins[0], ins[0].shape[1:], ins[1].to(ins[0].dtype), 1e-5)
        return F.silu(ins[0]) * ins[1]

    def exact(job, ins):
        if job.kind not in ("attention", "causal"):
            return compute(job, [t.double() for t in ins])
        outs = []
        for q, k, v in zip(*(t.double() for t in ins)):
            scores = q @ k.t() / q.shape[-1] ** 0.5
            if job.kind == "causal":
                scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
            outs.append(torch.softmax(scores, -1) @ v)
        return torch.stack(outs)

    results = {}
    for job in wanted(options):
        kernel = Kernel(os.path.join(options.folder, job.name))
        tolerance = 1e-3 if job.kind == "matmul_tf32" else {"f32": 1e-5, "bf16": 4e-3}[job.arrays[-1][1]]

        def tensors():
            return [harness.normal(*shape, dtype=types[element], scale=shape[-1] ** -0.5 if len(shape) == 2 and "matmul" in job.kind else 1.0)
                    if role == "in" else torch.zeros(shape, dtype=types[element], device="cuda") for shape, element, role in job.arrays]

        def check(launch, output, want):
            if job.kind != "split_k":
                return harness.compare(launch, output, want, tolerance)
            output.zero_()                      # the kernel adds to it
            launch()
            torch.cuda.synchronize()
            error = ((output.double() - want).norm() / want.norm()).item()
            return error if error < tolerance else f"error {error:.2e}"

        first = tensors()
        want = exact(job, first[:-1])
        outcome = check(harness.bind(kernel, arguments_of(job, first), job.blocks), first[-1], want)
        others = contenders_of(options.folder, job.name)
        for name, other in list(others.items()):
            found = check(other.bind(first, harness.stream), first[-1], want)
            if isinstance(found, str):
                print(f"{job.name}: {name} is wrong: {found}", flush=True)
                del others[name]
        del want
        if isinstance(outcome, str):
            print(f"{job.name}: WRONG: {outcome}", flush=True)
            results[job.name] = {"wrong": outcome}
            continue
        nbytes = sum(t.numel() * t.element_size() for t in first)
        sets = [first] + [tensors() for _ in range(min(8, harness.copies(nbytes)) - 1)]
        contenders = {"ours": [harness.bind(kernel, arguments_of(job, s), job.blocks) for s in sets],
                      "peer": [lambda s=s: compute(job, s[:-1]) for s in sets],
                      **{name: [other.bind(s, harness.stream) for s in sets] for name, other in others.items()}}
        if job.kind in ("add", "transpose", "rms_norm", "silu"):
            flat = [torch.empty(nbytes // 2, dtype=torch.int8, device="cuda") for _ in range(4)]
            contenders["copy"] = [lambda a=a, b=b: a.copy_(b) for a, b in zip(flat, flat[1:] + flat[:1])]
        with sdpa_kernel([SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION]):
            times = harness.race(contenders)
        results[job.name] = {**times, "error": outcome}
        print(f"{job.name}: " + ", ".join(f"{n} {t:.1f} us" for n, t in times.items())
              + f", peer/ours {times['peer'] / times['ours']:.2f}, error {outcome:.1e}, {nbytes / times['ours'] / 1e3:.0f} GB/s", flush=True)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(results, file, indent=1)
    return sum("wrong" in result for result in results.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, function in (("build", build), ("run", run)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        if function is build:
            command.add_argument("compiler")
            command.add_argument("--arch", default="sm_90a")
            command.add_argument("--tileiras", default="", metavar="PATH", help="NVIDIA's assembler, a contender")
        else:
            command.add_argument("--out")
        command.add_argument("folder")
        command.add_argument("--only", default="", metavar="REGEX")
    options = parser.parse_args()
    sys.exit(1 if options.function(options) else 0)


if __name__ == "__main__":
    main()
