// How loops over the tiles of an axis compute the indices of its elements.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISPLACES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISPLACES_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {

/// Everything that induction variables are used for, besides addressing tiles.
struct AxisPlaces {
  /// Products of an induction variable and the size of a tile: the index of the
  /// tile's first element.
  llvm::SmallVector<mlir::arith::MulIOp> starts;
  /// Sums of these and the indices in the tile (`tile.iota`).
  llvm::SmallVector<mlir::arith::AddIOp> places;
};

/// Nothing if the loops use their induction variables otherwise, or indices in
/// a tile without the start of the tile.
/// \param axis  of `findLoopedAxis` for these loops.
std::optional<AxisPlaces> findAxisPlaces(const StreamedAxis &axis,
                                         llvm::ArrayRef<mlir::scf::ForOp> loops,
                                         FreeAxisRefusal *refusal = nullptr);

} // namespace tilegpt::tilegpu

#endif
