// Runs a single kernel on an NVIDIA GPU, on tensors of the reference
// interpreter: runKernelOnCpu() for a device.
#ifndef TILEGPT_COMPILER_GPUKERNELRUN_H
#define TILEGPT_COMPILER_GPUKERNELRUN_H

#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Reference/Interpreter.h"
#include "TileGPT/Runtime/Cuda/Stream.h"
#include "TileGPT/Runtime/Engine/Engine.h"

namespace tilegpt::compiler {

struct GpuRunOptions {
  /// Overrides of declared defaults; may be null. Tile sizes not among them are
  /// those a model's launch would get.
  mlir::DictionaryAttr parameters = {};
  /// For a raw kernel only.
  std::optional<reference::Grid> grid = {};
  /// Elements of NaN (all ones for integers) before and after the memory of
  /// every view while the kernel runs.
  int64_t guard = 0;
  /// Compiles the first axis of every view with a dynamic size, like the rows
  /// of a step in a model, unless a parameter is computed from it; otherwise
  /// all sizes are those of the arguments.
  bool openSizes = false;
  /// Specializes a raw kernel for its arguments: multiples of 16 bytes, strides
  /// of 1; otherwise compiles the general kernel.
  bool specialize = false;
  /// A `#tile_gpu.plan` to run the kernel with; null leaves it to the compiler.
  mlir::Attribute plan = {};
  /// Number of runs, each on fresh copies of the arguments; all must give
  /// bit-identical results.
  unsigned runs = 1;
  /// Receives ptxas warnings about the kernel's performance; may be null.
  std::function<void(const std::string &)> warn = {};
};

/// A kernel compiled for the arguments of one run.
struct GpuKernelRun {
  target::GpuKernel kernel;
  std::vector<std::string> asserts; ///< messages of its assertions
  reference::Grid grid = {1, 1, 1};
  std::vector<uint8_t> wordBytes; ///< as cuda::ParameterList has them
};

/// Compiles `kernel` as GpuRunner::run() does. Needs no GPU.
/// \param arguments as Interpreter::runKernel takes them; views must be dense.
llvm::Expected<GpuKernelRun> compileKernelRun(
    tile::KernelOp kernel, llvm::ArrayRef<reference::Value> arguments,
    const GpuRunOptions &options, const GpuCompilation &compilation);

/// One GPU, and how kernels are compiled for it.
class GpuRunner {
public:
  /// \param ordinal      of the GPU.
  /// \param architecture to compile for: "sm_80"; empty for the one that suits
  /// the GPU best. The driver compiles PTX of any older one.
  /// \param cacheFolder  of compiled kernels; nothing compiles all of them.
  /// \returns Device if there is no GPU or it runs no code for `architecture`.
  static runtime::Result<std::unique_ptr<GpuRunner>>
  create(int ordinal, llvm::StringRef architecture,
         const std::optional<std::string> &cacheFolder);

  /// Compiles `kernel` and runs all blocks of its grid. Its results are in the
  /// memory of its views.
  /// \returns an error if it does not compile, an assertion fails, the kernel
  /// writes outside a view, two runs differ, or the GPU aborts it.
  llvm::Error run(tile::KernelOp kernel,
                  llvm::ArrayRef<reference::Value> arguments,
                  const GpuRunOptions &options);

  /// Compiles `kernel` once and launches it `times` times, and once more
  /// before, each time on fresh copies of its arguments.
  /// \returns how long each launch takes, copies not counted; errors as run(),
  /// but for writes outside of a view.
  llvm::Expected<std::vector<runtime::StepTime>>
  measure(tile::KernelOp kernel, llvm::ArrayRef<reference::Value> arguments,
          const GpuRunOptions &options, unsigned times);

  /// Whether a kernel has made the driver give up: nothing runs any more in
  /// this process.
  bool isLost() const { return lost; }

  const cuda::DeviceInfo &device() const { return gpu->info(); }
  const target::GpuTarget &target() const { return compilation.target; }

private:
  GpuRunner(std::shared_ptr<cuda::Device> gpu, cuda::Stream stream,
            const target::GpuTarget &target)
      : gpu(std::move(gpu)), stream(std::move(stream)), compilation(target) {}

  class Launch;
  llvm::Error launch(const GpuKernelRun &run, llvm::StringRef name,
                     llvm::ArrayRef<reference::Value> arguments,
                     const GpuRunOptions &options);

  std::shared_ptr<cuda::Device> gpu;
  cuda::Stream stream;
  std::optional<target::Ptxas> ptxas;
  std::optional<target::CodeCache> cache;
  GpuCompilation compilation;
  bool lost = false;
};

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_GPUKERNELRUN_H
