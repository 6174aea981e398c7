// Kernels whose rows have something in common: a vector that is the same for
// all of them, as the gain and the bias of a layer norm.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDROWS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Rows of 16-bit elements that loaded vectors are spread over, in a kernel
/// without dots. A thread that held its part of a whole row as f32, and of the
/// vectors, would have few registers left for rows on their way. So all warps
/// of a block share each row, one access of 16 bytes to a thread, and a thread
/// keeps its part of the vectors for all rows.
struct SharedRows {
  int64_t rows, columns; ///< of a block's tile
  /// Such tiles that are in registers at a time.
  int64_t kept = 1;

  /// Warps that a row takes.
  int64_t getWarps() const;
  /// Blocks that a multiprocessor is to hold at a time: as many as leave a
  /// thread the registers that it needs, and no more.
  int64_t getBlocks() const;
};

/// Nothing for kernels that have other work than such rows, or rows that take
/// more than a few warps.
std::optional<SharedRows> findSharedRows(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
