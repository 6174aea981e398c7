// Checks shared by the tile ops: shapes as text, axes, permutations, possibly
// equal sizes, pieces of tiles. Every function that returns LogicalResult emits
// an error on `op` if it fails.
#ifndef TILEGPT_LIB_DIALECT_TILE_IR_TYPECHECKS_H
#define TILEGPT_LIB_DIALECT_TILE_IR_TYPECHECKS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile::detail {

/// `8x?x4`, or `scalar` for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// `[1, 0]`.
std::string listText(llvm::ArrayRef<int64_t> values);

/// `1 axis`, `2 axes`.
std::string axesText(int64_t rank);

/// False only when both sizes are known and differ.
bool mayBeEqual(int64_t lhs, int64_t rhs);
bool mayBeEqual(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

/// The product of the known sizes, or nothing when it does not fit 63 bits.
std::optional<int64_t> countKnown(llvm::ArrayRef<int64_t> shape);

/// Fails when a tensor is so large that its size in bits, 64 an element, does
/// not fit 63 bits: no count, offset or number of bytes computed later can
/// wrap.
mlir::LogicalResult verifyAddressable(mlir::Operation *op, mlir::Type type);

/// Fails unless 0 <= axis < rank of `type`.
mlir::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank,
                               mlir::Type type);

/// Fails unless `permutation` holds each of 0 … rank-1 once; `name` is the
/// attribute's.
mlir::LogicalResult verifyPermutation(mlir::Operation *op, llvm::StringRef name,
                                      llvm::ArrayRef<int64_t> permutation,
                                      int64_t rank);

/// Fails when the piece of shape `piece` at tile index `indices` does not fit
/// `whole`, as far as both are known.
mlir::LogicalResult verifyPiece(mlir::Operation *op, mlir::OperandRange indices,
                                mlir::RankedTensorType whole,
                                llvm::ArrayRef<int64_t> piece);

/// Fails unless `mask`, which may be null, has the shape of the tile it is for.
mlir::LogicalResult verifyMask(mlir::Operation *op, mlir::Value mask,
                               llvm::ArrayRef<int64_t> tile);

/// Fails when elements of this type cannot hold the pad value; `memory` is the
/// type that holds them.
mlir::LogicalResult verifyPad(mlir::Operation *op, mlir::Type memory,
                              mlir::Type element, PadKind pad);

/// Fails when `memory`, a view or a pointer, leads to an argument that the
/// kernel only reads.
mlir::LogicalResult verifyWritable(mlir::Operation *op, mlir::Value memory);

/// Fails unless a list such as `[%value, 64]` has an entry for each axis of
/// `view` and an operand for each dynamic entry; `name` describes an entry.
mlir::LogicalResult verifyMixedList(mlir::Operation *op, llvm::StringRef name,
                                    ViewType view,
                                    llvm::ArrayRef<int64_t> values,
                                    mlir::OperandRange operands);

/// Fails when `sizes` names something the enclosing
/// kernel does not declare as a size parameter.
mlir::LogicalResult verifyParamNames(mlir::Operation *op,
                                     mlir::ArrayAttr sizes);

} // namespace tilegpt::tile::detail

#endif
