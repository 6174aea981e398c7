// Dots whose operands are loaded over the full depth, computed in pieces of it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DEPTHPIECES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DEPTHPIECES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The depth of a piece in elements, for products with many rows: 128 bytes at
/// 16 bits. Depths up to `mostAtOnce` are not split.
inline constexpr int64_t pieceDepth = 64, mostAtOnce = 4 * pieceDepth;

/// The axis of an operand along which a dot sums.
int64_t depthAxis(bool isLhs, tile::DotOp dot);

/// Whether both operands are loads that can be split into pieces: they span a
/// static axis of the view, and only dots that sum along it read the tile.
bool isLoadedWhole(tile::DotOp dot);

/// Loads piece `number`, of `piece` elements along the depth, of an operand
/// that is loaded over the full depth.
mlir::Value loadPiece(mlir::OpBuilder &builder, tile::DotOp dot, bool isLhs,
                      int64_t piece, mlir::Value number);

/// Emits a loop over pieces of the depth that carries tiles.
/// \returns the loop's results.
mlir::ValueRange forEachPiece(mlir::OpBuilder &builder, tile::DotOp dot,
                              int64_t piece, mlir::ValueRange inits,
                              llvm::function_ref<llvm::SmallVector<mlir::Value>(
                                  mlir::Value number, mlir::ValueRange carried)>
                                  body);

/// Replaces a dot by `result`, and erases loads that become dead.
void replaceDot(tile::DotOp dot, mlir::Value result);

} // namespace tilegpt::tilegpu

#endif
