// Several kernels in one image.
#ifndef TILEGPT_TARGET_NVVM_JOINPTX_H
#define TILEGPT_TARGET_NVVM_JOINPTX_H

#include "TileGPT/Target/NVVM/GpuKernel.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::target {

/// What modules are to each other: versions of one kernel, which have its
/// shared memory (`tile.data shared`) in common, or kernels of a program, which
/// have only that of the program (`tile.program`).
enum class PtxModules { Versions, Kernels };

/// Joins PTX modules of the same version and target, as written by emitPtx(),
/// into one. Entries, whose names must differ, functions that no module
/// defines, and memory that modules have in common keep their names; other
/// symbols of all modules but the first get a suffix, and their source files
/// new numbers.
/// \param modules at least one.
std::string joinPtx(llvm::ArrayRef<llvm::StringRef> modules,
                    PtxModules are = PtxModules::Versions);

/// Gives kernels of a program one image, so that they share its memory.
/// \param kernels compiled for `target` with `ptxas`, which may be null.
/// \returns an error if the image does not assemble.
llvm::Error joinImages(llvm::ArrayRef<GpuKernel *> kernels,
                       const GpuTarget &target, const Ptxas *ptxas);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_JOINPTX_H
