"""Checks and timings on one GPU: contenders are interleaved in random order; times are medians of graph replays, each relative
to its round."""

import gc
import os
import random
import statistics
import time

import torch

L2_BYTES = 60 << 20


def poison_of(dtype):
    """A value that no kernel writes."""
    return float("nan") if dtype.is_floating_point else -1


class Harness:
    """The device, with operations that all benchmarks share."""

    def __init__(self, seed=None):
        torch.manual_seed(int(time.time()) if seed is None else seed)
        random.seed(0)
        self.multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
        self.status = torch.zeros(1, dtype=torch.int32, device="cuda")
        self.capture = torch.cuda.Stream()
        gc.collect()
        gc.freeze()                            # graph capture collects garbage each time

    def stream(self):
        return torch.cuda.current_stream().cuda_stream

    def bind(self, kernel, arguments, grid):
        """Returns a launcher of a kernel on these tensors; pads grid with ones."""
        arguments = [number["value"] if isinstance(number, dict) else arguments[number]
                     for number in kernel.facts.get("operands", range(len(arguments)))]
        return kernel.bind(arguments, (*grid, 1, 1)[:3], self.stream, self.multiprocessors, self.status)

    def normal(self, *shape, dtype=torch.bfloat16, scale=1.0):
        return (torch.randn(*shape, device="cuda") * scale).to(dtype)

    def poisoned(self, *shape, dtype=torch.bfloat16):
        return torch.full(shape, poison_of(dtype), device="cuda", dtype=dtype)

    def compare(self, launch, output, want, tolerance):
        """Runs twice on poisoned outputs; returns the relative error, or a description of the failure."""
        runs = []
        for _ in range(2):
            output.fill_(poison_of(output.dtype))
            launch()
            torch.cuda.synchronize()
            runs.append(output.clone())
        if self.status.item():
            return f"assertion {self.status.item()} failed"
        if not torch.equal(runs[0], runs[1]):
            return f"two runs differ, {int(torch.isnan(runs[0]).sum())} NaN"
        got = runs[0].double()
        error = (got - want).norm().item() / (want.norm().item() or 1.0)
        return error if error < tolerance else f"error {error:.2e}, {int(torch.isnan(got).sum())} NaN"

    def copies(self, nbytes):
        """Enough sets of buffers to cycle through that none stays in L2."""
        return max(2, min(64, 3 * L2_BYTES // max(1, nbytes) + 1))

    def race(self, contenders, rounds=7, target_us=1500.0):
        """Median µs of each contender: {name: [calls on different buffers]} -> {name: µs}.

        Each call list becomes a CUDA graph that cycles through its buffers for about target_us. A round replays all of them in
        random order.
        """
        runners = [Runner(self, name, calls, target_us) for name, calls in contenders.items()]
        for _ in range(rounds):
            random.shuffle(runners)
            for runner in runners:
                runner.replay(keep=False)
                runner.replay(keep=True)
        return paired_medians({runner.name: runner.times for runner in runners})


class Runner:
    """A captured graph of calls."""

    def __init__(self, harness, name, calls, target_us):
        self.name, self.times = name, []
        stream = harness.capture
        stream.wait_stream(torch.cuda.current_stream())
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(stream):
            for call in calls[:2]:
                call()
            self.begin.record()
            calls[0]()
            self.end.record()
        torch.cuda.synchronize()
        guess = max(2.0, self.begin.elapsed_time(self.end) * 1e3)
        self.count = max(len(calls), min(400, int(target_us / guess)))
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=stream):
            for i in range(self.count):
                calls[i % len(calls)]()

    def replay(self, keep):
        self.begin.record()
        self.graph.replay()
        self.end.record()
        torch.cuda.synchronize()
        if keep:
            self.times.append(self.begin.elapsed_time(self.end) * 1e3 / self.count)


def paired_medians(times):
    """The time of each contender, from those of all rounds: its median ratio to the mean of a round, times the median mean.

    Large products reach the power limit within some 50 ms, and the clock drops by a fifth: medians of a few rounds fall on
    either side of the drop, ratios within a round do not change.
    """
    means = [geometric_mean(round) for round in zip(*times.values())]
    typical = statistics.median(means)
    return {name: typical * statistics.median(time / mean for time, mean in zip(own, means)) for name, own in times.items()}


def geometric_mean(values):
    values = list(values)
    return statistics.geometric_mean(values) if values else float("nan")


def percentile(values, percent):
    """The value below which `percent` percent lie."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * percent / 100))]


def out_path(name):
    """The folder for results: $OUT, or the current folder."""
    return os.path.join(os.environ.get("OUT", "."), name)
