// Entries of a compiled program, for host threads or for a GPU.
#ifndef TILEGPT_LIB_COMPILER_CUDATILE_CUDATILEENTRIES_H
#define TILEGPT_LIB_COMPILER_CUDATILE_CUDATILEENTRIES_H

#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/ArgumentFacts.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "TileGPT/Target/NVVM/GpuKernel.h"
#include <functional>
#include <mutex>

namespace tilegpt::compiler {

/// The target-independent properties of an entry.
struct EntryParts {
  std::string name;
  std::vector<CudaTileArgument> arguments;
  std::vector<std::string> asserts; ///< messages, in the order of the text
};

/// A kernel compiled for a GPU, specialized for some facts about its arguments.
struct GpuVariant {
  target::GpuKernel kernel;
  std::vector<std::string> asserts; ///< messages, in the order of the text
};

using Facts = std::vector<tile::ArgumentFacts>;

/// How an entry is specialized for its launches.
struct Specialization {
  /// The facts considered for each argument; if empty, only the general kernel
  /// is used.
  std::vector<tile::WantedFacts> wanted;
  /// Compiles the entry for arguments that satisfy these facts.
  std::function<runtime::Result<GpuVariant>(const Facts &)> compile;
};

/// Code and threads shared by the entries of a module.
struct HostProgram {
  HostProgram(cpu::HostImage image, unsigned threads)
      : image(std::move(image)), pool(threads) {}

  cpu::HostImage image;
  cpu::ThreadPool pool;
  std::mutex busy; ///< the pool has one job at a time
};

/// The image of entries that share memory, loaded by the first launch of one.
class GpuProgram {
public:
  /// \returns errors of cuda::loadImage().
  runtime::Result<cuda::LoadedImage>
  load(const std::shared_ptr<cuda::Device> &device,
       const cuda::KernelImage &image);

private:
  std::mutex loading;
  cuda::LoadedImage loaded;
};

/// \returns BadInput if the image has no kernel of this name.
runtime::Result<std::unique_ptr<CudaTileEntry>>
makeHostEntry(EntryParts parts, std::shared_ptr<HostProgram> program);

/// \param kernel without assumptions about arguments.
/// \param program that of entries with the same image; null if the kernel has
/// its own.
/// \param options whose device the first launch opens.
std::unique_ptr<CudaTileEntry> makeGpuEntry(EntryParts parts,
                                            target::GpuKernel kernel,
                                            Specialization specialization,
                                            std::shared_ptr<GpuProgram> program,
                                            const CudaTileOptions &options);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_CUDATILE_CUDATILEENTRIES_H
