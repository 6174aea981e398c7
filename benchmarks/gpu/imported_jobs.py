"""The jobs of kernels imported from CUDA Tile IR: entry, arrays, grid."""

import math
from dataclasses import dataclass, replace

import imported_texts as texts


@dataclass(frozen=True)
class ImportedJob:
    """arrays: (shape, element type, "in" or "out") in the entry's order; kind: the computation; blocks: of the grid."""
    name: str
    entry: texts.Entry
    kind: str
    arrays: tuple
    blocks: tuple
    assume: str = ""  # argument of --assume, for an entry without assumptions

    def text(self):
        return texts.module(self.entry)


def tiles(size, tile):
    return math.ceil(size / tile)


def product(name, entry, m, n, k, bm, bn, blocks=None, kind="matmul", batch=(), element="bf16", out="bf16"):
    transposed = kind == "matmul_nt"
    right = (n, k) if transposed else (k, n)
    return ImportedJob(f"{name}_{'x'.join(map(str, (*batch, m, n, k)))}", entry, kind,
                       (((*batch, m, k), element, "in"), ((*batch, *right), element, "in"), ((*batch, m, n), out, "out")),
                       blocks or (tiles(m, bm), tiles(n, bn), *batch))


def products():
    for m, n, k in ((4096, 4096, 4096), (8192, 3072, 768), (1000, 1016, 1048)):
        for bm, bn in ((128, 128), (128, 256)):
            yield product(f"matmul_{bm}x{bn}", texts.matmul(bm=bm, bn=bn), m, n, k, bm, bn)
        yield product("matmul_nt", texts.matmul(transposed=True, name="matmul_nt"), m, n, k, 128, 128, kind="matmul_nt")
        yield product("raster", texts.matmul(group=8, bn=256, name="raster"), m, n, k, 128, 256,
                      blocks=(tiles(m, 128) * tiles(n, 256),))
        yield product("persistent", texts.persistent(bn=256), m, n, k, 128, 256, blocks=(132,))
    for m, n, k in ((4096, 4096, 4096), (1000, 1016, 1048), (4000, 4072, 24)):
        entry = texts.matmul(element="f32", bk=32, group=8, name="matmul_tf32")
        yield product("matmul_tf32", entry, m, n, k, 128, 128, blocks=(tiles(m, 128) * tiles(n, 128),), kind="matmul_tf32",
                      element="f32", out="f32")
    yield product("batched", texts.batched(), 1024, 1024, 1024, 128, 128, batch=(16,))
    for pointers in (False, True):
        entry = texts.split_k(pointers=pointers)
        yield product("split_k_pointers" if pointers else "split_k", entry, 512, 512, 16384, 128, 128, blocks=(4, 4, 8),
                      kind="split_k", out="f32")
    for assume in ("", "16"):
        entry = texts.matmul(bn=256)
        entry.promises = False
        yield replace(product(f"matmul_bare{assume}", entry, 4096, 4096, 4096, 128, 256), assume=assume)


def attentions():
    for heads, rows, width in ((48, 1024, 64), (64, 4096, 64), (32, 8192, 128)):
        for causal, added in ((False, False), (True, False), (False, True), (True, True)):
            array = ((heads, rows, width), "bf16")
            kind = "causal" if causal else "attention"
            entry = texts.attention(head=width, causal=causal, added=added, name=kind)
            yield ImportedJob(f"{kind}{'_added' * added}_{heads}x{rows}x{width}", entry, kind,
                              (*[(*array, "in")] * 3, (*array, "out")), (tiles(rows, 128), heads))


def rowwise():
    size = 1 << 25
    vector = ((size,), "f32")
    for entry in (texts.vector_add(), texts.gathered_add()):
        yield ImportedJob(f"{entry.name}_{size}", entry, "add", ((*vector, "in"),) * 2 + ((*vector, "out"),),
                          (tiles(size, 1024),))
    square = ((8192, 8192), "bf16")
    yield ImportedJob("transpose_8192", texts.transpose(), "transpose", ((*square, "in"), (*square, "out")), (128, 128))
    rows = ((16384, 1024), "bf16")
    yield ImportedJob("rms_norm_1024", texts.rms_norm(), "rms_norm", ((*rows, "in"), ((1024,), "f32", "in"), (*rows, "out")),
                      (16384,))
    wide = ((8192, 8192), "bf16")
    yield ImportedJob("silu_multiply_8192", texts.silu_multiply(), "silu", ((*wide, "in"),) * 2 + ((*wide, "out"),),
                      (8192, 8))


def imported_jobs():
    return [*products(), *attentions(), *rowwise()]
