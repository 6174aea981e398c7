"""The jobs of the GPU benchmarks: launches of library kernels on tensors of fixed shapes.

Shapes are GPT-2's: C the width, N the rows of a step, V the vocabulary (docs/Architecture.md).
"""

from dataclasses import dataclass, field

GEMM_ROWS = (512, 1024, 4096, 8192, 16384)
FEW_ROWS = (1, 4, 16, 64)
WIDTHS = (768, 1600)
SQUARES = (2048, 4096, 8192)
# B, H, T, D
ATTENTION = ((4, 12, 1024, 64), (8, 12, 2048, 64), (4, 16, 4096, 64), (2, 16, 8192, 128), (1, 16, 16384, 128))
# B, H, K, S, D: K heads of keys, each for H / K queries
GROUPS = ((1, 32, 8, 4096, 128), (1, 32, 8, 16384, 128), (16, 32, 8, 4096, 128), (64, 32, 8, 1024, 128), (64, 32, 8, 1024, 64),
          (32, 16, 8, 2048, 128), (32, 64, 8, 2048, 128), (32, 8, 4, 2048, 256), (16, 32, 2, 4096, 128))
NORM_WIDTHS = (768, 1024, 1280, 1600)
VOCABULARY = 50257
# A linear layer without a bias: the vector is empty.
NO_BIAS = ((2, ((0,), "f32")),)


@dataclass(frozen=True)
class Job:
    """One launch. ins and outs: (shape, element type) of a tensor, or the type of a scalar as text; weights: numbers of
    the ins that are available before the previous launch ends; given: constant operands of the kernel, each with the number
    of ins before it: "0.5:f32", or the shape and type of an empty tensor; rounding: the flag of tilegpt-opt that reduces the
    precision of products, "tf32" or "fast-f8"; chain: the launches that are fused into one, each with the name of a library
    kernel, its operands and its results, a tensor or a list of them. An operand is the number of an in, "^" or "^1" for the
    first or second result of the preceding launch, or as in `given`. A kernel creates new tensors, or updates outs of the
    job in place, by their numbers. The last launch computes the last of the other outs, and the preceding launch computes
    the one before it, if any."""
    name: str
    kernel: str
    ins: tuple
    outs: tuple
    params: dict = field(default_factory=dict)
    weights: tuple = ()
    rounding: str = ""
    chain: tuple = ()
    given: tuple = ()

    @property
    def section(self):
        return self.name.split("_")[0]


def linears(width):
    """(columns, depth) of a layer's four products."""
    return (3 * width, width), (width, width), (4 * width, width), (width, 4 * width)


def product(section, kernel, m, n, k, name):
    element = "f32" if name == "tf32" else name
    return Job(f"{section}_{name}_{m}x{n}x{k}", kernel, (((m, k), element), ((n, k), element), ((n,), "f32")),
               (((m, n), element),), weights=(1, 2), rounding="tf32" if name == "tf32" else "")


def linear_gelu(m, n, k):
    rows, out = ((m, k), "bf16"), ((m, n), "bf16")
    return Job(f"gelu_bf16_{m}x{n}x{k}", "linear_gelu", (rows, ((n, k), "bf16"), ((n,), "f32")), (out,), weights=(1, 2),
               chain=(("linear", (0, 1, 2), out), ("gelu", ("^",), out)))


def norm_linear(n, width, has_gelu):
    """A layer norm, a linear layer and optionally a GELU of one row."""
    row, out, vector = ((1, width), "bf16"), ((1, n), "bf16"), ((width,), "f32")
    chain = [("layer_norm", (0, 3, 4, 5), row), ("linear_decode", ("^", 1, 2), out), ("gelu", ("^",), out)]
    return Job(f"norm1_bf16_1x{n}x{width}", "linear_gelu_norm" if has_gelu else "linear_norm",
               (row, ((n, width), "bf16"), ((n,), "f32"), vector, vector, "f32"), (out,), weights=(1, 2, 3, 4),
               chain=tuple(chain if has_gelu else chain[:2]))


def add_norm(name, rows, vector):
    """A sum, which is also stored, and its layer norm."""
    return Job(name, "add_norm", (rows, rows, vector, vector, "f32"), (rows, rows), weights=(2, 3),
               chain=(("add", (0, 1), rows), ("layer_norm", ("^", 2, 3, 4), rows)))


def head(m, vocabulary, width, logits):
    """Operands in bf16; logits in f32, as used for sampling, or bf16, as requested for all rows."""
    suffix = "" if logits == "f32" else f"_{logits}"
    return Job(f"head_bf16_{m}x{vocabulary}x{width}{suffix}", "linear",
               (((m, width), "bf16"), ((vocabulary, width), "bf16")), (((m, vocabulary), logits),), weights=(1,), given=NO_BIAS)


def scores(behind, factor="0.0", window="0", cap="0.0"):
    """The scale, window and cap of attention, after this many ins; each 0 for the defaults 1/√D, none and none."""
    return tuple((behind, number) for number in (f"{factor}:f32", f"{window}:i32", f"{cap}:f32"))


def append_decode(name, b, h, k, s, d):
    """One token of b sequences: its key and value, without norms and rotation, are appended to a cache of s rows and k heads,
    which its h queries attend to with plain scores."""
    cache, row, out, positions = ((b, k, s, d), "bf16"), ((b, (h + 2 * k) * d), "bf16"), ((b, h * d), "bf16"), ((b,), "i32")
    no_gains, no_angles, no_queries = ((0,), "f32"), ((b, 0), "f32"), ((b, 0), "bf16")
    append = (0, no_gains, no_gains, "0.0:f32", "0.0:f32", no_angles, no_angles, 1)
    attend = (0, "^", "^1", 1, "0.0:f32", "0:i32", "0.0:f32")
    return Job(name, "append_decode", (row, positions), (cache, cache, out), weights=(1,),
               chain=(("kv_append", append, [0, 1, no_queries]), ("attention_decode", attend, out)))


def f8_product(size, rounding):
    """A product of f8 matrices without scales, in bf16."""
    square = ((size, size), "f8E4M3FN")
    name = "f8" if rounding else "f8exact"
    return Job(f"square_{name}_{size}x{size}x{size}", "linear", (square, square), (((size, size), "bf16"),), weights=(1,),
               rounding=rounding, given=NO_BIAS)


def gemm_jobs():
    for width in WIDTHS:
        for n, k in linears(width):
            for m in GEMM_ROWS:
                yield product("gemm", "linear", m, n, k, "bf16")
    for size in SQUARES:
        yield product("square", "linear", size, size, size, "bf16")
        yield f8_product(size, "fast-f8")
    yield f8_product(4096, "")
    for element in ("f16", "tf32", "f32"):
        yield product("square", "linear", 4096, 4096, 4096, element)
    for width in WIDTHS:
        for m in (1024, 8192, 16384):
            yield linear_gelu(m, 4 * width, width)
        for n, hasGelu in ((3 * width, False), (4 * width, True)):
            yield norm_linear(n, width, hasGelu)
        for m in FEW_ROWS:
            for n, k in linears(width):
                yield product("few", "linear_decode" if m <= 16 else "linear", m, n, k, "bf16")
        for vocabulary in (VOCABULARY, 50304):
            for logits in ("f32", "bf16"):
                yield head(1024, vocabulary, width, logits)
    for logits in ("f32", "bf16"):
        yield head(4096, VOCABULARY, 48, logits)


def attention_jobs():
    """Prefill of T tokens per sequence, with packed queries, keys and values in the cache; and non-causal attention."""
    for b, h, t, d in ATTENTION:
        cache = ((b, h, t, d), "bf16")
        yield Job(f"attention_{b}x{h}x{t}x{d}", "attention",
                  (((b * t, 3 * h * d), "bf16"), cache, cache, ((b,), "i32")), (((b * t, h * d), "bf16"),),
                  given=scores(4))
        yield Job(f"fullattention_{b}x{h}x{t}x{d}", "attention_full", (cache, cache, cache), (cache,))
    for b, s, h in ((1, 1024, 12), (1, 1024, 25), (1, 4096, 12), (32, 1024, 12)):
        yield append_decode(f"decode_{b}x{h}x{s}x64", b, h, h, s, 64)
    for b, h, k, s, d in GROUPS:
        cache, row = ((b, k, s, d), "bf16"), ((b, (h + 2 * k) * d), "bf16")
        size, positions, out = f"{b}x{h}x{k}x{s}x{d}", ((b,), "i32"), ((b, h * d), "bf16")
        yield append_decode(f"groups_{size}", b, h, k, s, d)
        yield Job(f"groupsthere_{size}", "attention_decode", (row, cache, cache, positions), (out,), weights=(3,), given=scores(4))


def rowwise_jobs():
    """Memory-bound kernels."""
    for element in ("bf16", "f32"):
        for width in NORM_WIDTHS:
            rows = ((16384, width), element)
            vector = ((width,), "f32")
            yield Job(f"norm_{element}_{width}", "layer_norm", (rows, vector, vector, "f32"), (rows,), weights=(1, 2))
            yield add_norm(f"addnorm_{element}_{width}", rows, vector)
        rows = ((16384, 768), element)
        yield Job(f"gelu1_{element}", "gelu", (rows,), (rows,))
        yield Job(f"add_{element}", "add", (rows, rows), (rows,))
    for n, width in ((16384, 1024), (4096, VOCABULARY)):
        rows = ((n, width), "bf16")
        yield Job(f"softmax_{n}x{width}", "softmax", (rows,), (rows,))


def sampling_jobs():
    """Sampling of a token, in two launches (measured by sampling.py)."""
    entries = -(-VOCABULARY // 256) * 256
    ranked = (((1, entries), "f32"), ((1, entries), "i32"))
    yield Job(f"sample_order_{VOCABULARY}", "sample_order", (((1, VOCABULARY), "f32"),), ranked)
    yield Job(f"sample_draw_{VOCABULARY}", "sample_draw", (*ranked, ((1, 5), "f32")), (((1,), "i32"),))


def all_jobs():
    return [*gemm_jobs(), *attention_jobs(), *rowwise_jobs(), *sampling_jobs()]
