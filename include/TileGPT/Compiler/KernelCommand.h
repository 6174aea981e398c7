// The kernel level of tilegpt-run: one kernel or function of a file on tensors
// from the command line. Plain C++, so that the tool needs no MLIR header.
#ifndef TILEGPT_COMPILER_KERNELCOMMAND_H
#define TILEGPT_COMPILER_KERNELCOMMAND_H

#include "TileGPT/Runtime/Engine/Engine.h"
#include "TileGPT/Runtime/Error.h"
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::compiler {

/// The command `tilegpt-run FILE.mlir --function NAME …`.
struct KernelCommand {
  enum class Device { Cpu, Cuda, Reference };
  /// How --input and --output give the parameters of a raw kernel: each by
  /// itself, as arrays of cuTile's convention, or by what each flag looks like.
  enum class RawForm { Any, Parameters, CuTile };

  std::string path;     ///< a `.mlir` file, "-" for standard input
  std::string function; ///< a `tile.kernel` or `func.func` in it

  /// --input, one per argument: `2x3xf32=1,2,3,4,5,6` (a single value is
  /// repeated, none is zero), `2x3xf32=random:SEED[:LO:HI]`, `@x.npy`, or
  /// `bf16=@x.npy`, which rounds the file's contents. Inputs beyond a kernel's
  /// `ins` are the initial contents of its `outs`.
  std::vector<std::string> inputs;

  /// --output, one per result: `@y.npy` (narrow floats are stored as f32),
  /// `2x3xf32`, or both as `2x3xf32=@y.npy`. The shape of an `outs` argument of
  /// a kernel comes from here, from its type, from an input or from an expected
  /// output. Values, `2x3xf32=0` or `2x3xf32=0@y.npy`, are its initial
  /// contents. Results without a file are printed.
  std::vector<std::string> outputs;

  /// Of `inputs` and `outputs` together, in the order of the command line: the
  /// parameters of a raw kernel (`tile.kernel … grid launch`) in order. There
  /// an input is `ptr:1024xf32=VALUES`, `i32=4` or an array `64x32xf32=VALUES`;
  /// an output is memory to look at afterwards, as `ptr:SHAPE[=VALUES][@y.npy]`
  /// or an array. `list:3` is a list of the arrays of the next 3 flags, and
  /// `ptr:list:3` a table of what the next 3 flags would be as parameters.
  std::vector<bool> areOutputs;
  RawForm rawForm = RawForm::Any;
  std::string grid; ///< --grid, `32x16`: of a raw kernel

  /// --expected-output, one a result: values as for --input.
  std::vector<std::string> expectedOutputs;

  /// --param, `BM=32` or `X=bf16`: overrides the default of a kernel.
  std::vector<std::string> parameters;

  Device device = Device::Cpu;
  int ordinal = 0; ///< of the GPU
  /// Of the GPU to compile for: "sm_80"; empty for the one that suits it best.
  std::string architecture;

  /// Of compiled GPU kernels, as CompileOptions::cacheFolder.
  std::string cacheFolder;

  /// --tolerance: |result − expected| ≤ tolerance·max(1, |expected|). Nothing
  /// takes four steps of the element type, 0 for integers.
  std::optional<double> tolerance;

  /// How often a kernel is measured once it has run; 0: not at all. Results
  /// without a file are not printed then.
  unsigned repetitions = 0;
  unsigned threads = 0; ///< of a CPU that is measured; 0: all
  /// Called with the time of each launch.
  std::function<void(std::span<const runtime::StepTime>)> measured;

  /// Called with each performance warning; may be null.
  std::function<void(const std::string &)> warn;
};

/// Prints the kernels of a file and what each takes.
/// \returns BadInput for a file that cannot be read.
runtime::Result<void>
listKernelsOf(const std::string &path,
              const std::function<void(std::string_view)> &print);

/// Runs the command and passes each line of output to `print`.
/// \returns Usage for an inconsistent flag, BadInput for a file that cannot be
/// read, Device if the requested GPU is missing, Failure if something does not
/// compile or run, Mismatch with the first element that differs from the
/// expected one.
runtime::Result<void>
runKernelCommand(const KernelCommand &command,
                 const std::function<void(std::string_view)> &print);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_KERNELCOMMAND_H
