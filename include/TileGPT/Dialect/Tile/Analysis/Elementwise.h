// Whether an op computes element by element.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_ELEMENTWISE_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_ELEMENTWISE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Whether an op makes each element of its results of the same element of its
/// operands. Unlike the traits, this includes `tile.cast`, which has no form
/// for scalars.
inline bool isElementwise(mlir::Operation *op) {
  return mlir::OpTrait::hasElementwiseMappableTraits(op) ||
         mlir::isa<CastOp>(op);
}

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_ELEMENTWISE_H
