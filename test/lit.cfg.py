# The lit suite: every .mlir and .test file here tests a tool; FileCheck checks the output.
import os
import shutil
import subprocess

import lit.formats

config.name = "TileGPT"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "data", "unit", "fuzz", "Numeric"]
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.binary_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.binary_root, "bin"), config.llvm_tools, os.environ["PATH"]]
)
# Tests neither use the user's kernel cache nor leave kernels there.
config.environment["TILEGPT_CACHE_DIR"] = os.path.join(config.test_exec_root, "kernel-cache")
config.substitutions.append(("%models", os.path.join(config.source_root, "models")))
config.substitutions.append(
    ("%fake-cuda", os.path.join(config.binary_root, "test/unit/Runtime/Cuda/FakeCuda.so"))
)
config.substitutions.append(("%examples", os.path.join(config.binary_root, "examples")))
config.substitutions.append(("%kernels", os.path.join(config.source_root, "kernels")))
config.substitutions.append(("%root", config.source_root))
config.substitutions.append(("%llvm-include", os.path.join(os.path.dirname(config.llvm_tools), "include")))
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%expect-exit", os.path.join(config.test_source_root, "tilegpt-run/Inputs/expect-exit.sh")))


def cpu_flags():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("flags"):
                return set(line.split(":", 1)[1].split())
    return set()


# A test states what it needs with REQUIRES; one that cannot run here is reported as unsupported, never skipped silently.
if config.has_compiler:
    config.available_features.add("compiler")
else:
    config.excludes += ["Dialect", "Conversion", "Pipelines", "Numeric", "kernels", "tilegpt-opt"]
if config.sanitized:
    config.available_features.add("sanitizer")
    if config.has_compiler:
        name, value = config.sanitizer_environment.split("=", 1)
        config.environment[name] = value
for feature in ("avx2", "avx512f"):
    if feature in cpu_flags():
        config.available_features.add(feature)
if subprocess.run(["python3", "-c", "import cuda.tile.compilation"], capture_output=True).returncode == 0:
    config.available_features.add("cuda-tile")
if os.path.exists(os.path.join(config.binary_root, "bin", "bench-cpu-linear")):
    config.available_features.add("benchmarks")
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
if shutil.which("mpirun"):
    config.available_features.add("mpirun")
# Debian 12's torchrun, from PyTorch 1.13, does not work with its own Python.
if shutil.which("torchrun") and subprocess.run(
        ["torchrun", "--standalone", "--nproc_per_node", "1", "--no_python", "true"], capture_output=True).returncode == 0:
    config.available_features.add("torchrun")
if os.path.exists("/dev/nvidia0"):
    config.available_features.add("gpu")
