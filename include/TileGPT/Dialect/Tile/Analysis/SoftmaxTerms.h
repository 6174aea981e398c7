// Parts of an online softmax that have several forms: powers, and maxima with a
// replacement for minus infinity.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_SOFTMAXTERMS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_SOFTMAXTERMS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <optional>

namespace tilegpt::tilegpu {

/// `b^x`.
struct Exponential {
  mlir::Value exponent; ///< x
  bool isBinary;        ///< b is 2, not e
};

/// The power that a tile is, or is broadcast from; nothing for other tiles.
std::optional<Exponential> exponentialOf(mlir::Value tile);

/// The maximum that is replaced by a finite number if it is minus infinity; the
/// maximum itself if it is not replaced.
mlir::Value guardedMaximum(mlir::Value maximum);

} // namespace tilegpt::tilegpu

#endif
