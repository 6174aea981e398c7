// Creates reductions of several tiles by a region.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_REGIONREDUCTION_H
#define TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_REGIONREDUCTION_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// A reduction of tiles of one shape along an axis. Its combiner has no block
/// yet.
/// \param identities  one per tile.
tile::ReduceOp createRegionReduction(mlir::OpBuilder &builder,
                                     mlir::Location loc, mlir::ValueRange tiles,
                                     int64_t axis,
                                     llvm::ArrayRef<mlir::Attribute> identities,
                                     bool keepdims);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_REGIONREDUCTION_H
