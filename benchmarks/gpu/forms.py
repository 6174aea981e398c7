#!/usr/bin/env python3
"""Variants of attention, windows, gated units and long caches: compiled, checked against float64, and compared with the
library's kernel for the same amount of work.

    forms.py build TILEGPT_OPT FOLDER [--arch sm_90a] [--only REGEX]    # needs ptxas, no GPU
    forms.py run FOLDER [--only REGEX] [--out FILE]                     # needs a GPU and PyTorch

`of plain` is the time of that kernel divided by ours; windows also show the relative cost per pair of query and key.
"""

import argparse
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from build import compile_job
from form_jobs import CAP, DOCUMENTS, PREFIX, form_jobs, write_texts


def wanted(options):
    """The selected jobs, and those they are compared with."""
    jobs = [job for job in form_jobs() if re.search(options.only, job.name)]
    names = {job.plain for job in jobs} | {job.name for job in jobs}
    return [job for job in form_jobs() if job.name in names]


def build(options):
    options.out, options.kernels, failed = options.folder, os.path.join(options.folder, "kernels"), 0
    write_texts(options.kernels)

    def compiled(job):
        try:
            return compile_job(job, options)
        except (RuntimeError, AttributeError, json.JSONDecodeError) as error:
            return error
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(compiled, wanted(options)):
            print(result, flush=True)
            failed += not isinstance(result, str)
    return failed


def run(options):
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel

    from driver import Kernel
    from harness import Harness
    from kernels import ELEMENTS, TOLERANCE

    harness = Harness()
    negligible = 1 << 31

    def operands(job):
        ins = []
        for number, description in enumerate(job.ins):
            if description == "f32":
                ins.append(CAP)
            else:
                shape, element = description
                if element == "i32" and number > 3 and job.kernel in ("attention_documents", "attention_segments"):
                    tokens = torch.arange(shape[1], device="cuda", dtype=torch.int32) * DOCUMENTS // shape[1]
                    ins.append(tokens.expand(shape).contiguous())
                elif element == "i32" and number > 3:
                    ins.append(torch.full(shape, PREFIX, dtype=torch.int32, device="cuda"))
                elif "rotated" in job.kernel and number > 3:
                    angles = torch.arange(shape[0], device="cuda")[:, None] * 1e4 ** (-torch.arange(shape[1], device="cuda") / shape[1])
                    ins.append(angles.cos() if number == 4 else angles.sin())
                elif element == "i32":
                    ins.append(torch.full(shape, max(job.keys - 1, 0), dtype=torch.int32, device="cuda"))
                elif "slopes" in job.kernel and len(shape) == 1:
                    ins.append(2.0 ** (-8.0 * torch.arange(1, shape[0] + 1, device="cuda") / shape[0]))
                else:
                    # Packed queries, keys and values are standard normal, like those of the cache.
                    scale = shape[-1] ** -0.5 if job.kernel.startswith("linear") and len(shape) == 2 else 1.0
                    ins.append(harness.normal(*shape, dtype=ELEMENTS[element], scale=scale))
        return ins, harness.poisoned(*job.outs[0][0], dtype=ELEMENTS[job.outs[0][1]])

    def heads(job, ins):
        b, kheads, s, d = ins[1].shape
        qkv = ins[0].reshape(b, -1, ins[0].shape[1])
        h = ins[0].shape[1] // d - 2 * kheads
        return qkv[:, :, :h * d].reshape(b, -1, h, d).transpose(1, 2)

    def exact(job, ins):
        if job.kernel in ("linear", "linear_decode"):
            return ins[0].double() @ ins[1].double().t() + ins[2].double()
        if job.kernel == "linear_silu_glu":
            gate, up = (ins[0].double() @ ins[1].double().t()).chunk(2, 1)
            return F.silu(gate) * up
        q = heads(job, ins)
        b, h, t, d = q.shape
        s, group = job.keys or ins[1].shape[2], h // ins[1].shape[1]
        out = torch.empty(b, h, t, d, dtype=torch.float64, device="cuda")
        rows = min(t, 2048)
        for i in range(b):
            for j in range(h):
                k, v = (cache[i, j // group, :s].double() for cache in ins[1:3])
                if "normed" in job.kernel:
                    k = (k / k.square().mean(1, keepdim=True).sqrt()).bfloat16().double()
                if "rotated" in job.kernel:
                    cos, sin = (table.double() for table in ins[4:6])
                    a, b0 = k.chunk(2, 1)
                    k = torch.cat([a * cos - b0 * sin, b0 * cos + a * sin], 1).bfloat16().double()
                for r in range(0, t, rows):
                    score = q[i, j, r:r + rows].double() @ k.t() * d ** -0.5
                    if "cap" in job.kernel:
                        score = CAP * torch.tanh(score / CAP)
                    places = torch.arange(s, device="cuda") - torch.arange(s - t + r, s - t + r + rows, device="cuda")[:, None]
                    if "slopes" in job.kernel:
                        score += places * ins[4][j].double()
                    if "bias" in job.kernel:
                        score += ins[4][j, r:r + rows].double()
                    hidden = places > 0
                    if "prefix" in job.kernel:
                        hidden &= torch.arange(s, device="cuda") >= PREFIX
                    if "segments" in job.kernel:
                        hidden = ins[4][i] != ins[4][i, r:r + rows, None]
                    if "documents" in job.kernel:
                        hidden |= ins[4][i] != ins[4][i, r:r + rows, None]
                    if job.window:
                        hidden |= places <= -job.window
                    score.masked_fill_(hidden, float("-inf"))
                    out[i, j, r:r + rows] = score.softmax(1) @ v
        return out.transpose(1, 2).reshape(b * t, h * d)

    def peer(job, ins):
        if job.kernel.startswith("linear"):
            return "cublas", lambda: torch.matmul(ins[0], ins[1].t())
        if job.kernel not in ("attention", "attention_decode"):
            return None
        q, grouped = heads(job, ins).contiguous(), job.kernel == "attention_decode"
        cache = [keys[:, :, :job.keys or None] for keys in ins[1:3]]

        def cudnn():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                F.scaled_dot_product_attention(q, *cache, is_causal=not grouped, enable_gqa=q.shape[1] != ins[1].shape[1])
        return "cudnn", cudnn

    def pairs(job):
        t = job.ins[1][0][2]
        window = job.window or t
        return window * (window + 1) / 2 + (t - window) * window

    rows, wrong, byName = {}, 0, {job.name: job for job in wanted(options)}
    for job in wanted(options):
        base = os.path.join(options.folder, job.name)
        if not os.path.exists(base + ".cubin"):
            continue
        kernel = Kernel(base)
        ins, out = operands(job)
        grid = kernel.facts["grid"]
        want = exact(job, ins)
        verdict = harness.compare(harness.bind(kernel, [*ins, out], grid), out, want, TOLERANCE["bf16"])
        if isinstance(verdict, str):
            wrong += 1
            print(f"{job.name:28} WRONG: {verdict}", flush=True)
            continue
        nbytes = sum(t.nbytes for t in (*ins, out) if torch.is_tensor(t))
        sets = [(ins, out)]
        if nbytes < negligible:
            sets += [operands(job) for _ in range(min(4, harness.copies(nbytes)) - 1)]
        contenders = {"ours": [harness.bind(kernel, [*i, o], grid) for i, o in sets]}
        for variant in options.also:
            other = os.path.join(variant, job.name)
            if os.path.exists(other + ".cubin"):
                theirs = Kernel(other)
                check = harness.compare(harness.bind(theirs, [*ins, out], theirs.facts["grid"]), out, want, TOLERANCE["bf16"])
                if isinstance(check, str):
                    wrong += 1
                    print(f"{job.name:28} {variant} WRONG: {check}", flush=True)
                else:
                    contenders[variant] = [harness.bind(theirs, [*i, o], theirs.facts["grid"]) for i, o in sets]
        if job.plain in rows:
            contenders["plain"] = rows[job.plain]["calls"]
        elif made := peer(job, ins):
            contenders[made[0]] = [peer(job, i)[1] for i, _ in sets]
        times = harness.race(contenders, rounds=options.rounds, target_us=options.target_us)
        ours = times["ours"]
        row = {"us": ours, "error": verdict, "times": times}
        text = f"{job.name:28} error {verdict:.1e} {ours:9.2f} µs"
        for name, us in times.items():
            if name != "ours":
                text += f", {us / ours:.3f} of {name}"
        if job.window:
            work = pairs(job) / pairs(byName[job.plain])
            row["pair"] = ours / times["plain"] / work
            text += f", a pair costs {row['pair']:.3f}"
        print(text + f"  [{kernel.facts['params']}; {kernel.facts['registers']} regs]", flush=True)
        rows[job.name] = {**row, "calls": contenders["ours"]} if job.name in {j.plain for j in wanted(options)} else row
        torch.cuda.empty_cache()
    if options.out:
        with open(options.out, "w") as file:
            json.dump({name: {k: v for k, v in row.items() if k != "calls"} for name, row in rows.items()}, file, indent=1)
    print(f"{len(rows)} jobs, {wrong} wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("build", "run"):
        command = commands.add_parser(name)
        if name == "build":
            command.add_argument("compiler")
            command.add_argument("--arch", default="sm_90a")
            command.add_argument("--jobs", type=int, default=os.cpu_count())
        command.add_argument("folder")
        command.add_argument("--only", default="")
        if name == "run":
            command.add_argument("--also", nargs="*", default=[], help="folders of the same jobs, compiled otherwise")
            command.add_argument("--rounds", type=int, default=5)
            command.add_argument("--target-us", type=float, default=1500.0)
            command.add_argument("--out", default="")
    options = parser.parse_args()
    return 1 if (build if options.command == "build" else run)(options) else 0


if __name__ == "__main__":
    sys.exit(main())
