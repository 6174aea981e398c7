"""Launches with random sizes from a seed, which nothing has been fitted to.

Sizes are log-uniform, so that small ones are as frequent as large ones. A seed and number of draws determine the jobs.
"""

import random

from matmul_jobs import log_uniform, random_computed, random_matmul
from jobs import Job, add_norm, append_decode, product, scores

WIDTHS, WIDTH_STEP = (256, 16384), 8
ROWS = (1, 8192)
# Columns and bytes of row tensors: enough to be memory-bound, few enough to fit several copies.
COLUMNS, BYTES = (1, 200000), (4 << 20, 128 << 20)
BYTES_OF = {"bf16": 2, "f32": 4}
MOST_ROWS_OF_DECODE = 16                       # the limit of linear_decode
HEAD_SIZES = (64, 80, 96, 112, 128, 160, 192, 256)
KEYS, CACHE = (256, 32768), (1 << 20, 1 << 28)  # keys of a sequence; elements of all keys


def width(source):
    return max(WIDTHS[0], min(WIDTHS[1], round(log_uniform(source, *WIDTHS) / WIDTH_STEP) * WIDTH_STEP))


def random_product(source):
    """y[M, N] = x[M, K] · w[N, K]ᵀ + b in bf16."""
    m, n, k = round(log_uniform(source, *ROWS)), width(source), width(source)
    return product("random", "linear_decode" if m <= MOST_ROWS_OF_DECODE else "linear", m, n, k, "bf16")


def random_shape(source):
    """Rows and columns of a tensor, and its element type; half of the columns are log-uniform, since narrow tensors are common."""
    columns = source.randint(*COLUMNS) if source.random() < 0.5 else round(log_uniform(source, *COLUMNS))
    element = source.choice(("bf16", "f32"))
    return max(1, round(log_uniform(source, *BYTES) / (columns * BYTES_OF[element]))), columns, element


def rows_job(kernel, count, columns, element):
    """A kernel of the library or of rows/ on one tensor."""
    rows, vector = ((count, columns), element), ((columns,), "f32")
    down, across, places = ((columns,), "f32"), ((count,), "f32"), ((count,), "i32")
    flat, narrow = ((count * columns,), "f32"), ((count * columns,), element)
    name = f"{kernel.replace('_', '')}_{element}_{count}x{columns}"
    if kernel == "add_norm":
        return add_norm(name, rows, vector)
    ins, outs, weights = {
        "layer_norm": ((rows, vector, vector, "f32"), (rows,), (1, 2)),
        "softmax": ((rows,), (rows,), ()), "gelu": ((rows,), (rows,), ()), "cumulative_sum": ((rows,), (rows,), ()),
        "add": ((rows, rows), (rows,), ()), "scaled_difference": ((rows, rows), (rows,), ()),
        "quantize_rows": ((rows,), (across, ((count, columns), "i8")), ()),
        "log_sum_exp": ((rows,), (across,), ()), "row_sum": ((rows,), (across,), ()),
        "softmax_pieces": ((rows,), (rows,), ()), "rms_norm_pieces": ((rows, vector), (rows,), (1,)),
        "kl_divergence": ((rows, rows), (across,), ()),
        "adam_step": ((flat, flat, flat, narrow), (flat, flat, flat, narrow), ()),
        "row_place": ((rows,), (places,), ()), "cross_entropy": ((rows, places), (across,), ()),
        "column_sum": ((rows,), (down,), ()), "column_sum_whole": ((rows,), (down,), ()),
        "column_statistics": ((rows,), (down, down), ())}[kernel]
    return Job(name, kernel, ins, outs, weights=weights)


def random_rows(source):
    """A norm, softmax or elementwise kernel on rows of any width."""
    return rows_job(source.choice(("layer_norm", "add_norm", "softmax", "gelu", "add", "scaled_difference", "quantize_rows")),
                    *random_shape(source))


def random_reduction(source):
    """A reduction of rows or columns, or a scan, of any width."""
    return rows_job(source.choice(("column_sum", "column_sum_whole", "column_statistics", "row_sum", "row_place", "log_sum_exp",
                                   "cross_entropy", "cumulative_sum")), *random_shape(source))


def random_users(source):
    """A kernel with several loops over pieces of its rows, or an optimizer step, which has many arrays."""
    return rows_job(source.choice(("softmax_pieces", "rms_norm_pieces", "kl_divergence", "adam_step")), *random_shape(source))


def random_decode(source):
    """One token for several sequences, with an existing cache or one that the kernel appends to."""
    d, k, s = source.choice(HEAD_SIZES), source.choice((1, 2, 4, 8, 12, 16, 32)), round(log_uniform(source, *KEYS) / 64) * 64
    h = k * source.choice(tuple(group for group in (1, 2, 4, 8, 16) if k * group <= 64))
    b = max(1, min(128, round(log_uniform(source, *CACHE) / (k * s * d))))
    cache, row = ((b, k, s, d), "bf16"), ((b, (h + 2 * k) * d), "bf16")
    size, positions, out = f"{b}x{h}x{k}x{s}x{d}", ((b,), "i32"), ((b, h * d), "bf16")
    if source.random() < 0.5:
        return Job(f"there_{size}", "attention_decode", (row, cache, cache, positions), (out,), weights=(3,), given=scores(4))
    return append_decode(f"append_{size}", b, h, k, s, d)


def random_attention(source):
    """Causal prefill of several sequences, or non-causal attention."""
    d, h, t = source.choice(HEAD_SIZES), source.choice((1, 2, 4, 8, 12, 16, 32)), round(log_uniform(source, 256, 16384))
    b = max(1, min(32, round(log_uniform(source, 1 << 20, 1 << 25) / (h * t * d))))
    cache = ((b, h, t, d), "bf16")
    if source.random() < 0.5:
        return Job(f"full_{b}x{h}x{t}x{d}", "attention_full", (cache, cache, cache), (cache,))
    return Job(f"causal_{b}x{h}x{t}x{d}", "attention", (((b * t, 3 * h * d), "bf16"), cache, cache, ((b,), "i32")),
               (((b * t, h * d), "bf16"),), given=scores(4))


KINDS = {"products": random_product, "decodes": random_decode, "attentions": random_attention, "rows": random_rows,
         "reductions": random_reduction, "users": random_users, "matmuls": random_matmul, "computed": random_computed}


def random_jobs(kind, draws, seed):
    """`draws` different jobs of a kind."""
    source, jobs = random.Random(seed), {}
    while len(jobs) < draws:
        job = KINDS[kind](source)
        jobs.setdefault(job.name, job)
    return list(jobs.values())
