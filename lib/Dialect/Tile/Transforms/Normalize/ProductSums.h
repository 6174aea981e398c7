// Makes sums of products dots.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_PRODUCTSUMS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_PRODUCTSUMS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Makes sums over an axis of products of two matrices, each repeated along an
/// axis of the other, dots of these matrices, whose elements are widened for
/// the products: targets multiply narrow ones by matrix instructions. A dot
/// forms the same products, and adds in any order, as a sum does.
void formDots(KernelOp kernel);

} // namespace tilegpt::tile

#endif
