// Entries of a compiled program: one kind that runs on the threads of the host,
// one that is launched on a GPU.
#ifndef TILEGPT_LIB_COMPILER_CUDATILE_CUDATILEENTRIES_H
#define TILEGPT_LIB_COMPILER_CUDATILE_CUDATILEENTRIES_H

#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/ArgumentFacts.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Target/NVVM/GpuKernel.h"
#include <functional>
#include <mutex>

namespace tilegpt::compiler {

/// What an entry is made of, whatever runs it.
struct EntryParts {
  std::string name;
  std::vector<CudaTileArgument> arguments;
  std::vector<std::string> asserts; ///< messages, in the order of the text
};

/// A kernel compiled for a GPU, for some facts about its arguments.
struct GpuVariant {
  target::GpuKernel kernel;
  std::vector<std::string> asserts; ///< messages, in the order of the text
};

using Facts = std::vector<tile::ArgumentFacts>;

/// How an entry is compiled for what its launches have in common.
struct Specialization {
  /// What there is to know of each argument; empty leaves it at the general
  /// kernel.
  std::vector<tile::WantedFacts> wanted;
  /// Compiles the entry for arguments of which this holds.
  std::function<runtime::Result<GpuVariant>(const Facts &)> compile;
};

/// Code and threads that the entries of a module share.
struct HostProgram {
  HostProgram(cpu::HostImage image, unsigned threads)
      : image(std::move(image)), pool(threads) {}

  cpu::HostImage image;
  cpu::ThreadPool pool;
  std::mutex busy; ///< the pool has one job at a time
};

/// \returns BadInput if the image has no kernel of this name.
runtime::Result<std::unique_ptr<CudaTileEntry>>
makeHostEntry(EntryParts parts, std::shared_ptr<HostProgram> program);

/// \param kernel of any arguments.
/// \param options whose device the first launch opens.
std::unique_ptr<CudaTileEntry> makeGpuEntry(EntryParts parts,
                                            target::GpuKernel kernel,
                                            Specialization specialization,
                                            const CudaTileOptions &options);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_CUDATILE_CUDATILEENTRIES_H
