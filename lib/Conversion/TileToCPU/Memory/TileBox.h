// The part of a view that a tile covers: what loads, stores, gathers and
// scatters have in common.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_TILEBOX_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_TILEBOX_H

#include "TileToLinalg.h"
#include <optional>

namespace tilegpt::cpu {

/// The part of a view that a tile covers, one entry an axis of the view.
struct TileBox {
  using Sizes = llvm::SmallVector<mlir::OpFoldResult>;
  Sizes offsets;      ///< first element if inside, else 0
  Sizes whole;        ///< elements of the tile
  Sizes starts;       ///< first element if there is any, else 0
  Sizes clipped;      ///< elements inside the view
  mlir::Value inside; ///< i1: clipped == whole

  /// False if the type of the view implies that no tile fits.
  bool mayBeInside = true;

  /// The box of the tile at `indices` (counted in tiles) of `view`. An axis
  /// without an index is left out of the test and starts at 0 with one element:
  /// the axis a gather names.
  TileBox(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value view,
          llvm::ArrayRef<mlir::Value> indices, llvm::ArrayRef<int64_t> sizes);

  /// Emits both versions of an access, or only the clipped one when no tile
  /// fits.
  void eitherWay(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value isWhole,
                 llvm::function_ref<void(mlir::OpBuilder &)> emitWhole,
                 llvm::function_ref<void(mlir::OpBuilder &)> emitClipped) const;
};

TileBox::Sizes zeros(mlir::OpBuilder &builder, size_t rank);
TileBox::Sizes ones(mlir::OpBuilder &builder, size_t rank);

/// The part of a memref from `offsets` on.
mlir::Value window(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value memref,
                   llvm::ArrayRef<mlir::OpFoldResult> offsets,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes);

mlir::Value padConstant(mlir::OpBuilder &builder, mlir::Location loc,
                        tile::PadKind pad, mlir::Type type);

/// The pad value where the mask is false; elements of the view that it hides
/// may be read all the same.
mlir::Value applyMask(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value mask, mlir::Value tile, mlir::Value pad);

/// A view whose axes run in the order of the tile's, and the indices to match.
void applyOrder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value &view,
                llvm::SmallVectorImpl<mlir::Value> &indices,
                std::optional<llvm::ArrayRef<int64_t>> order);

/// Writes the front of `value` from `from` on, as large as `sizes`, to `view`.
void storeBox(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
              llvm::ArrayRef<mlir::OpFoldResult> from, mlir::Value view,
              llvm::ArrayRef<mlir::OpFoldResult> offsets,
              llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Stores element by element: masked-off elements may belong to another block
/// and are not accessed.
void storeMasked(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value value, mlir::Value mask,
                 llvm::ArrayRef<mlir::OpFoldResult> from, mlir::Value view,
                 llvm::ArrayRef<mlir::OpFoldResult> offsets,
                 llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_TILEBOX_H
