// Reductions by regions, made again on other tiles than their own.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_TILEREDUCTIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_TILEREDUCTIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// What a reduction along an axis of a tile with a layout makes.
mlir::RankedTensorType reducedType(mlir::Value tile, int64_t axis,
                                   bool keepdims);

/// The reduction `op` of other tiles, along another axis.
llvm::SmallVector<mlir::Value> reduceTiles(mlir::OpBuilder &builder,
                                           tile::ReduceOp op,
                                           mlir::ValueRange tiles, int64_t axis,
                                           bool keepdims);

/// The region of a reduction on tiles, element by element: of two tiles for
/// each source, all of one shape and layout.
llvm::SmallVector<mlir::Value> combineTiles(mlir::OpBuilder &builder,
                                            tile::ReduceOp op,
                                            mlir::ValueRange before,
                                            mlir::ValueRange after);

/// Whether these are two tiles of 32 bits, which have room in one of 64.
bool isPair(mlir::ValueRange tiles);
mlir::Value packPair(mlir::OpBuilder &builder, mlir::ValueRange pair);
/// \param types  of whose elements the pair was.
llvm::SmallVector<mlir::Value>
unpackPair(mlir::OpBuilder &builder, mlir::Value packed, mlir::TypeRange types);

} // namespace tilegpt::tilegpu

#endif
