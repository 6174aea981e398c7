// Dots whose operands are loaded with all of their depth, a piece of it at a
// time.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DEPTHPIECES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_DEPTHPIECES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// Depth of a piece of a product of many rows, in elements: 128 bytes of 16
/// bits. Up to `mostAtOnce` are no pieces.
inline constexpr int64_t pieceDepth = 64, mostAtOnce = 4 * pieceDepth;

/// The axis of an operand along which a dot sums.
int64_t depthAxis(bool isLhs, tile::DotOp dot);

/// Whether both operands are loads that can be done in pieces instead: all of a
/// static axis of the view, only dots that sum along it read the tile.
bool isLoadedWhole(tile::DotOp dot);

/// Piece `number`, of `piece` elements along the depth, of an operand that is
/// loaded whole.
mlir::Value loadPiece(mlir::OpBuilder &builder, tile::DotOp dot, bool isLhs,
                      int64_t piece, mlir::Value number);

/// A loop over pieces of the depth that carries tiles.
/// \returns what it leaves of them.
mlir::ValueRange forEachPiece(mlir::OpBuilder &builder, tile::DotOp dot,
                              int64_t piece, mlir::ValueRange inits,
                              llvm::function_ref<llvm::SmallVector<mlir::Value>(
                                  mlir::Value number, mlir::ValueRange carried)>
                                  body);

/// Puts `result` in place of a dot; loads that nobody reads any more go too.
void replaceDot(tile::DotOp dot, mlir::Value result);

} // namespace tilegpt::tilegpu

#endif
