// Masks as conditions on the coordinates of elements.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_TILECONDITIONS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_TILECONDITIONS_H

#include "Normalize/TilePositions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tile {

/// One of the conditions that a mask joins by and.
struct TileCondition {
  mlir::Value value;
  /// The axis of the mask, for each axis of `value`; -1 for an axis of one
  /// element, whose condition all elements share.
  llvm::SmallVector<int64_t> axes;
};

/// The conditions that a mask joins.
llvm::SmallVector<TileCondition> conditionsOf(mlir::Value mask);

/// A comparison of an element's coordinate along an axis of the mask with a
/// limit, the same for all elements.
struct AxisLimit {
  int64_t axis;
  bool isUpper; ///< coordinate < limit, otherwise coordinate >= limit
  IndexSum limit;
  bool isUnsigned;
  /// The sides of the comparison without the coordinate, the smaller one first.
  IndexSum lesser, greater;
  bool isRisingByOne; ///< whether the smaller side is the coordinate, moved
};

/// The limit that a condition is, if it is one.
std::optional<AxisLimit> limitOf(const TileCondition &condition,
                                 IndexSums &sums);

/// Whether a sum is known, and at least `least`.
bool isAtLeast(const IndexSum &sum, int64_t least);

} // namespace tilegpt::tile

#endif
