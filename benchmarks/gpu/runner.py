"""Runs tilegpt-run on compiled models and parses its measurements."""

import collections
import json
import os
import statistics
import subprocess
import tempfile
import time


class Runner:
    """A tilegpt-run and a folder of bundles, MODEL-TYPE.tgb."""

    def __init__(self, program, bundles):
        self.program, self.bundles = program, bundles

    def command(self, model, checkpoint, *flags):
        """The command line; without a checkpoint, weights are random."""
        weights = ["--weights", checkpoint, "--weights-layout", "linear"] if checkpoint else ["--random-weights", "1"]
        return [self.program, os.path.join(self.bundles, model + ".tgb"), *weights, *flags]

    def run(self, *command):
        done = subprocess.run(self.command(*command), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[-500:])
        return done.stdout

    def bench(self, model, checkpoint, tests, ids, dump=None, *flags):
        """Measurements by test: "score:64x4" -> {"device_us", "host_us", "logits": the file if dump is a folder}.

        If `ids` is None, the program draws random tokens.
        """
        dumping = ["--dump-logits", os.path.join(dump, "logits.npy")] if dump else []
        tokens = ["--tokens", ",".join(map(str, ids))] if ids else []
        lines = self.run(model, checkpoint, "--bench", ",".join(tests), *tokens, *dumping, *flags).splitlines()
        results = {}
        for test, line in zip(tests, map(json.loads, lines), strict=True):
            results[test] = {"device_us": statistics.median(line["device_samples_ns"]) / 1e3,
                             "host_us": statistics.median(line["samples_ns"]) / 1e3}
            if dump:
                results[test]["logits"] = os.path.join(dump, f"logits-{line['test']}.npy")
        return results

    def kernels(self, model, checkpoint, test):
        """The breakdown of a step's time: [(kernel, launches, µs together, blocks, place)], longest first.

        Launches are measured one by one between events, which adds about two µs to each.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            self.run(model, checkpoint, "--bench", test, "--repetitions", "10", "--trace", path)
            with open(path) as file:
                events = json.load(file)["traceEvents"]
        steps, last = [], None
        for event in events:  # a step starts with the embedding
            if event["args"]["at"] == "embed" and last != "embed":
                steps.append([])
            last = event["args"]["at"]
            steps[-1].append(event)
        steps = [step for step in steps if len(step) == len(steps[-1])][-10:]
        kernels = collections.defaultdict(lambda: [0, 0.0, 0, ""])
        for launch in zip(*steps):
            row = kernels[launch[0]["name"]]
            row[0] += 1
            row[1] += statistics.median(event["dur"] for event in launch)
            row[2:] = launch[0]["args"]["blocks"], launch[0]["args"]["at"]
        return sorted(((name, *row) for name, row in kernels.items()), key=lambda row: -row[2])

    def first_token(self, model, checkpoint, ids, tries=5):
        """Median seconds from the start of the process to the first token's id, and to its end."""
        seconds = []
        for _ in range(tries):
            begin = time.perf_counter()
            with subprocess.Popen(self.command(model, checkpoint, "--tokens", ",".join(map(str, ids)), "-n", "1",
                                               "--print-ids", "--temp", "0"),
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                process.stdout.read(1)
                seconds.append(time.perf_counter() - begin)
        return statistics.median(seconds)
