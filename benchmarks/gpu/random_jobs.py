"""Launches at sizes drawn at random from a seed: what nobody fitted anything to.

Sizes are log-uniform, so that small ones are drawn as often as large ones. The same seed and number of draws give the same jobs.
"""

import math
import random

from jobs import Job, add_norm, product

WIDTHS, WIDTH_STEP = (256, 16384), 8
ROWS = (1, 8192)
# Elements of a tensor of rows: enough to be bound by memory, few enough to fit several times.
COLUMNS, ELEMENTS = (1, 200000), (1 << 19, 1 << 26)
MOST_ROWS_OF_DECODE = 16                       # what linear_decode takes


def log_uniform(source, least, most):
    return math.exp(source.uniform(math.log(least), math.log(most)))


def width(source):
    return max(WIDTHS[0], min(WIDTHS[1], round(log_uniform(source, *WIDTHS) / WIDTH_STEP) * WIDTH_STEP))


def random_product(source):
    """y[M, N] = x[M, K] · w[N, K]ᵀ + b in bf16."""
    m, n, k = round(log_uniform(source, *ROWS)), width(source), width(source)
    return product("random", "linear_decode" if m <= MOST_ROWS_OF_DECODE else "linear", m, n, k, "bf16")


def random_rows(source):
    """A kernel on rows of any width, some of one column."""
    columns = round(log_uniform(source, *COLUMNS))
    count = max(1, round(log_uniform(source, *ELEMENTS) / columns))
    kernel = source.choice(("layer_norm", "add_norm", "softmax", "gelu", "add"))
    element = source.choice(("bf16", "f32"))
    rows, vector = ((count, columns), element), ((columns,), "f32")
    operands = {"layer_norm": ((rows, vector, vector, "f32"), (rows,), (1, 2)),
                "softmax": ((rows,), (rows,), ()), "gelu": ((rows,), (rows,), ()), "add": ((rows, rows), (rows,), ())}
    name = f"random_{kernel}_{element}_{count}x{columns}"
    if kernel == "add_norm":
        return add_norm(name, rows, vector)
    ins, outs, weights = operands[kernel]
    return Job(name, kernel, ins, outs, weights=weights)


def random_reduction(source):
    """A reduction of rows or of columns to numbers (reductions/), of any width."""
    columns = round(log_uniform(source, *COLUMNS))
    count = max(1, round(log_uniform(source, *ELEMENTS) / columns))
    kernel, element = source.choice(("column_sum", "column_statistics", "row_place", "cross_entropy")), source.choice(("bf16", "f32"))
    rows, down, across = ((count, columns), element), ((columns,), "f32"), ((count,), "f32")
    places = ((count,), "i32")
    ins, outs = {"column_sum": ((rows,), (down,)), "column_statistics": ((rows,), (down, down)),
                 "row_place": ((rows,), (places,)), "cross_entropy": ((rows, places), (across,))}[kernel]
    return Job(f"random_{kernel}_{element}_{count}x{columns}", kernel, ins, outs)


KINDS = {"products": random_product, "rows": random_rows, "reductions": random_reduction}


def random_jobs(kind, draws, seed):
    """`draws` different jobs of a kind."""
    source, jobs = random.Random(seed), {}
    while len(jobs) < draws:
        job = KINDS[kind](source)
        jobs.setdefault(job.name, job)
    return list(jobs.values())
