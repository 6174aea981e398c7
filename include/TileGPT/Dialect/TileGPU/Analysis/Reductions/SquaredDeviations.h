// Sums of squared deviations from the mean of a row, as norms compute them.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_SQUAREDDEVIATIONS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_SQUAREDDEVIATIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Two sums of the same rows, of which the second depends on the first: blocks
/// that hold parts of a row may take the deviations from the means of their
/// parts, exchange both sums at once, and correct the second.
struct SquaredDeviations {
  tile::ReduceOp sum, squares;
  mlir::Value mean; ///< 1 x 1, broadcast to the columns

  /// Matches `squares`, a sum along the rows of (x - mean)^2, where mean is
  /// `sum` / columns; nothing for other reductions.
  static std::optional<SquaredDeviations> of(tile::ReduceOp sum,
                                             tile::ReduceOp squares);
};

} // namespace tilegpt::tilegpu

#endif
