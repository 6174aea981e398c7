// Computes the scores of a loop transposed where only dots that transpose them
// use them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TRANSPOSESCORES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TRANSPOSESCORES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Transposes the dots of a loop, and the elementwise ops on their results, if
/// these are only left operands with `transpose_a`: gradients dK = dSᵀ·Q and
/// dV = Pᵀ·dO of S = Q·Kᵀ become those of Sᵀ = K·Qᵀ, whose operands stay in the
/// registers that computed them. Bit-preserving. Does nothing if anything else
/// uses the scores.
/// \returns whether the loop has changed
bool transposeScores(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
