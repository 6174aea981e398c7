// How kernels compute the indices of the elements of an axis from the number of
// a tile.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISPLACES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_AXISPLACES_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// Everything that the numbers of tiles are used for, besides addressing them.
struct AxisPlaces {
  /// Products of a number and the size of a tile: the index of the tile's first
  /// element.
  llvm::SmallVector<mlir::arith::MulIOp> starts;
  /// Sums of these and the indices in the tile (`tile.iota`).
  llvm::SmallVector<mlir::arith::AddIOp> places;
  /// Loops whose bounds are computed from numbers.
  llvm::SetVector<mlir::scf::ForOp> bounded;
};

/// Nothing if numbers are used otherwise, or indices in a tile without the
/// start of the tile.
/// \param numbers  induction variables of the loops that index the tiles, or
///   block ids.
std::optional<AxisPlaces> findAxisPlaces(const FreeAxis &axis,
                                         llvm::ArrayRef<mlir::Value> numbers,
                                         FreeAxisRefusal *refusal = nullptr);
std::optional<AxisPlaces> findAxisPlaces(const StreamedAxis &axis,
                                         llvm::ArrayRef<mlir::scf::ForOp> loops,
                                         FreeAxisRefusal *refusal = nullptr);

} // namespace tilegpt::tilegpu

#endif
