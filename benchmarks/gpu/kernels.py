#!/usr/bin/env python3
"""Checks every compiled kernel of a folder against float64, then races it against PyTorch's libraries.

    kernels.py CUBINS [--only REGEX] [--random KIND --draws N --seed S] [--check-only] [--triton] [--contenders FOLDER] [--out FILE]

Peers run in the same call, in random order with ours: cuBLAS and cuBLASLt (torch.matmul, addmm), Triton's products with
--triton, cuDNN's attention, PyTorch's own normalization and a copy of the same bytes as the bandwidth bound.
"""

import argparse
import json
import os
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from contenders import contenders_of
import matmul_jobs
from driver import Kernel
from harness import Harness, geometric_mean, percentile
from job_flags import add_job_flags, jobs_of

ELEMENTS = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "i32": torch.int32, "i8": torch.int8,
            "f8E4M3FN": torch.float8_e4m3fn}
DECODES = ("attention_decode", "append_decode")
REDUCTIONS = ("column_sum", "column_sum_whole", "column_statistics", "row_sum", "row_place", "log_sum_exp", "cross_entropy",
              "kl_divergence")
TOLERANCE = {"bf16": 4e-3, "f16": 6e-4, "tf32": 1e-3, "f32": 2e-6, "i32": 1e-12, "i8": 1e-3}
EPSILON = 1e-5


def make(harness, description):
    """Random data for a job's operand: the scalar of layer norms is epsilon, positions are zeros."""
    if not isinstance(description, tuple):
        return EPSILON
    shape, element = description
    if element == "i32":
        return torch.zeros(shape, dtype=torch.int32, device="cuda")
    if element == "i8":
        return torch.randint(-128, 128, shape, dtype=torch.int8, device="cuda")
    # f8 numbers of that scale would have low precision: products scale the result instead.
    scaled = len(shape) == 2 and element != "f8E4M3FN"
    return harness.normal(*shape, dtype=ELEMENTS[element], scale=shape[-1] ** -0.5 if scaled else 1.0)


def attention_parts(job, ins, outs):
    """Queries as [B, H, T, D], keys and values as [B, K, T, D], H a multiple of K. The last key and value of an appending
    decode come from its one row."""
    if job.kernel == "attention_full":
        return ins
    qkv = ins[0]
    isThere = job.kernel in ("attention", "attention_decode")
    keys, values = ins[1:3] if isThere else outs[:2]
    b, heads, s, d = keys.shape
    columns = heads * d
    q, k, v = (part.reshape(b, -1, part.shape[1] // d, d).transpose(1, 2)
               for part in qkv.split((qkv.shape[1] - 2 * columns, columns, columns), 1))
    if isThere:
        return q, keys, values
    return q, torch.cat([keys[:, :, :-1], k], 2), torch.cat([values[:, :, :-1], v], 2)


def norm64(ins):
    return F.layer_norm(ins[0], ins[0].shape[1:], ins[3], ins[4], EPSILON)


def gelu64(x):
    return F.gelu(x, approximate="tanh")


def reference(job, ins, outs):
    """The last output in float64."""
    wide, states = ([t.double() if torch.is_tensor(t) and t.is_floating_point() else t for t in ts] for ts in (ins, outs))
    if job.kernel in (*matmul_jobs.KERNELS, *matmul_jobs.COMPUTED):
        return matmul_jobs.reference(job, ins)
    if job.kernel in ("linear", "linear_decode"):
        return wide[0] @ wide[1].t() + (wide[2] if len(wide) > 2 else 0)
    if job.kernel == "linear_gelu":
        return gelu64(wide[0] @ wide[1].t() + wide[2])
    if job.kernel in ("linear_norm", "linear_gelu_norm"):
        out = norm64(wide) @ wide[1].t() + wide[2]
        return gelu64(out) if "gelu" in job.kernel else out
    if job.kernel == "layer_norm":
        return F.layer_norm(wide[0], wide[0].shape[1:], wide[1], wide[2], EPSILON)
    if job.kernel == "add_norm":
        # Normalizes the sum as stored.
        total = wide[0] + wide[1]
        return F.layer_norm(total.to(ins[0].dtype).double(), total.shape[1:], wide[2], wide[3], EPSILON)
    if job.kernel in ("softmax", "softmax_pieces"):
        return wide[0].softmax(1)
    if job.kernel == "rms_norm_pieces":
        return F.rms_norm(wide[0], wide[0].shape[1:], wide[1], EPSILON)
    if job.kernel == "adam_step":
        p, m, v, g = wide
        return p - 0.001 * ((0.9 * m + 0.1 * g) / ((0.99 * v + 0.01 * g * g).sqrt() + 1e-8) + 0.01 * p)
    if job.kernel == "kl_divergence":
        return F.kl_div(wide[1].log_softmax(1), wide[0].log_softmax(1), reduction="none", log_target=True).sum(1)
    if job.kernel == "gelu":
        return gelu64(wide[0])
    if job.kernel == "add":
        return wide[0] + wide[1]
    if job.kernel == "scaled_difference":
        return 2 * (wide[0] - wide[1])
    if job.kernel == "cumulative_sum":
        return wide[0].cumsum(1)
    if job.kernel == "quantize_rows":
        return (wide[0] * (127.0 / ins[0].float().abs().amax(1, keepdim=True).clamp(min=1e-30)).double()).round()
    if job.kernel == "row_sum":
        return wide[0].sum(1)
    if job.kernel == "log_sum_exp":
        return wide[0].logsumexp(1)
    if job.kernel in ("column_sum", "column_sum_whole"):
        return wide[0].sum(0)
    if job.kernel == "column_statistics":
        return wide[0].var(0, unbiased=False)
    if job.kernel == "row_place":
        held = wide[0] == wide[0].max(1, keepdim=True)[0]
        return torch.where(held, torch.arange(held.shape[1], device="cuda"), held.shape[1]).min(1)[0].double()
    if job.kernel == "cross_entropy":
        return F.cross_entropy(wide[0], ins[1].long(), reduction="none")
    q, k, v = attention_parts(job, wide, states)
    if job.kernel in DECODES:
        k, v = (part.repeat_interleave(q.shape[1] // part.shape[1], 1) for part in (k, v))
        out = (q @ k.transpose(2, 3) * k.shape[3] ** -0.5).softmax(3) @ v
    else:
        causal = job.kernel == "attention"
        out = torch.cat([F.scaled_dot_product_attention(q[i:i + 1, j:j + 1], k[i:i + 1, j:j + 1], v[i:i + 1, j:j + 1], is_causal=causal)
                         for i in range(q.shape[0]) for j in range(q.shape[1])]).reshape(q.shape)
    if job.kernel == "attention_full":
        return out
    return out.transpose(1, 2).reshape(-1, q.shape[1] * q.shape[3])


def peers(job, ins, outs):
    """PyTorch's implementations of the same computation: {name: call}."""
    out = outs[-1]
    if job.kernel in (*matmul_jobs.KERNELS, *matmul_jobs.COMPUTED):
        return matmul_jobs.peers(job, ins, outs)
    if job.kernel in ("linear_norm", "linear_gelu_norm"):
        x, w, b, g, beta, _ = ins
        bias, gain, shift = (t.to(x.dtype) for t in (b, g, beta))

        def separate():
            y = torch.addmm(bias, F.layer_norm(x, x.shape[1:], gain, shift, EPSILON), w.t())
            return F.gelu(y, approximate="tanh") if "gelu" in job.kernel else y
        return {"separate": separate}
    if job.kernel == "linear" and len(ins) == 2:
        x, w = ins
        if x.dtype == torch.float8_e4m3fn:
            one = torch.ones((), device="cuda")

            def scaled(fast):
                return lambda: torch._scaled_mm(x, w.t(), scale_a=one, scale_b=one, out_dtype=out.dtype, use_fast_accum=fast)
            # Accumulates parts in f32, like ours; or only in the tensor cores, which lose precision with the depth.
            return {"scaled_mm": scaled(False), "scaled_mm_fast": scaled(True)}
        if out.dtype == x.dtype:
            return {"matmul": lambda: torch.matmul(x, w.t(), out=out)}
        return {"matmul": lambda: torch.matmul(x, w.t())}
    if job.kernel in ("linear", "linear_decode", "linear_gelu"):
        x, w, b = ins[:3]
        bias = b.to(x.dtype)
        calls = {"matmul": lambda: torch.matmul(x, w.t(), out=out)}
        if job.kernel == "linear_gelu":
            return {"addmm+gelu": lambda: torch._addmm_activation(bias, x, w.t(), use_gelu=True)}
        calls["addmm"] = lambda: torch.addmm(bias, x, w.t(), out=out)
        return calls
    if job.kernel in ("attention", "attention_full", *DECODES):
        q, k, v = (t.contiguous() for t in attention_parts(job, ins, outs))
        causal, grouped = job.kernel == "attention", q.shape[1] != k.shape[1]

        def cudnn():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=grouped)

        def flash():
            with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
                F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=grouped)
        return {"cudnn": cudnn, "flash": flash}
    if job.kernel in REDUCTIONS:
        x, spare = ins[0], torch.empty_like(ins[0])
        calls = {"column_sum": lambda: torch.sum(x, 0, dtype=torch.float32), "column_statistics": lambda: torch.var_mean(x, 0),
                 "row_place": lambda: torch.argmax(x, 1),
                 "column_sum_whole": lambda: torch.sum(x, 0, dtype=torch.float32),
                 "row_sum": lambda: torch.sum(x, 1, dtype=torch.float32), "log_sum_exp": lambda: torch.logsumexp(x, 1)}
        if job.kernel == "kl_divergence":
            calls["kl_divergence"] = lambda: F.kl_div(ins[1].log_softmax(1), x.log_softmax(1), reduction="none",
                                                      log_target=True).sum(1)
        if job.kernel == "cross_entropy":
            labels = ins[1].long()
            calls["cross_entropy"] = lambda: F.cross_entropy(x, labels, reduction="none")
        return {"copy": lambda: spare.copy_(x), "torch": calls[job.kernel]}
    if job.kernel == "quantize_rows":
        x, spare = ins[0], torch.empty_like(ins[0])

        def quantize():
            torch.round(x * (127.0 / x.abs().amax(1, keepdim=True))).to(torch.int8)
        return {"copy": lambda: spare.copy_(x), "torch": quantize}
    copy = {"copy": lambda: out.copy_(ins[0])}
    if job.kernel == "cumulative_sum":
        return {**copy, "torch": lambda: torch.cumsum(ins[0], 1, out=out)}
    if job.kernel == "scaled_difference":
        return {**copy, "torch": lambda: torch.sub(ins[0], ins[1], out=out).mul_(2)}
    if job.kernel == "add_norm":
        x, r, g, b, _ = ins
        gain, bias = g.to(x.dtype), b.to(x.dtype)

        def both():
            torch.add(x, r, out=outs[0])
            F.layer_norm(outs[0], x.shape[1:], gain, bias, EPSILON)
        return {**copy, "torch": both}
    if job.kernel == "layer_norm":
        x, g, b, _ = ins
        gain, bias = g.to(x.dtype), b.to(x.dtype)
        return {**copy, "torch": lambda: F.layer_norm(x, x.shape[1:], gain, bias, EPSILON)}
    if job.kernel in ("softmax", "softmax_pieces"):
        return {**copy, "torch": lambda: torch.softmax(ins[0], 1)}
    if job.kernel == "rms_norm_pieces":
        return {**copy, "torch": lambda: F.rms_norm(ins[0], ins[0].shape[1:], ins[1].to(ins[0].dtype), EPSILON)}
    if job.kernel == "gelu":
        return {**copy, "torch": lambda: F.gelu(ins[0], approximate="tanh")}
    return {**copy, "torch": lambda: torch.add(ins[0], ins[1], out=out)}


def flops(job):
    shapes = [t[0] for t in job.ins if isinstance(t, tuple)]
    if job.kernel.startswith("linear"):
        return 2 * shapes[0][0] * shapes[0][1] * shapes[1][0]
    if job.kernel in (*matmul_jobs.KERNELS, *matmul_jobs.COMPUTED):
        return matmul_jobs.flops(job)
    if job.kernel in ("attention", "attention_full"):
        b, h, s, d = shapes[1]
        return (2 if job.kernel == "attention" else 4) * b * h * s * s * d
    return 0


def operands_of(harness, job):
    """Random ins and poisoned outs. Outputs before the last are states. A decode reads the whole cache: its token is at the
    last position."""
    ins = [make(harness, t) for t in job.ins]
    outs = [make(harness, t) for t in job.outs[:-1]]
    if job.kernel in DECODES:
        positions, cache = (ins[3], ins[1]) if job.kernel == "attention_decode" else (ins[1], outs[0])
        positions.fill_(cache.shape[2] - 1)
    if job.kernel == "cross_entropy":
        ins[1].random_(0, ins[0].shape[1])
    if job.kernel == "matmul_w4":
        ins[1].random_(-1 << 31, 1 << 31)
    if job.kernel == "kl_divergence":  # of rows that differ
        for logits in ins:
            logits.mul_(logits.shape[1] ** 0.5)
    if job.kernel == "adam_step":  # no mean of squares is negative
        ins[2].abs_()
    return ins, [*outs, harness.poisoned(*job.outs[-1][0], dtype=ELEMENTS[job.outs[-1][1]])]


def tolerance_of(job):
    """The type that sets the last output's precision, and the allowed error. Sums of many numbers of either sign lose
    precision relative to the result."""
    sums = 20 if job.kernel.startswith("column") or job.kernel in ("row_sum", "cumulative_sum", "kl_divergence") else 1
    isRounded = job.ins[0][1] == "bf16" and job.kernel not in REDUCTIONS
    element = "tf32" if job.rounding == "tf32" else "bf16" if isRounded else job.outs[-1][1]
    return element, sums * TOLERANCE[element]


def measure(harness, job, kernel, options):
    """One row of the table: the error, our time and the peers' times."""
    ins, outs = operands_of(harness, job)
    grid = kernel.facts["grid"]
    element, tolerance = tolerance_of(job)
    torch.backends.cuda.matmul.allow_tf32 = job.rounding == "tf32"
    row = {"job": job.name, "params": kernel.facts["params"], "registers": kernel.facts["registers"]}
    verdict = harness.compare(harness.bind(kernel, [*ins, *outs], grid), outs[-1], reference(job, ins, outs), tolerance)
    if not isinstance(verdict, str) and job.kernel == "add_norm" and not torch.equal(outs[0], ins[0] + ins[1]):
        verdict = "the sum differs from PyTorch's"
    if isinstance(verdict, str):
        return {**row, "wrong": verdict}
    row["error"] = verdict
    if options.check_only:
        return row
    nbytes = sum(t.nbytes for t in (*ins, *outs) if torch.is_tensor(t))
    sets = [(ins, outs)] + [operands_of(harness, job) for _ in range(harness.copies(nbytes) - 1)]
    contenders = {"ours": [harness.bind(kernel, [*i, *o], grid) for i, o in sets]}
    for name in peers(job, ins, outs):
        contenders[name] = [peers(job, i, o)[name] for i, o in sets]
    if options.triton and job.kernel == "linear" and len(ins) == 3 and element == "bf16":
        from peers import triton_matmul
        tile = triton_matmul.fastest(*ins[:2], outs[-1])
        row["triton"] = str(tile)
        contenders["triton"] = [triton_matmul.launcher(i[0], i[1], o[-1], tile) for i, o in sets]
        product = ins[0].double() @ ins[1].double().t()
        found = harness.compare(contenders["triton"][0], outs[-1], product, TOLERANCE[element])
        if isinstance(found, str):
            raise RuntimeError(f"{job.name}: Triton's product is wrong: {found}")
    others = contenders_of(options.contenders, job.name)
    for name, contender in others.items():
        contenders[name] = [contender.bind([*i, *o], harness.stream) for i, o in sets]
    times = harness.race(contenders, target_us=options.target_us)
    ours = times.pop("ours")
    row["contenders"] = {name: times.pop(name) for name in others}
    best = min((t for n, t in times.items() if n != "copy"), default=float("nan"))
    row |= {"us": ours, "peers": times, "ratio": best / ours, "bytes": nbytes, "tflops": flops(job) / ours / 1e6}
    if "copy" in times:
        row["of_copy"] = times["copy"] * nbytes / (2 * ins[0].nbytes) / ours
    return row


def show(row):
    if "wrong" in row:
        return f"{row['job']:34} WRONG: {row['wrong']}"
    text = f"{row['job']:34} error {row['error']:.1e}"
    if "us" in row:
        text += f" {row['us']:9.2f} µs"
        text += f" {row['tflops']:6.0f} TFLOP/s" if row["tflops"] > 0 else f" {row['bytes'] / row['us'] / 1e6:6.2f} TB/s"
        text += f"  ×{row['ratio']:.2f} of best peer ("
        text += ", ".join(f"{n} {t:.2f}" for n, t in row["peers"].items()) + ")"
        text += "".join(f", ×{t / row['us']:.2f} of {n}" for n, t in row["contenders"].items())
        if "of_copy" in row:
            text += f", {row['of_copy']:.2f} of copy"
    return text + f"  [{row['params']}; {row['registers']} regs]"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cubins")
    parser.add_argument("--only", default="")
    add_job_flags(parser)
    parser.add_argument("--check-only", action="store_true")
    parser.add_argument("--triton", action="store_true", help="race Triton's products too")
    parser.add_argument("--target-us", type=float, default=1500.0)
    parser.add_argument("--contenders", default="", help="folder of others' kernels for these jobs, see contenders.py")
    parser.add_argument("--out", default="")
    options = parser.parse_args()
    harness, rows, wrong = Harness(), [], 0
    for job in jobs_of(options):
        base = os.path.join(options.cubins, job.name)
        if job.section == "sample" or not os.path.exists(base + ".cubin"):
            continue
        row = measure(harness, job, Kernel(base), options)
        wrong += "wrong" in row
        rows.append(row)
        print(show(row), flush=True)
        torch.cuda.empty_cache()
    sections = {}
    for row in rows:
        if "ratio" in row:
            sections.setdefault(row["job"].split("_")[0], []).append(row["ratio"])
    for section, ratios in sections.items():
        print(f"{section}: {len(ratios)} jobs, geometric mean ×{geometric_mean(ratios):.3f}, fifth percentile "
              f"×{percentile(ratios, 5):.3f}, median ×{percentile(ratios, 50):.3f}, worst ×{min(ratios):.3f}")
    shares = [row["of_copy"] for row in rows if "of_copy" in row]
    if options.random and shares:
        print(f"of a copy: {len(shares)} jobs, geometric mean {geometric_mean(shares):.3f}, fifth percentile "
              f"{percentile(shares, 5):.3f}, worst {min(shares):.3f}, {sum(share < 0.85 for share in shares)} below 0.85")
    if options.random:
        print("the worst:")
        for row in sorted((row for row in rows if "ratio" in row), key=lambda row: row["ratio"])[:10]:
            print(show(row))
    print(f"{len(rows)} jobs, {wrong} wrong")
    if options.out:
        with open(options.out, "w") as file:
            json.dump(rows, file, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
