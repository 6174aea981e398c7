// Parts of an online softmax that texts spell in several ways: powers, and
// maxima that something stands in for.
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

/// The power that a tile is, or is broadcast from; nothing for others.
std::optional<Exponential> exponentialOf(mlir::Value tile);

/// A maximum for which a finite number stands in where it is minus infinity;
/// the maximum itself where there is none.
mlir::Value guardedMaximum(mlir::Value maximum);

} // namespace tilegpt::tilegpu

#endif
