// Into how many parts the iterations of a reduction loop are split.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_LOOPSHARES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_LOOPSHARES_H

#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"

namespace tilegpt::tilegpu {

/// The cost of splitting a reduction loop among blocks.
struct LoopShares {
  int64_t iterations;
  int64_t tileElements;   ///< see countElements
  int64_t loadedBytes;    ///< of an iteration
  int64_t resultElements; ///< of the largest result
  int64_t resultBytes;    ///< of all results

  /// The shares of a loop of static sizes; nothing if its trip count is
  /// unknown.
  static std::optional<LoopShares> of(mlir::scf::ForOp loop);

  /// The elements that a loop loads per iteration, and those it carries.
  static int64_t countElements(mlir::scf::ForOp loop);

  /// Warps of a block for this many elements: 64 per thread.
  static int64_t warpsFor(int64_t elements);

  /// Parts of one result that are read at once, of `parts`.
  static int64_t partsAtOnce(int64_t parts, int64_t elements);

  /// The most blocks for each of a launch's `blocks`: as many as are resident
  /// on the device, as long as each has an iteration and the exchanged data is
  /// small relative to the loads.
  int64_t countMost(int64_t blocks, int64_t multiprocessors) const;

  /// The same, or fewer if exchanging the results of all takes longer than it
  /// saves.
  int64_t count(int64_t blocks, int64_t multiprocessors) const;

  /// Cycles that the last of this many blocks takes to combine all parts.
  double exchangeCycles(int64_t parts) const;

private:
  /// Cycles of a launch whose blocks each become this many parts.
  double cyclesOf(int64_t parts, int64_t blocks, int64_t multiprocessors) const;

  /// At most this many parts: tiles of them that the last block reads at once.
  int64_t wholeTiles(int64_t parts) const;
};

} // namespace tilegpt::tilegpu

#endif
