// Kernels whose rows share vectors, such as the gain and bias of a layer norm.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDROWS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHAREDROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Rows of 16-bit elements combined with loaded vectors, in a kernel without
/// dots. A thread that held its part of a whole row and of the vectors as f32
/// would have few registers left for loads in flight. So all warps of a block
/// share each row, one 16-byte access per thread, and a thread keeps its part
/// of the vectors for all rows.
struct SharedRows {
  int64_t rows, columns; ///< of a block's tile
  /// Number of such tiles in registers at a time.
  int64_t kept = 1;

  /// Warps per row.
  int64_t getWarps() const;
  /// Occupancy: as many blocks per multiprocessor as leave a thread the
  /// registers that it needs.
  int64_t getBlocks() const;
};

/// Nothing for kernels with other work, or with rows that take more than a few
/// warps.
std::optional<SharedRows> findSharedRows(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
