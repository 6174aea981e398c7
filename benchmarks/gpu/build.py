#!/usr/bin/env python3
"""Compiles the kernels of the GPU benchmarks: NAME.cubin and NAME.json for every job. Needs ptxas, no GPU.

    build.py TILEGPT_OPT OUT_DIR [--arch sm_90a] [--only REGEX] [--random KIND --draws N --seed S] [--tuning FILE]

A job launches a library kernel, or several fused ones, on tensors of fixed shapes, compiled exactly like a model's launches.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace

from build_flags import parse_flags
from expressions import evaluate
from job_flags import add_job_flags, jobs_of
from matmul_jobs import MATMULS

# Kernels that are not in the library.
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rows")


def tensor(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


class Known:
    """The constant operands of a launch, and the ops that create them."""

    def __init__(self):
        self.ops, self.count = "", 0

    def add(self, known):
        """The name and type of "0.5:f32", a constant, or of a shape and type, an empty tensor."""
        name = f"%g{self.count}"
        value, type = known.split(":") if isinstance(known, str) else ("", tensor(*known))
        self.ops += f"  {name} = " + (f"arith.constant {value} : {type}\n" if value else f"tensor.empty() : {type}\n")
        self.count += 1
        return name, type


def chain_of(job, ins, outs):
    """The launches of a job's chain, and the values of the job's outs after them."""
    body, results, made, updated = "", [], [], {}
    known = Known()

    def operand(of):
        if isinstance(of, int):
            return ins[of]
        return results[int(of[1:] or 0)] if of[0] == "^" else known.add(of)

    for number, (kernel, operands, makes) in enumerate(job.chain):
        read, into = [operand(of) for of in operands], []
        for place, out in enumerate(makes if isinstance(makes, list) else [makes]):
            if isinstance(out, int):
                into.append(outs[out])
                updated[out] = f"%m{number}#{place}"
            else:
                into.append((f"%e{number}_{place}", tensor(*out)))
                body += f"  {into[-1][0]} = tensor.empty() : {into[-1][1]}\n"
        types = ", ".join(t for _, t in into)
        body += (f"  %m{number}:{len(into)} = tile.launch @{kernel} ins({', '.join(n for n, _ in read)})"
                 f" outs({', '.join(n for n, _ in into)}) : ({', '.join(t for _, t in (*read, *into))}) -> ({types})\n")
        results = [(f"%m{number}#{place}", type) for place, (_, type) in enumerate(into)]
        made.append(results[0][0])
    others = iter(made[len(updated) - len(outs):])
    return known.ops + body, [updated[n] if n in updated else next(others) for n in range(len(outs))]


def module_of(job):
    """A function with the job's launches, after a launch that may still be writing all operands but the weights."""
    ins = [(f"%i{n}", tensor(*t) if isinstance(t, tuple) else t) for n, t in enumerate(job.ins)]
    outs = [(f"%o{n}", tensor(*t)) for n, t in enumerate(job.outs)]
    arguments = ", ".join(f"{name}: {type}" + " {tile.transient}" * (number not in job.weights)
                          for number, (name, type) in enumerate(ins + outs))
    params = " params {" + ", ".join(f"{k} = {v}" for k, v in job.params.items()) + "}" if job.params else ""
    results = ", ".join(t for _, t in outs)
    if job.chain:
        body, returned = chain_of(job, ins, outs)
    else:
        known, read = Known(), []
        for number in range(len(ins) + 1):
            read += [known.add(value) for behind, value in job.given if behind == number] + ins[number:number + 1]
        types = ", ".join(t for _, t in read + outs)
        body = known.ops + (f"  %r:{len(outs)} = tile.launch @{job.kernel} ins({', '.join(n for n, _ in read)})"
                f" outs({', '.join(n for n, _ in outs)}){params} : ({types}) -> ({results})\n")
        returned = [f"%r#{n}" for n in range(len(outs))]
    return (f"func.func @{job.name}({arguments}) -> ({results}) {{\n{body}"
            f"  return {', '.join(returned)} : {results}\n}}\n")


def constant_of(specialized, name):
    """The value of a constant of the launching function, in the form of launch facts."""
    text = re.search(rf"{re.escape(name)} = arith.constant (\S+) : (\w+)", specialized[specialized.rindex("func.func"):])
    return {"value": int(text[1]) if text[2] == "i32" else float(text[1])}


def operands_of(specialized, job):
    """For each operand of the launch: its index among the ins and outs of the job, or the value of a constant."""
    ins, outs, results = re.search(r"(?:(%\S+) = )?tile\.launch @\S+ ins\((.*?)\) outs\((.*?)\)", specialized).group(2, 3, 1)
    numbers = [int(name[4:]) if name.startswith("%arg") else constant_of(specialized, name) for name in ins.split(", ") if name]
    if not job.chain:
        return numbers + [int(name) for name in re.findall(r"%arg(\d+)", outs)]
    # Results are new tensors, which the function returns in the order of the job's outs.
    returned = re.search(r"return (.*?) :", specialized[specialized.index("tile.launch"):]).group(1).split(", ")
    made = [returned.index(f"{results.split(':')[0]}#{n}" if len(job.outs) > 1 else results) for n in range(len(job.outs))]
    return numbers + [len(job.ins) + number for number in made]


def grid_of(facts, job):
    """The blocks of the launch along each axis, by the expressions that describe them."""
    tensors = [*job.ins, *job.outs]

    def argument(operand):
        if isinstance(operand, dict):
            return operand["value"]
        of = tensors[operand]
        return SimpleNamespace(shape=of[0]) if isinstance(of, tuple) else None

    arguments = [argument(operand) for operand in facts["operands"]]
    return [evaluate(expression, arguments) for expression in facts["grid"]]


def compile_job(job, options):
    """The cubin and the launch facts of a job. The options include a file of tuning records (`tuning`) and a folder of kernels
    that are not in the library (`kernels`), both optional."""
    records, kernels = getattr(options, "tuning", ""), getattr(options, "kernels", MATMULS if job.kernel.startswith("matmul") else ROWS)
    tuning = [f"--tuning={records}"] * bool(records)
    base = os.path.join(options.out, job.name)
    with open(base + ".mlir", "w") as file:
        file.write(module_of(job))

    def opt(*flags):
        run = subprocess.run(
            [options.compiler, base + ".mlir", f"--arch={options.arch}", f"--kernels={kernels}", *tuning, *flags, *["--" + job.rounding] * bool(job.rounding)],
            capture_output=True)
        if run.returncode:
            raise RuntimeError(f"{job.name}: {run.stderr.decode()}")
        return run.stdout

    facts = json.loads(opt("--emit=launch"))
    specialized = opt("--compile-to=specialized").decode()
    facts["operands"] = operands_of(specialized, job)
    facts["grid"] = grid_of(facts, job)
    params = re.search(r"params \{(.*?)\}", specialized)
    facts["params"] = params.group(1) if params else ""
    with open(base + ".json", "w") as file:
        json.dump(facts, file)
    with open(base + ".cubin", "wb") as file:
        file.write(opt("--emit=cubin"))
    return f"{job.name}: {facts['params']}, {facts['threads']} threads, {facts['registers']} registers"


def main():
    def add_flags(parser):
        add_job_flags(parser)
        parser.add_argument("--tuning", default="", help="records of tilegpt-run tune; off for none, not even those that come with TileGPT")
    options = parse_flags(__doc__, add_flags)
    jobs = jobs_of(options)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for future in concurrent.futures.as_completed([pool.submit(compile_job, job, options) for job in jobs]):
            try:
                print(future.result())
            except (RuntimeError, AttributeError, json.JSONDecodeError) as error:
                failed += 1
                print(f"failed: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
