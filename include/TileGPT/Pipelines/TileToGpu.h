// The GPU branch as a pipeline: from specialized kernels to functions in the
// LLVM and NVVM dialects, phase by phase.
#ifndef TILEGPT_PIPELINES_TILETOGPU_H
#define TILEGPT_PIPELINES_TILETOGPU_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilegpt::tilegpu {

/// Plans each kernel for a device with this many multiprocessors; expands dots
/// with few rows.
/// \param exact  disables passes that change results.
void populatePlanPasses(mlir::OpPassManager &pm, llvm::StringRef target,
                        int64_t multiprocessors, bool exact = false);
/// Assigns layouts to tiles and shared memory to dot operands.
void populateLayoutPasses(mlir::OpPassManager &pm);
/// Converts kernels to the code of one thread, in upstream dialects.
void populateThreadPasses(mlir::OpPassManager &pm);
/// Lowers to the LLVM and NVVM dialects, ready for lib/Target/NVVM.
/// \param exact  does not reduce the precision of functions and quotients whose
/// results are rounded.
void populateNvvmPasses(mlir::OpPassManager &pm, bool exact = false);

/// Registers all of them as the pipeline `--tile-to-gpu`.
void registerTileToGpuPipeline();

} // namespace tilegpt::tilegpu

#endif
