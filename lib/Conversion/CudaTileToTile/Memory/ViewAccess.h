// How a tile maps to the tensor of its view.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_MEMORY_VIEWACCESS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_MEMORY_VIEWACCESS_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

/// The location of one tile: the view of which it is tile number `indices`, and
/// how its axes map to that.
struct Place {
  mlir::Value view; ///< a !tile.view
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<int64_t> sizes; ///< of the tile, in the view's axis order
  /// The view axis of each tile axis; selected axes of size 1 are missing here
  /// and in `tile`.
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<int64_t> tile;  ///< sizes in the tile's axis order
  llvm::SmallVector<int64_t> shape; ///< the whole tile, with selected axes

  /// The index tile of a gather or scatter, and its view axis.
  mlir::Value rows;
  int64_t sparseAxis = -1;
};

/// Creates the windows and selections that lead to a tile.
/// \param view     the converted tensor view.
/// \param indices  one per tile axis, converted.
Place findPlace(mlir::ImplicitLocOpBuilder &builder, TileView type,
                mlir::Value view, llvm::ArrayRef<mlir::Value> indices);

/// Converts a loaded tile from the view's layout to the access's, and a stored
/// tile back.
mlir::Value fromView(mlir::ImplicitLocOpBuilder &builder, const Place &place,
                     mlir::Value loaded);
mlir::Value toView(mlir::ImplicitLocOpBuilder &builder, const Place &place,
                   mlir::Value stored);

/// Offsets of a tile's elements from the base of the view, in the view's axis
/// order, and a mask of those in bounds.
struct Distances {
  mlir::Value base, offsets, mask;
};
Distances findDistances(mlir::ImplicitLocOpBuilder &builder,
                        const Place &place);

} // namespace tilegpt::cuda_tile

#endif
