// Batches the iterations of reduction loops, to load their tiles at once.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_BATCHITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_BATCHITERATIONS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Whether a warp reads whole rows of a tile per access, or uses wide accesses.
/// Otherwise it takes several narrow accesses with overlapping sectors, of
/// which few should be in flight (f32 3270 x 5995 in tiles of 16 x 128: 76 us
/// in batches, and 28 without).
bool readsWholeRows(mlir::Operation *load);

/// Merges every `count` iterations of a loop that carries nothing but
/// reductions (see findCarriedReductions) into one, with all loads first, so
/// that a thread waits once for all their tiles. Iterations past the last one
/// contribute the identity.
/// \param loads  the loads of the loop.
/// \returns the new loop; null if the loop carries anything else, or one
///    iteration reads enough.
mlir::scf::ForOp batchIterations(mlir::scf::ForOp loop,
                                 llvm::ArrayRef<mlir::Operation *> loads,
                                 PlanAttr plan);

} // namespace tilegpt::tilegpu

#endif
