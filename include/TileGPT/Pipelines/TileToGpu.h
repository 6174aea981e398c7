// The GPU branch as a pipeline: from specialized kernels to functions in the
// LLVM and NVVM dialects, phase by phase.
#ifndef TILEGPT_PIPELINES_TILETOGPU_H
#define TILEGPT_PIPELINES_TILETOGPU_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilegpt::tilegpu {

/// Plans: how each kernel runs on a device of so many multiprocessors;
/// products with few rows written out.
/// \param exact  without the passes that change numerics.
void populatePlanPasses(mlir::OpPassManager &pm, llvm::StringRef target,
                        int64_t multiprocessors, bool exact = false);
/// Tiles get layouts, operands of dots their place in shared memory.
void populateLayoutPasses(mlir::OpPassManager &pm);
/// Kernels become the code of one thread, in upstream dialects.
void populateThreadPasses(mlir::OpPassManager &pm);
/// … in the LLVM and NVVM dialects, ready for lib/Target/NVVM.
/// \param exact  functions and quotients are not approximated further where
///               their results are rounded.
void populateNvvmPasses(mlir::OpPassManager &pm, bool exact = false);

/// Makes all of them known as the pipeline `--tile-to-gpu`.
void registerTileToGpuPipeline();

} // namespace tilegpt::tilegpu

#endif
