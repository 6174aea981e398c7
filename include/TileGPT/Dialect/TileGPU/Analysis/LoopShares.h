// Into how many parts the iterations of a loop that reduces are shared out.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_LOOPSHARES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_LOOPSHARES_H

#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"

namespace tilegpt::tilegpu {

/// A loop that reduces, as its blocks share it out.
struct LoopShares {
  int64_t iterations;
  int64_t tileElements;   ///< see countElements
  int64_t loadedBytes;    ///< of an iteration
  int64_t resultElements; ///< of the largest result
  int64_t resultBytes;    ///< of all results

  /// The shares of a loop of static sizes; nothing where the number of its
  /// iterations is not known.
  static std::optional<LoopShares> of(mlir::scf::ForOp loop);

  /// The elements that a loop loads in an iteration, and those it carries.
  static int64_t countElements(mlir::scf::ForOp loop);

  /// Warps of a block for so many: a thread has 64.
  static int64_t warpsFor(int64_t elements);

  /// Parts of one result that are read at once, of `parts`.
  static int64_t partsAtOnce(int64_t parts, int64_t elements);

  /// Blocks for each of a launch's `blocks`: as many as a device has room for,
  /// as long as each has an iteration and what they exchange is a small part of
  /// what they load.
  int64_t count(int64_t blocks, int64_t multiprocessors) const;

  /// Cycles that the last of so many blocks takes for what all of them have.
  double exchangeCycles(int64_t parts) const;
};

} // namespace tilegpt::tilegpu

#endif
