// Clones region reductions for other tiles.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILEREDUCTIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILEREDUCTIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The result type of a reduction along an axis of a tile with a layout.
mlir::RankedTensorType reducedType(mlir::Value tile, int64_t axis,
                                   bool keepdims);

/// Clones the reduction `op` for other tiles, along another axis.
llvm::SmallVector<mlir::Value> reduceTiles(mlir::OpBuilder &builder,
                                           tile::ReduceOp op,
                                           mlir::ValueRange tiles, int64_t axis,
                                           bool keepdims);

/// Applies the region of a reduction elementwise to two tiles per source, all
/// of one shape and layout.
llvm::SmallVector<mlir::Value> combineTiles(mlir::OpBuilder &builder,
                                            tile::ReduceOp op,
                                            mlir::ValueRange before,
                                            mlir::ValueRange after);

/// Whether these are two tiles of elements of up to 32 bits, which pack into
/// one of 64 bits.
bool isPair(mlir::ValueRange tiles);
mlir::Value packPair(mlir::OpBuilder &builder, mlir::ValueRange pair);
/// \param types  the types of the pair.
llvm::SmallVector<mlir::Value>
unpackPair(mlir::OpBuilder &builder, mlir::Value packed, mlir::TypeRange types);

} // namespace tilegpt::tilegpu

#endif
