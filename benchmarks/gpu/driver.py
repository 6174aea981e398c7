"""Runs compiled kernels through the CUDA driver: cubins and launch facts as written by `tilegpt-opt --emit`.

PyTorch owns the context and the memory; this file loads, encodes TMA descriptors and launches,
with nothing but ctypes.
"""

import ctypes
import json
import struct
from ctypes import byref, c_char_p, c_int, c_uint, c_uint32, c_uint64, c_void_p

from expressions import evaluate

MAX_DYNAMIC_SHARED = 8                        # CUfunction_attribute
CLUSTER_DIMENSION, PROGRAMMATIC_SERIALIZATION = 4, 6   # CUlaunchAttributeID
SCALARS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}
MAP_TYPES = {"bf16": 9, "f16": 6, "f32": 7, "f64": 8, "tf32": 11, "i8": 0, "i16": 1, "i32": 3, "i64": 5,
             "f8E4M3FN": 0, "f8E5M2": 0}      # CUtensorMapDataType
BYTES = {"bf16": 2, "f16": 2, "f32": 4, "f64": 8, "tf32": 4, "i8": 1, "i16": 2, "i32": 4, "i64": 8,
         "f8E4M3FN": 1, "f8E5M2": 1}
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}       # CUtensorMapSwizzle
PROMOTIONS = {0: 0, 64: 1, 128: 2, 256: 3}    # CUtensorMapL2promotion

_cuda = ctypes.CDLL("libcuda.so.1")


def bits_of(value, element):
    """A scalar argument as the bits of its type; integers are their own."""
    if element not in SCALARS:
        return value
    floats, bits = SCALARS[element]
    return struct.unpack(bits, struct.pack(floats, value))[0]


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: an id and 64 bytes of value."""
    _fields_ = [("id", c_int), ("pad", c_int), ("value", c_uint * 16)]


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""
    _fields_ = [("grid", c_uint * 3), ("block", c_uint * 3), ("shared", c_uint),
                ("stream", c_void_p), ("attributes", ctypes.POINTER(LaunchAttribute)),
                ("count", c_uint)]


def whole_clusters(blocks, cluster):
    return -(-blocks // cluster) * cluster


def check(status, what):
    """Raise with the driver's name for a status that is not 0."""
    if status:
        name = c_char_p()
        _cuda.cuGetErrorName(status, byref(name))
        raise RuntimeError(f"{what}: {(name.value or b'?').decode()} ({status})")


class TensorMap:
    """The TMA descriptor of a view, as required by the kernel's launch facts. These may override the tensor's `sizes`, fastest
    first, and `strides` in bytes, of all axes but the first."""

    def __init__(self, facts, tensor):
        self._memory = ctypes.create_string_buffer(128 + 64)
        self.address = (ctypes.addressof(self._memory) + 63) & ~63
        width, sizes = BYTES[facts["type"]], facts.get("sizes", list(reversed(tensor.shape)))
        strides = facts.get("strides", [s * width for s in reversed(tensor.stride()[:-1])])
        rank = len(sizes)
        sizes, strides = (c_uint64 * rank)(*sizes), (c_uint64 * rank)(*strides)
        box, ones = (c_uint32 * rank)(*facts["box"]), (c_uint32 * rank)(*[1] * rank)
        check(_cuda.cuTensorMapEncodeTiled(
            c_void_p(self.address), MAP_TYPES[facts["type"]], c_uint32(rank), c_void_p(tensor.data_ptr()),
            sizes, strides, box, ones, 0, SWIZZLES[facts["swizzle"]], PROMOTIONS[facts["l2_promotion"]], 0),
            f"tensor map of {tuple(tensor.shape)} by {facts['box']}")


def load(path, symbol, shared):
    """Loads the function of a cubin and sets its limit of dynamic shared memory."""
    module, function = c_void_p(), c_void_p()
    with open(path, "rb") as file:
        check(_cuda.cuModuleLoadData(byref(module), file.read()), f"load {path}")
    check(_cuda.cuModuleGetFunction(byref(function), module, symbol.encode()), symbol)
    check(_cuda.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, c_int(shared)), f"{symbol}: {shared} bytes of shared memory")
    return function


def with_promotion(facts, tensor):
    """Chooses the L2 promotion of a view created at launch, whose row alignment is known only now."""
    aligned = all(stride * BYTES[facts["type"]] % 128 == 0 for stride in tensor.stride()[:-1])
    return {**facts, "l2_promotion": 256} if aligned else facts


def holds(conditions, arguments):
    """Whether a version of a kernel accepts these arguments."""
    def check(condition):
        argument = arguments[condition["argument"]]
        number = argument.data_ptr() if hasattr(argument, "data_ptr") else argument
        return number == condition["value"] if "value" in condition else number % condition["div_by"] == 0
    return all(map(check, conditions))


class Kernel:
    """One loaded cubin. `facts` is the JSON beside it."""

    def __init__(self, path):
        with open(path + ".json") as file:
            self.facts = json.load(file)
        self.name = self.facts["symbol"]
        self.functions = {facts["symbol"]: load(path + ".cubin", facts["symbol"], facts["shared_bytes"])
                          for facts in (self.facts, *self.facts.get("versions", ()))}

    def entry_for(self, arguments):
        """The launch facts of the version that accepts these arguments."""
        versions = self.facts.get("versions", ())
        return next((facts for facts in versions if holds(facts["when"], arguments)), self.facts)

    def bind(self, arguments, grid, stream, multiprocessors, status):
        """A function without arguments that launches once on stream().

        arguments: tensors and numbers in the kernel's order; grid: logical blocks along
        three axes; status: an int32 tensor that receives the number of a failed assertion.
        """
        facts, words = self.entry_for(arguments), []
        for value, parameter in zip(arguments, self.facts["parameters"], strict=True):
            if parameter["kind"] == "view":
                words += [c_uint64(v) for v in (value.data_ptr(), *value.shape, *value.stride())]
            elif parameter["type"].startswith("!tile.ptr"):
                words.append(c_uint64(value.data_ptr()))
            else:
                words.append(c_uint64(bits_of(value, parameter["type"])))
        views = list(arguments)
        for view in facts["launch_views"]:
            numbers = [evaluate(word, arguments) for word in view["words"]]
            rank, tensor = len(numbers) // 2, arguments[view["pointer"]]
            words += [c_uint64(v) for v in (tensor.data_ptr(), *numbers)]
            views.append(tensor.as_strided(numbers[:rank], numbers[rank:]))
        words += [c_uint64(extent) for extent in grid] + [c_uint64(status.data_ptr())]
        maps = [TensorMap(with_promotion(m, views[m["argument"]]) if facts["launch_views"] else m, views[m["argument"]])
                for m in facts["tensor_maps"]]
        addresses = [ctypes.addressof(word) for word in words] + [m.address for m in maps]
        params = (c_void_p * len(addresses))(*addresses)

        cluster = facts["cluster"]
        if facts["persistent"]:
            resident = multiprocessors * facts["blocks_per_multiprocessor"] // cluster * cluster
            blocks = (min(whole_clusters(grid[0] * grid[1] * grid[2], cluster), resident), 1, 1)
        else:
            blocks = (grid[0] * cluster, grid[1], grid[2])
        config = LaunchConfig(blocks, (facts["threads"], 1, 1), facts["shared_bytes"])
        attributes = []
        if cluster > 1:
            attributes.append(LaunchAttribute(CLUSTER_DIMENSION, 0, (c_uint * 16)(cluster, 1, 1)))
        if facts["dependent_launch"]:
            attributes.append(LaunchAttribute(PROGRAMMATIC_SERIALIZATION, 0, (c_uint * 16)(1)))
        array = (LaunchAttribute * max(1, len(attributes)))(*attributes)
        config.attributes, config.count = array, len(attributes)
        function, keep = self.functions[facts["symbol"]], (words, maps, array, arguments, status)

        def launch(_keep=keep):
            config.stream = stream()
            check(_cuda.cuLaunchKernelEx(byref(config), function, params, None), self.name)
        return launch
