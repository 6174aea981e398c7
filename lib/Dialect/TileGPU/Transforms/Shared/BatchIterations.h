// Loops that only reduce: the tiles of several iterations are loaded at once.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_BATCHITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_BATCHITERATIONS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Whether a warp reads a row of a tile at once, or by wide accesses. Where it
/// takes several narrow ones, whose sectors overlap, few should be under way
/// (f32 3270 x 5995 in tiles of 16 x 128: 76 us in batches, and 28 without).
bool readsWholeRows(mlir::Operation *load);

/// Makes one iteration of the next `count` ones of a loop that carries nothing
/// but reductions (see findCarriedReductions), all loads in front: every thread
/// then waits once for the tiles of all of them. Iterations behind the last one
/// add nothing.
/// \param loads  those of the loop that read memory.
/// \returns the new loop; null where the loop carries anything else, or one
///     iteration reads enough.
mlir::scf::ForOp batchIterations(mlir::scf::ForOp loop,
                                 llvm::ArrayRef<mlir::Operation *> loads,
                                 PlanAttr plan);

} // namespace tilegpt::tilegpu

#endif
