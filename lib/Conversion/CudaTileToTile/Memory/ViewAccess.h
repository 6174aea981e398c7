// How a tile lies in the tensor of its view.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_MEMORY_VIEWACCESS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_MEMORY_VIEWACCESS_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

/// The place of one tile: a view whose tile number `indices` it is, and how its
/// axes lie in that.
struct Place {
  mlir::Value view; ///< a !tile.view
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<int64_t> sizes; ///< of the tile, in the order of the view
  /// Axis of the view along which each axis of the tile runs; axes of size 1
  /// that were selected are missing here and in `tile`.
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<int64_t> tile;  ///< sizes in the order of the tile
  llvm::SmallVector<int64_t> shape; ///< the whole tile, with selected axes

  /// The index tile of a gather or scatter, and its axis of the view.
  mlir::Value rows;
  int64_t sparseAxis = -1;
};

/// Makes the windows and selections that lead to a tile.
/// \param view     what the tensor view became.
/// \param indices  one an axis of the tile, converted.
Place findPlace(mlir::ImplicitLocOpBuilder &builder, TileView type,
                mlir::Value view, llvm::ArrayRef<mlir::Value> indices);

/// A tile as it lies in the view, as the access has it, and back.
mlir::Value fromView(mlir::ImplicitLocOpBuilder &builder, const Place &place,
                     mlir::Value loaded);
mlir::Value toView(mlir::ImplicitLocOpBuilder &builder, const Place &place,
                   mlir::Value stored);

/// Distances of a tile's elements from the base of the view, in the order of
/// the view, and which of them lie inside.
struct Distances {
  mlir::Value base, offsets, mask;
};
Distances findDistances(mlir::ImplicitLocOpBuilder &builder,
                        const Place &place);

} // namespace tilegpt::cuda_tile

#endif
