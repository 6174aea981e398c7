#!/usr/bin/env python3
"""Compares whole GPT-2 models with PyTorch and Hugging Face on one GPU, in one run: correctness, then speed.

    models.py TILEGPT_RUN BUNDLES [--only SECTION,…] [--models REGEX] [--out FILE.json]

Sections: agreement, grid, prefill, decode, start, kernels. BUNDLES is the output of build_models.py. Weights are random
and seeded; both sides read the same checkpoint, which is written to a folder in memory.
"""

import argparse
import json
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
import traceback

import numpy
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from harness import geometric_mean
from peers import gpt2
from peers.gpt2 import SIZES, VOCABULARY
from runner import Runner

GRID = ("nano", "small", "medium")
GPT2 = ("gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl")
# PyTorch's logits have the type of its weights; ours are f32 except in bf16-logits.
TYPES = {"f32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16, "bf16-logits": torch.bfloat16}


def capture(call):
    """A CUDA graph of call(), and the tensor that receives its result."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(2):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        result = call()
    return graph, result


def device_us(call, times=20):
    """Median µs between two events around call(): includes gaps due to host work, but not synchronization."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    samples = []
    for _ in range(times + 2):
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        samples.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(samples[2:])


def set_precision(dtype):
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"


def error(got, want):
    """Relative error of logits in the L2 norm; NaNs propagate."""
    return ((got.double() - want.double()).norm() / want.double().norm()).item()


class Section:
    """The rows of one section, printed as they are measured."""

    def __init__(self, name, results):
        self.name, self.rows = name, results.setdefault(name, [])

    def row(self, case, **values):
        self.rows.append({"case": case, **values})
        shown = (f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}" for key, value in values.items())
        print(f"{self.name:10s}{case:26s}", "  ".join(shown), flush=True)


class Bench:
    def __init__(self, runner, memory):
        self.runner, self.memory = runner, memory
        self.ids = [random.randrange(VOCABULARY) for _ in range(8192)]

    def tokens(self, batch, count, skip=0):
        ids = torch.tensor(self.ids, device="cuda").repeat(2)[skip:skip + batch * count]
        return ids.view(batch, count)

    def checkpoint(self, name):
        """Seeded weights and the folder of their checkpoint."""
        weights = gpt2.random_weights(SIZES[name])
        folder = os.path.join(self.memory, name)
        gpt2.save_checkpoint(folder, SIZES[name], weights)
        return weights, folder

    def logits(self, path):
        logits = torch.from_numpy(numpy.load(path)).cuda()
        os.remove(path)
        return logits

    def agreement(self, section, name):
        """Logits compared with Hugging Face in f32 and, for bf16, with its own error against f32."""
        weights, folder = self.checkpoint(name)
        ids, test = self.tokens(1, 256), "score:256"
        truth = {}
        for dtype in (torch.float64, torch.float32, torch.bfloat16):
            model = gpt2.hugging_face(SIZES[name], weights, dtype)
            truth[dtype] = model(ids, use_cache=False).logits.flatten(0, 1).double()
            del model
        exact, single = truth[torch.float64], truth[torch.float32]
        peer = (truth[torch.bfloat16] - single)
        values = {"logits_max": exact.abs().max().item()}
        for dtype in ("f32", "bf16"):
            found = self.runner.bench(f"{name}-{dtype}", folder, [test], self.ids, self.memory, "--repetitions", "1")
            got = self.logits(found[test]["logits"]).double()
            difference = got - single
            values[f"{dtype}_max"] = difference.abs().max().item()
            values[f"{dtype}_rms"] = difference.square().mean().sqrt().item()
            if dtype == "f32":
                values["f32_exact_max"] = (got - exact).abs().max().item()
                values["hf_exact_max"] = (single - exact).abs().max().item()
        values["hf_bf16_max"] = peer.abs().max().item()
        values["hf_bf16_rms"] = peer.square().mean().sqrt().item()
        right = (values["f32_max"] <= 2e-3 and values["bf16_max"] <= values["hf_bf16_max"]
                 and values["bf16_rms"] <= values["hf_bf16_rms"])
        section.row(name, right=right, **values)

    def grid(self, section, name, dtypes, compiled):
        """All logits of B prompts of T tokens, 12 shapes: eager, the best mode of PyTorch, ours."""
        weights, folder = self.checkpoint(name)
        shapes = [(batch, count) for batch in (1, 4, 8, 16) for count in (64, 128, 256)]
        tests = [f"score:{count}x{batch}" for batch, count in shapes]
        reference = gpt2.Model(SIZES[name], weights, torch.float32)
        for dtype in dtypes:
            ours = self.runner.bench(f"{name}-{dtype}", folder, tests, self.ids, self.memory)
            plain = gpt2.Model(SIZES[name], weights, TYPES[dtype])
            padded = gpt2.Model(SIZES[name], weights, TYPES[dtype], padded=True)
            for (batch, count), test in zip(shapes, tests):
                ids = self.tokens(batch, count)
                set_precision("f32")
                want = reference.forward(ids).flatten(0, 1)
                wrong = error(self.logits(ours[test]["logits"]), want)
                set_precision(dtype)
                peer_wrong = error(plain.forward(ids).flatten(0, 1), want)
                del want
                modes = {}
                graph, _ = capture(lambda: padded.forward(ids))
                modes["graph"] = device_us(graph.replay)
                del graph
                if compiled:
                    torch._dynamo.reset()
                    fused = gpt2.Model(SIZES[name], weights, TYPES[dtype], padded=True).compile()
                    graph, _ = capture(lambda: fused.forward(ids))
                    modes["compiled"] = device_us(graph.replay)
                    del graph
                eager = device_us(lambda: plain.forward(ids))
                best = min(modes, key=modes.get)
                us = ours[test]["device_us"]
                logits = "bf16" if dtype == "bf16-logits" else "f32"
                section.row(f"{name} {dtype} {batch}x{count}", logits=logits, ours_us=us, host_us=ours[test]["host_us"],
                            eager_us=eager, best_us=modes[best], best=best, over_eager=eager / us,
                            over_best=modes[best] / us, error=wrong, peer_error=peer_wrong)
        set_precision("f32")

    def prefill(self, section, name):
        """1024 tokens of 1 and 8 prompts in bf16: the last logits, and all."""
        weights, folder = self.checkpoint(name)
        model = gpt2.Model(SIZES[name], weights, torch.bfloat16, padded=True)
        for batch in (1, 8):
            ids = self.tokens(batch, 1024)
            ours = self.runner.bench(f"{name}-bf16", folder, [f"prefill:1024x{batch}", f"score:1024x{batch}"], self.ids,
                                     self.memory if batch == 1 else None)
            for kind, last in (("prefill", True), ("score", False)):
                found = ours[f"{kind}:1024x{batch}"]
                modes = {}
                with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                    graph, logits = capture(lambda: model.forward(ids, last=last))
                    modes["graph"] = device_us(graph.replay)
                    values = {}
                    if batch == 1:
                        want = logits[..., :VOCABULARY].flatten(0, 1)
                        values["difference"] = error(self.logits(found["logits"]), want)
                    del graph, logits
                    torch._dynamo.reset()
                    fused = gpt2.Model(SIZES[name], weights, torch.bfloat16, padded=True).compile()
                    graph, _ = capture(lambda: fused.forward(ids, last=last))
                    modes["compiled"] = device_us(graph.replay)
                    del graph, fused
                best = min(modes, key=modes.get)
                section.row(f"{name} {kind} {batch}x1024", ours_us=found["device_us"], best_us=modes[best], best=best,
                            over_best=modes[best] / found["device_us"], **values)

    def decode(self, section, name, tuned):
        """One token behind 511 others in bf16: the step alone, without host work between steps."""
        weights, folder = self.checkpoint(name)
        test = "decode:1@511"
        ours = self.runner.bench(f"{name}-bf16", folder, [test], self.ids, self.memory)[test]
        model = gpt2.Model(SIZES[name], weights, torch.bfloat16)
        want = model.forward(self.tokens(1, 512), last=True).flatten(0, 1)
        wrong = error(self.logits(ours["logits"]), want)
        cache, token = model.empty_cache(1, 512), self.tokens(1, 1)
        modes = {}
        variants = {"graph": None, "compiled": {}}
        if tuned:
            variants["tuned"] = {"block": gpt2.apart_block, "options": {"coordinate_descent_tuning": True}}
        for mode, options in variants.items():
            torch._dynamo.reset()
            model = gpt2.Model(SIZES[name], weights, torch.bfloat16, padded=True)
            if options is not None:
                model.compile(**options)
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                graph, _ = capture(lambda: model.forward(token, cache=cache))
            modes[mode] = device_us(graph.replay)
            del graph
        best = min(modes, key=modes.get)
        section.row(name, ours_us=ours["device_us"], host_us=ours["host_us"], **{f"{m}_us": t for m, t in modes.items()},
                    over_best=modes[best] / ours["device_us"], difference=wrong)

    def start(self, section, name):
        """Time from process start to the first token's id, for a prompt of 128 tokens."""
        _, folder = self.checkpoint(name)
        section.row(f"{name} bundle", seconds=self.runner.first_token(f"{name}-bf16", folder, self.ids[:128]))

    def kernels(self, section, name):
        """The breakdown of a step's time by kernel."""
        _, folder = self.checkpoint(name)
        tests = ("score:64", "score:256x16") if name in GRID else ("decode:1@511", "prefill:1024", "prefill:1024x8")
        for test in tests:
            kernels = self.runner.kernels(f"{name}-bf16", folder, test)
            total = sum(row[2] for row in kernels)
            print(f"{name} {test}: {total:.0f} µs in launches")
            for kernel, count, us, blocks, place in kernels:
                section.rows.append({"case": f"{name} {test}", "kernel": kernel, "launches": count, "us": us})
                print(f"  {us:9.1f} µs {100 * us / total:5.1f} %  {count:4d} × {us / count:8.2f} µs"
                      f"  {blocks:6d} blocks  {kernel} ({place})", flush=True)


def summarize(results):
    """A summary of a section's rows."""
    for name, rows in results.items():
        for measure in ("over_eager", "over_best"):
            found = [row[measure] for row in rows if measure in row]
            if found:
                print(f"{name}: {measure} geometric mean {geometric_mean(found):.2f}, worst {min(found):.2f}, "
                      f"faster in {sum(value > 1 for value in found)} of {len(found)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("bundles")
    parser.add_argument("--only", default="agreement,grid,prefill,decode,start,kernels", help="sections")
    parser.add_argument("--models", default="", help="regular expression")
    parser.add_argument("--types", default="f32,tf32,bf16-logits",
                        help="of the grid; ours has logits in f32 in bf16, in bf16 as PyTorch's in bf16-logits")
    parser.add_argument("--no-compile", action="store_true", help="the grid without torch.compile")
    parser.add_argument("--no-tune", action="store_true", help="decode without inductor's coordinate descent")
    parser.add_argument("--out", help="file for the results, JSON")
    options = parser.parse_args()
    random.seed(7)
    torch.manual_seed(7)
    results, failed = {}, 0
    models = {"grid": GRID, "prefill": ("gpt2", "gpt2-xl"), "start": ("gpt2",), "kernels": ("medium", "gpt2", "gpt2-xl")}
    extra = {"grid": (options.types.split(","), not options.no_compile), "decode": (not options.no_tune,)}
    memory = tempfile.mkdtemp(dir="/dev/shm")
    try:
        bench = Bench(Runner(options.run, options.bundles), memory)
        for name in options.only.split(","):
            begin = time.perf_counter()
            for model in models.get(name, GPT2):
                if not re.search(options.models, model):
                    continue
                try:
                    with torch.inference_mode():
                        getattr(bench, name)(Section(name, results), model, *extra.get(name, ()))
                except (RuntimeError, OSError, ValueError) as problem:
                    failed += 1
                    print(f"{name} {model} failed: {problem}", file=sys.stderr)
                    traceback.print_exc(limit=-3)
                shutil.rmtree(os.path.join(memory, model), ignore_errors=True)
                torch.cuda.empty_cache()
            print(f"{name}: {time.perf_counter() - begin:.0f} s", flush=True)
    finally:
        shutil.rmtree(memory, ignore_errors=True)
    summarize(results)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(results, file, indent=1)
    wrong = [row["case"] for row in results.get("agreement", []) if not row["right"]]
    if wrong:
        print("do not agree:", ", ".join(wrong), file=sys.stderr)
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
