"""Third-party kernels to race against: cubins, each with a JSON file that describes its launch.

FOLDER/JOB@NAME.json joins the race of JOB as NAME:

    {"cubin": "gemm.cubin", "symbol": "gemm", "grid": [128, 1, 1], "threads": 384, "shared_bytes": 200000,
     "dependent_launch": false, "arguments": [{"map": 0, "type": "bf16", "box": [64, 128], "swizzle": 128,
     "l2_promotion": 256}, {"pointer": 3}, {"u32": 1024}, {"f32": 0.5}, {"zeros": 4}]}

Operands are numbered like the job's, inputs first; null is a null pointer, "zeros" a zeroed buffer of this many bytes.
They are timed, not checked.
"""

import ctypes
import glob
import json
import os
from ctypes import byref, c_float, c_uint, c_uint32, c_uint64, c_void_p

import torch

import driver


class Contender:
    """A third-party cubin, ready to be bound to the operands of its job."""

    def __init__(self, path):
        with open(path) as file:
            self.facts = json.load(file)
        cubin = os.path.join(os.path.dirname(path), self.facts["cubin"])
        self.function = driver.load(cubin, self.facts["symbol"], self.facts["shared_bytes"])

    def bind(self, operands, stream):
        """A function without arguments that launches once on stream()."""
        facts, values, buffers = self.facts, [], []
        for argument in facts["arguments"]:
            if "map" in argument:
                values.append(driver.TensorMap(argument, operands[argument["map"]]))
            elif "pointer" in argument:
                operand = argument["pointer"]
                values.append(c_uint64(0 if operand is None else operands[operand].data_ptr()))
            elif "zeros" in argument:
                buffers.append(torch.zeros(argument["zeros"], dtype=torch.uint8, device="cuda"))
                values.append(c_uint64(buffers[-1].data_ptr()))
            elif "f32" in argument:
                values.append(c_float(argument["f32"]))
            else:
                values.append(c_uint32(argument["u32"]))
        addresses = [v.address if isinstance(v, driver.TensorMap) else ctypes.addressof(v) for v in values]
        params = (c_void_p * len(addresses))(*addresses)
        config = driver.LaunchConfig(tuple(facts["grid"]), (facts["threads"], 1, 1), facts["shared_bytes"])
        attribute = driver.LaunchAttribute(driver.PROGRAMMATIC_SERIALIZATION, 0, (c_uint * 16)(1))
        if facts["dependent_launch"]:
            config.attributes, config.count = ctypes.pointer(attribute), 1
        function, keep = self.function, (values, operands, buffers, attribute)

        def launch(_keep=keep):
            config.stream = stream()
            driver.check(driver._cuda.cuLaunchKernelEx(byref(config), function, params, None), facts["symbol"])
        return launch


def contenders_of(folder, job):
    """{name: Contender} of a job."""
    paths = sorted(glob.glob(os.path.join(glob.escape(folder), f"{job}@*.json"))) if folder else []
    return {os.path.basename(path)[len(job) + 1:-len(".json")]: Contender(path) for path in paths}
