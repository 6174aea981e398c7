// Loops over the pieces of an axis that can be replaced by one pass over the
// whole axis.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_PIECELOOPS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_PIECELOOPS_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {

/// The loops of a kernel, or of its loop over rows, that each iterate over all
/// tiles of the same axis: one iteration with a tile of the whole axis replaces
/// a loop.
struct PieceLoops {
  llvm::SmallVector<mlir::scf::ForOp> loops;
  StreamedAxis axis;
  int64_t iterations = 0; ///< of each loop
  /// Sums of the start of a piece and an index in it: indices of the axis.
  llvm::SmallVector<mlir::arith::AddIOp> places;
  /// Sums of these and something else, such as the start of the axis.
  llvm::SmallVector<mlir::arith::AddIOp> shifted;
  /// Comparisons that distinguish elements of the axis from padding of the last
  /// piece, and their result for the elements.
  llvm::SmallVector<std::pair<mlir::arith::CmpIOp, bool>> masks;
  /// Whether the padding of the last piece changes no reduction; unknown if the
  /// extent of the axis is.
  bool isOutsideNeutral = false;
};

/// Nothing if the kernel has dots or fewer than two loops, does more than load,
/// compute and store, loads what it stores, may store several pieces to the
/// same offsets, or if a loop carries something other than reductions and the
/// sums of an online softmax.
/// \param refusal  set to the reason if there are two loops.
std::optional<PieceLoops> findPieceLoops(tile::KernelOp kernel,
                                         FreeAxisRefusal *refusal = nullptr);

} // namespace tilegpt::tilegpu

#endif
