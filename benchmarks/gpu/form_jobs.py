"""Variants of attention that are not in the library, as edits of its kernel, and the sizes at which they are compared
with the library's kernels."""

import os
import re
from dataclasses import dataclass

from jobs import Job, scores as known_scores

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "kernels")
CAP = 30.0
# Keys that all queries see; documents per sequence.
PREFIX, DOCUMENTS = 256, 4
# B, H, T, D
SIZES = ((4, 16, 1024, 128), (1, 16, 4096, 128), (2, 16, 8192, 128), (4, 16, 4096, 64))
WINDOW_SIZE, WINDOWS = (1, 16, 16384, 128), (128, 256, 512, 1024, 2048, 4096, 16384)
# N, F, K of gated units
GATED = (*((n, f, k) for f, k in ((8192, 2048), (3072, 1024), (2048, 640), (11008, 4096), (14336, 4096)) for n in (1, 2, 4, 8, 16)),
         (512, 3072, 1024), (1024, 8192, 2048), (2048, 4864, 896), (4096, 8192, 2048), (4096, 14336, 4096), (8192, 3072, 1024))
# B, H, K, S, D
LONG = ((1, 8, 8, 16384, 128), (1, 12, 12, 16384, 64), (1, 32, 8, 16384, 128), (1, 32, 8, 32768, 128), (1, 16, 2, 32768, 128),
        (1, 4, 1, 32768, 256), (1, 12, 12, 32768, 64), (8, 12, 12, 2048, 64), (8, 32, 8, 2048, 128), (64, 12, 12, 1024, 64))

SCORES = "    %qk = tile.dot %q, %kt, %zeros transpose_b\n" \
         "        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<KV>>, tensor<?x?xf32> -> tensor<?x?xf32>\n"
TILE = "tensor<?x?xf32>"


def edited(text, *edits):
    for old, new in edits:
        if isinstance(old, tuple):  # from one marker to another
            begin, end = (text.index(mark) for mark in old)
            old = text[begin:end]
        if old not in text:
            raise ValueError(f"kernels/attention.mlir has no '{old}'")
        text = text.replace(old, new)
    return text


def scores(code):
    """Replaces the scores %qk by those that `code` computes from the dot %dot."""
    return SCORES, SCORES.replace("%qk =", "%dot =") + code


# Scores are not scaled to base 2; exponentials are powers of e.
NATURAL = (("%sc = arith.mulf %unit, %log2e : f32", "%sc = arith.constant 1.0 : f32"),
           ("math.exp2 %sd fastmath<afn>", "math.exp %sd"), ("math.exp2 %mf fastmath<afn>", "math.exp %mf"),
           ("  %scale1 =", f"  %rss = tile.splat %rs [BM, BN] : f32 -> {TILE}\n  %scale1 ="))


def argument(text):
    return "%pos: !I, ", f"%pos: !I, {text}, "


def bias(element):
    return (*NATURAL, argument(f"%bias: !tile.view<?x?x?x{element}>"),
            ("  %q = tile.load", f"  %bh = tile.select %bias[%h] : !tile.view<?x?x?x{element}> -> !tile.view<?x?x{element}>\n"
                                 "  %q = tile.load"),
            scores(f"    %bt = tile.load %bh[%m, %j] [BM, BN] : !tile.view<?x?x{element}> -> tensor<?x?x{element}>\n" +
                   (f"    %bf = tile.cast %bt : tensor<?x?x{element}> to {TILE}\n" if element != "f32" else "") +
                   f"    %ds = arith.mulf %dot, %rss : {TILE}\n"
                   f"    %qk = arith.addf %ds, %b{'f' if element != 'f32' else 't'} : {TILE}\n"))


# Makes the loop cover all keys, so that only the mask hides them.
ALL_KEYS = ("%end = arith.addi %p, %stop", "%end = arith.addi %p, %tokens")
# The library's mask of the keys that a query sees.
SEEN = "    %seen = arith.select %isWindowed, %both, %causal : tensor<?x?xi1>\n"
# The part of an iteration that follows the scores.
SOFTMAX = ("    %mt = tile.reduce max", "  }\n  %lb =")


def seen(code):
    """Replaces the mask %seen by one that `code` computes from the original, %old."""
    return SEEN, SEEN.replace("%seen =", "%old =") + code


def documents(code):
    """Adds ids %dqs and %dks of queries and keys, from which `code` computes the mask."""
    return (ALL_KEYS, argument("%documents: !tile.view<?x?xi32>"), ("%isWindowed, %low, %ninf", "%isWindowed, %low, %low"),
            ("  %q = tile.load", "  %ds = tile.select %documents[%b] : !tile.view<?x?xi32> -> !tile.view<?xi32>\n"
                                 "  %dq = tile.load %ds[%m] [BM] : !tile.view<?xi32> -> tensor<?xi32>\n"
                                 "  %dqc = tile.expand_dims %dq, 1 : tensor<?xi32> -> tensor<?x1xi32>\n"
                                 "  %dqs = tile.broadcast %dqc [BM, BN] : tensor<?x1xi32> -> tensor<?x?xi32>\n"
                                 "  %q = tile.load"),
            seen("    %dk = tile.load %ds[%j] [BN] : !tile.view<?xi32> -> tensor<?xi32>\n"
                 "    %dks = tile.broadcast %dk [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>\n" + code))


def rotated():
    """Replaces keys k by k·cos - h·sin, where h is k with its halves swapped and the second negated."""
    half, keys = "tensor<?x?xf32>", "tensor<?x?x!tile.elt<KV>>"
    code = ""
    for side in (0, 1):
        code += (f"    %k{side} = tile.load %ks[%j, %c{side}] [BN, HALF] : !HW -> {keys}\n"
                 f"    %kf{side} = tile.cast %k{side} : {keys} to {half}\n")
    code += (f"    %cos = tile.load %cosines[%j, %c0] [BN, HALF] : !tile.view<?x?xf32> -> {half}\n"
             f"    %sin = tile.load %sines[%j, %c0] [BN, HALF] : !tile.view<?x?xf32> -> {half}\n")
    for name, left, right in (("a", 0, "cos"), ("b", 1, "sin"), ("c", 1, "cos"), ("d", 0, "sin")):
        code += f"    %r{name} = arith.mulf %kf{left}, %{right} : {half}\n"
    return code + (f"    %t0 = arith.subf %ra, %rb : {half}\n    %t1 = arith.addf %rc, %rd : {half}\n"
                   f"    %tt = tile.cat %t0, %t1 axis 1 : {half}, {half} -> {half}\n"
                   f"    %kt = tile.cast %tt : {half} to {keys}\n")


FORMS = {
    "exp": (*NATURAL, scores(f"    %qk = arith.mulf %dot, %rss : {TILE}\n")),
    "scaled": (*NATURAL, ("%q = tile.load %qs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>",
                          "%q0t = tile.load %qs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>\n"
                          f"  %rsq = tile.splat %rs [BM, D] : f32 -> {TILE}\n"
                          f"  %q0f = tile.cast %q0t : tensor<?x?x!tile.elt<X>> to {TILE}\n"
                          f"  %q1f = arith.mulf %q0f, %rsq : {TILE}\n"
                          f"  %q = tile.cast %q1f : {TILE} to tensor<?x?x!tile.elt<X>>")),
    "cap": (*NATURAL, argument("%limit: f32"),
            ("  %q = tile.load", f"  %caps = tile.splat %limit [BM, BN] : f32 -> {TILE}\n  %q = tile.load"),
            scores(f"    %ds = arith.mulf %dot, %rss : {TILE}\n    %dc = arith.divf %ds, %caps : {TILE}\n"
                   f"    %th = math.tanh %dc : {TILE}\n    %qk = arith.mulf %th, %caps : {TILE}\n")),
    "slopes": (*NATURAL, argument("%slopes: !tile.view<?xf32>"),
               ("  %q = tile.load", "  %slt = tile.load %slopes[%h] [1] : !tile.view<?xf32> -> tensor<1xf32>\n"
                                    "  %slope = tensor.extract %slt[%c0] : tensor<1xf32>\n"
                                    f"  %slopess = tile.splat %slope [BM, BN] : f32 -> {TILE}\n  %q = tile.load"),
               scores("    %j0a = arith.muli %j, %bn : index\n"
                      "    %j1a = arith.index_cast %j0a : index to i32\n"
                      "    %jsa = tile.splat %j1a [BN] : i32 -> tensor<?xi32>\n"
                      "    %kpa = arith.addi %jsa, %in : tensor<?xi32>\n"
                      "    %kposa = tile.broadcast %kpa [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>\n"
                      "    %far = arith.subi %kposa, %qpos : tensor<?x?xi32>\n"
                      f"    %farf = arith.sitofp %far : tensor<?x?xi32> to {TILE}\n"
                      f"    %lean = arith.mulf %farf, %slopess : {TILE}\n"
                      f"    %ds = arith.mulf %dot, %rss : {TILE}\n    %qk = arith.addf %ds, %lean : {TILE}\n")),
    "biasbf16": bias("bf16"),
    "biasf16": bias("f16"),
    "biasf32": bias("f32"),
    "documents": documents("    %same = arith.cmpi eq, %dks, %dqs : tensor<?x?xi32>\n"
                           "    %seen = arith.andi %old, %same : tensor<?x?xi1>\n"),
    "segments": documents("    %seen = arith.cmpi eq, %dks, %dqs : tensor<?x?xi32>\n"),
    "prefix": (ALL_KEYS, argument("%lengths: !tile.view<?xi32>"),
               ("  %q = tile.load", "  %lt0 = tile.load %lengths[%b] [1] : !tile.view<?xi32> -> tensor<1xi32>\n"
                                    "  %length = tensor.extract %lt0[%c0] : tensor<1xi32>\n"
                                    "  %prefixes = tile.splat %length [BM, BN] : i32 -> tensor<?x?xi32>\n"
                                    "  %q = tile.load"),
               seen("    %all = arith.cmpi slt, %kpos, %prefixes : tensor<?x?xi32>\n"
                    "    %seen = arith.ori %old, %all : tensor<?x?xi1>\n")),
    "nomaximum": (ALL_KEYS, *NATURAL[:1], NATURAL[3],
                  (SOFTMAX, f"    %sd = arith.mulf %s, %rss : {TILE}\n    %e = math.exp %sd : {TILE}\n"
                            f"    %lt = tile.reduce add %e axis 1 keepdims : {TILE} -> tensor<?x1xf32>\n"
                            "    %ln = arith.addf %li, %lt : tensor<?x1xf32>\n"
                            f"    %ec = tile.cast %e : {TILE} to tensor<?x?x!tile.elt<KV>>\n"
                            "    %on = tile.dot %ec, %vt, %oi\n        : tensor<?x?x!tile.elt<KV>>, tensor<?x?x!tile.elt<KV>>, "
                            f"{TILE} -> {TILE}\n"
                            f"    scf.yield %mi, %ln, %on : tensor<?x1xf32>, tensor<?x1xf32>, {TILE}\n")),
    "division": ((("    %ab = tile.broadcast", "    %ec = tile.cast"),
                  f"    %lab = tile.broadcast %la [BM, D] : tensor<?x1xf32> -> {TILE}\n"
                  f"    %oa = arith.mulf %oi, %lab : {TILE}\n"),
                 ("%on = tile.dot %ec", "%od = tile.dot %ec"),
                 ("    scf.yield", f"    %lnb = tile.broadcast %ln [BM, D] : tensor<?x1xf32> -> {TILE}\n"
                                   f"    %on = arith.divf %od, %lnb : {TILE}\n    scf.yield"),
                 ("%out = tile.cast %r", "%out = tile.cast %acc")),
    "normed": (("    %kt = tile.load %ks[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>\n",
                "    %k0 = tile.load %ks[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>\n"
                f"    %kf = tile.cast %k0 : tensor<?x?x!tile.elt<KV>> to {TILE}\n    %k2 = arith.mulf %kf, %kf : {TILE}\n"
                f"    %ka = tile.reduce add %k2 axis 1 keepdims : {TILE} -> tensor<?x1xf32>\n"
                "    %kd = tile.splat %df [BN, 1] : f32 -> tensor<?x1xf32>\n    %km = arith.divf %ka, %kd : tensor<?x1xf32>\n"
                "    %kr = math.rsqrt %km : tensor<?x1xf32>\n"
                f"    %krb = tile.broadcast %kr [BN, D] : tensor<?x1xf32> -> {TILE}\n    %kn = arith.mulf %kf, %krb : {TILE}\n"
                f"    %kt = tile.cast %kn : {TILE} to tensor<?x?x!tile.elt<KV>>\n"),),
    "rotated": (argument("%cosines: !tile.view<?x?xf32>, %sines: !tile.view<?x?xf32>"),
                ("D = dim(%k, 3),", "D = dim(%k, 3), HALF = dim(%cosines, 1),"),
                ("    %kt = tile.load %ks[%j, %c0] [BN, D] : !HW -> tensor<?x?x!tile.elt<KV>>\n", rotated())),
}


def write_texts(folder):
    """Writes each kernel `attention_NAME` to a file of that name."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(KERNELS, "attention.mlir")) as file:
        library = file.read()
    for name, edits in FORMS.items():
        text = edited(library, ("@attention(", f"@attention_{name}("), *edits)
        text = re.sub(r"    implements\(.*?\)\n", "", text)
        with open(os.path.join(folder, f"attention_{name}.mlir"), "w") as file:
            file.write(text)


@dataclass(frozen=True)
class FormJob(Job):
    """`plain`: the library job with the same work; `keys`: the keys in a cache, if it is not full."""
    plain: str = ""
    window: int = 0
    keys: int = 0


def packed(b, h, t, d):
    cache = ((b, h, t, d), "bf16")
    return (((b * t, 3 * h * d), "bf16"), cache, cache, ((b,), "i32")), (((b * t, h * d), "bf16"),)


def form_jobs():
    for b, h, t, d in SIZES:
        size = f"{b}x{h}x{t}x{d}"
        ins, outs = packed(b, h, t, d)
        yield FormJob(f"plain_{size}", "attention", ins, outs, given=known_scores(4))
        for name in FORMS:
            if "bias" in name and h * t * t > 1 << 29:
                continue
            more = {"cap": ("f32",), "slopes": (((h,), "f32"),), "biasbf16": (((h, t, t), "bf16"),),
                    "biasf16": (((h, t, t), "f16"),), "biasf32": (((h, t, t), "f32"),), "documents": (((b, t), "i32"),),
                    "segments": (((b, t), "i32"),),
                    "prefix": (((b,), "i32"),),
                    "rotated": (((t, d // 2), "f32"), ((t, d // 2), "f32"))}.get(name, ())
            yield FormJob(f"{name}_{size}", f"attention_{name}", ins + more, outs, plain=f"plain_{size}",
                          given=known_scores(4 + len(more)))
    b, h, t, d = WINDOW_SIZE
    ins, outs = packed(*WINDOW_SIZE)
    yield FormJob("plain_window", "attention", ins, outs, given=known_scores(4))
    for window in WINDOWS:
        yield FormJob(f"window_{window}", "attention", ins, outs, plain="plain_window", window=window,
                      given=known_scores(4, window=window))
    for n, f, k in GATED:
        x, y, both = ((n, k), "bf16"), ((n, f), "bf16"), ((n, 2 * f), "bf16")
        ins, linear = (x, ((2 * f, k), "bf16")), "linear_decode" if n <= 16 else "linear"
        yield FormJob(f"plain_{n}x{f}x{k}", linear, (*ins, ((2 * f,), "f32")), (both,), weights=(1, 2))
        yield FormJob(f"gated_{n}x{f}x{k}", "linear_silu_glu", (*ins, ((0,), "f32")), (y,), weights=(1, 2), plain=f"plain_{n}x{f}x{k}",
                      chain=((linear, (0, 1, 2), both), ("silu_glu", ("^",), y)))
    for b, h, k, s, d in LONG:
        cache = ((b, k, s, d), "bf16")
        for keys in (s, 500) if b == 1 else (s,):
            name = f"long_{b}x{h}x{k}x{s}x{d}" if keys == s else f"begun_{b}x{h}x{k}x{s}x{d}"
            yield FormJob(name, "attention_decode", (((b, (h + 2 * k) * d), "bf16"), cache, cache, ((b,), "i32")),
                          (((b, h * d), "bf16"),), weights=(3,), keys=keys, given=known_scores(4))
