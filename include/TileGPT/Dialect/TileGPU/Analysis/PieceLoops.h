// Loops over the pieces of an axis that one pass over the whole axis can
// replace.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_PIECELOOPS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_PIECELOOPS_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {

/// The loops of a kernel, or of a loop of it over rows, each of which works
/// through all tiles of the same axis: one iteration with a tile of the whole
/// axis makes what a loop makes.
struct PieceLoops {
  llvm::SmallVector<mlir::scf::ForOp> loops;
  StreamedAxis axis;
  int64_t iterations = 0; ///< of each loop
  /// Sums of the start of a piece and places in it: the places of the axis.
  llvm::SmallVector<mlir::arith::AddIOp> places;
  /// Comparisons that tell the elements of the axis from what the last piece
  /// has behind them, and their result for the elements.
  llvm::SmallVector<std::pair<mlir::arith::CmpIOp, bool>> masks;
  /// Whether what the last piece has behind the axis changes no reduction; not
  /// known where the axis' extent is not.
  bool isOutsideNeutral = false;
};

/// Nothing where the kernel has dots or fewer than two loops, does more than
/// load, compute and store, loads what it stores, or where a loop carries
/// something other than reductions and the sums of an online softmax.
/// \param refusal  set to why not where there are two loops.
std::optional<PieceLoops> findPieceLoops(tile::KernelOp kernel,
                                         FreeAxisRefusal *refusal = nullptr);

} // namespace tilegpt::tilegpu

#endif
