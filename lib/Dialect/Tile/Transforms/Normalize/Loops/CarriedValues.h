// Iterations of loops, and values that loops carry without need.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_CARRIEDVALUES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_CARRIEDVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tile {

/// Whether a value is computed from values outside of a loop only, without
/// access to memory.
bool isInvariant(mlir::Value value, mlir::scf::ForOp loop);

/// Moves the computation of an invariant value in front of its loop.
void hoist(mlir::Value value, mlir::scf::ForOp loop);

/// Whether an op, with all that it contains, only loads and computes, so that a
/// load gives the same tile in front of it and behind it.
bool onlyReads(mlir::Operation *op);

/// Changes all loops of a region that count by signed indices and only read,
/// each until `change` returns false. It may replace the loop.
void changeReadingLoops(mlir::Region &region,
                        llvm::function_ref<bool(mlir::scf::ForOp &)> change);

/// The number of iterations of a loop over indices that are compared signed, at
/// least 0, at the builder's insertion point.
mlir::Value countIterations(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

/// The same loop without some carried values, whose arguments and results have
/// no uses.
/// \param isDropped  for each carried value
mlir::scf::ForOp dropCarried(mlir::scf::ForOp loop,
                             const llvm::BitVector &isDropped);

} // namespace tilegpt::tile

#endif
