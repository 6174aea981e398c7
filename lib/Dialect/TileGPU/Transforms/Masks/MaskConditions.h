// Masks as conditions on rows and columns, to find out where all elements are
// true, in whatever form a kernel compares positions.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MASKCONDITIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MASKCONDITIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include <vector>

namespace tilegpt::tilegpu {

/// An `arith.select` that keeps a tile where a condition is true (or false),
/// and is a constant elsewhere.
struct Mask {
  mlir::arith::SelectOp select;
  mlir::Value condition;
  bool keepsWhere; ///< the value of the condition where the tile is kept
  mlir::Value kept, hidden;
};

/// The number that a float tile splats; null for others.
mlir::FloatAttr splatNumberOf(mlir::Value tile);

/// Whether a tile is what a mask replaces hidden scores by: minus infinity, a
/// number of at most -10⁴, or the score plus such a number.
bool hidesScore(mlir::Value hidden, mlir::Value kept);

/// The mask of a select on tiles. Of two tiles that are no constants, or of two
/// constants, it keeps the first that hides no score.
Mask maskOf(mlir::arith::SelectOp select);

/// `lhs < rhs` if strict, `lhs <= rhs` otherwise.
struct Comparison {
  mlir::Value lhs, rhs;
  bool isStrict;
};

/// A condition on positions: a comparison, or a conjunction or disjunction.
struct PositionCondition {
  enum class Kind { Comparison, All, Any, Unknown };

  Kind kind = Kind::Unknown;
  Comparison comparison = {};           ///< for `Comparison`
  std::vector<PositionCondition> parts; ///< for `All` and `Any`
  /// The tile of conditions, and the value for which the condition holds.
  mlir::Value tile;
  bool isTrue = true;

  /// Whether this is the same condition on the same tile.
  bool operator==(const PositionCondition &other) const {
    return tile && tile == other.tile && isTrue == other.isTrue;
  }
};

/// The condition under which a tile of conditions is `wanted`.
PositionCondition conditionOf(mlir::Value condition, bool wanted);

/// Whether a condition may be false for an element of this warp, as a scalar;
/// null if nothing is known. Columns are sums of iotas and scalars, rows are
/// arbitrary. If neither is known, a comparison of a value per row with one per
/// column is checked element by element.
mlir::Value failsInWarp(mlir::OpBuilder &builder, mlir::Location loc,
                        const PositionCondition &condition);

} // namespace tilegpt::tilegpu

#endif
