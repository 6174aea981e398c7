"""Matmuls other than the library's `linear`, at random sizes: other layouts, element types and epilogues, and batches.

Kernels are in matmuls/, with the peers that PyTorch has for them.
"""

import math
import os

from jobs import Job, product

MATMULS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "matmuls")
KERNELS = ("matmul_nn", "matmul_tn", "matmul_batched_nn", "matmul_batched_nt", "matmul_i8", "matmul_silu_residual")
# An operand is computed in the loop: a sum, a ReLU, i8 weights, or 4-bit weights in words with scales for every GROUP of K.
COMPUTED = ("matmul_sum", "matmul_relu", "matmul_w8", "matmul_w8_nn", "matmul_w4")
GROUP = 128
# Rows, columns and depth: from a few tiles to some hundreds; the depth of most is no multiple of a step.
SIZES, MOST_WORK = (48, 8192), 1 << 37
STEPS = (1, 2, 4, 8, 8, 8, 16, 64)


def log_uniform(source, least, most):
    return math.exp(source.uniform(math.log(least), math.log(most)))


def random_size(source):
    """A size with a random power of two as divisor."""
    step = source.choice(STEPS)
    return max(step, round(log_uniform(source, *SIZES) / step) * step)


def matmul_job(kernel, element, m, n, k, batch=0):
    """A job of a kernel in matmuls/ or of `linear`."""
    name = f"{kernel.replace('_', '')}_{element}_" + "x".join(map(str, (*[batch] * bool(batch), m, n, k)))
    if kernel == "linear":
        return product("linear", kernel, m, n, k, element)
    rounding = {"tf32": "tf32", "f8": "fast-f8"}.get(element, "")
    data = {"tf32": "f32", "f8": "f8E4M3FN"}.get(element, element)
    result = {"f8E4M3FN": "bf16", "i8": "i32"}.get(data, data)
    front = (batch,) if batch else ()
    shapes = {"matmul_nn": ((m, k), (k, n)), "matmul_tn": ((k, m), (k, n)), "matmul_batched_nn": ((m, k), (k, n))}
    x, w = shapes.get(kernel, ((m, k), (n, k)))
    ins = (((*front, *x), data), ((*front, *w), data))
    if kernel == "matmul_silu_residual":
        ins += (((n,), "f32"), ((m, n), result))
    return Job(name, kernel, ins, (((*front, m, n), result),), weights=(1, 2) if len(ins) > 2 else (1,), rounding=rounding)


def random_matmul(source):
    """A matmul of another layout, type or epilogue, of at most MOST_WORK multiply-adds."""
    kernel = source.choice((*KERNELS, "linear"))
    element = "i8" if kernel == "matmul_i8" else source.choice(("bf16", "bf16", "f16", "tf32"))
    while True:
        m, n, k = (random_size(source) for _ in range(3))
        batch = round(log_uniform(source, 2, 64)) if "batched" in kernel else 0
        if m * n * k * max(batch, 1) <= MOST_WORK and max(m * k, k * n, m * n) * max(batch, 1) <= 1 << 26:
            break
    if element in ("i8", "f8"):
        n, k = (max(16, round(size / 16) * 16) for size in (n, k))  # as PyTorch's peers require
        m = max(m, 32)
    return matmul_job(kernel, element, m, n, k, batch)


def computed_job(kernel, element, m, n, k):
    """A job of a kernel that computes an operand."""
    x, y, nt, nn = ((m, k), element), ((m, n), element), (n, k), (k, n)
    others = {"matmul_sum": ((nt, element), x), "matmul_relu": ((nn, element),),
              "matmul_w8": ((nt, "i8"), ((n,), "f32")), "matmul_w8_nn": ((nn, "i8"), ((n,), "f32")),
              "matmul_w4": (((n, k // 8), "i32"), *[((n, k // GROUP), element)] * 2)}[kernel]
    weights = tuple(range(1, len(others) + 1)) if "_w" in kernel else (1,)
    return Job(f"{kernel.replace('_', '')}_{element}_{m}x{n}x{k}", kernel, (x, *others), (y,), weights=weights)


def computed_jobs():
    """Products whose operand is computed, at sizes of a layer."""
    for kernel in COMPUTED[:2]:
        for m, n, k in ((1024, 1024, 4096), (2048, 3072, 1024), (700, 2304, 768), (4096, 4096, 4096), (200, 1600, 1600)):
            yield computed_job(kernel, "bf16", m, n, k)
    for kernel in COMPUTED[2:]:
        for m, n, k in ((16, 4096, 4096), (64, 4096, 4096), (300, 3072, 1024), (2048, 4096, 4096)):
            yield computed_job(kernel, "f16", m, n, k)


def random_computed(source):
    """A product with a computed operand, of at most MOST_WORK multiply-adds."""
    kernel, element = source.choice(COMPUTED), source.choice(("bf16", "f16"))
    while True:
        m, n, k = (round(log_uniform(source, *SIZES) / step) * step for step in (1, 16, GROUP if kernel == "matmul_w4" else 16))
        if 0 < m * n * k <= MOST_WORK:
            return computed_job(kernel, element, m, n, k)


def computed_operands(job, ins):
    """The two matrices in the element type of the job, the right one as [K, N], before its columns are scaled."""
    x, w = ins[:2]
    if job.kernel == "matmul_sum":
        return x + ins[2], w.t()
    if job.kernel == "matmul_relu":
        return x.relu(), w
    if job.kernel == "matmul_w4":
        import torch
        shifts = torch.arange(0, 32, 4, device=w.device, dtype=torch.int32)
        digits = (w[:, :, None] >> shifts & 15).reshape(w.shape[0], -1).float()
        scales, zeros = (t.float().repeat_interleave(GROUP, 1) for t in ins[2:])
        return x, ((digits - zeros) * scales).to(x.dtype).t()
    return x, (w if job.kernel == "matmul_w8_nn" else w.t()).to(x.dtype)


def flops(job):
    """Operations: 2·B·M·N·K, from the elements of both matrices and the result."""
    (x, _), (w, _), (y, _) = *job.ins[:2], job.outs[0]
    if job.kernel in COMPUTED:
        return 2 * math.prod(x) * y[1]
    return 2 * math.isqrt(math.prod(x) * math.prod(w) * math.prod(y) // (y[0] if len(y) > 2 else 1))


def operands(job, ins):
    """The two matrices, the right one as [K, N]."""
    x, w = ins[:2]
    return (x.transpose(-1, -2) if job.kernel == "matmul_tn" else x), (w if job.kernel.endswith(("_nn", "_tn")) else w.transpose(-1, -2))


def reference(job, ins):
    """The result in float64."""
    import torch.nn.functional as F
    if job.kernel in COMPUTED:
        x, w = computed_operands(job, ins)
        return x.double() @ w.double() * (ins[2].double() if "w8" in job.kernel else 1)
    x, w = operands(job, [t.double() for t in ins])
    y = x @ w
    return F.silu(y + ins[2].double()) + ins[3].double() if job.kernel == "matmul_silu_residual" else y


def peers(job, ins, outs):
    """PyTorch's implementations: {name: call}."""
    import torch
    import torch.nn.functional as F
    if job.kernel in COMPUTED:
        # A lower bound: the product of operands in the element type, without their computation.
        (x, w), y = computed_operands(job, ins), outs[-1]
        return {"matmul": lambda: torch.matmul(x, w, out=y)}
    (x, w), out = operands(job, ins), outs[-1]
    if job.kernel == "matmul_i8":
        return {"int_mm": lambda: torch._int_mm(x, w)}
    if job.kernel == "matmul_silu_residual":
        bias, residual = ins[2].to(out.dtype), ins[3]
        # A lower bound: the product without its epilogue.
        return {"addmm": lambda: torch.addmm(bias, x, w, out=out)}
    return {"matmul": lambda: torch.matmul(x, w, out=out)}
