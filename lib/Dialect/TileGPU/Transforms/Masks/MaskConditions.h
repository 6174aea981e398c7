// Masks as conditions on rows and columns: which of their elements are all
// true, however a text compares positions.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MASKCONDITIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MASKCONDITIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include <vector>

namespace tilegpt::tilegpu {

/// `arith.select` that keeps a tile where a condition is true, or false, and
/// has a number elsewhere.
struct Mask {
  mlir::arith::SelectOp select;
  mlir::Value condition;
  bool keepsWhere; ///< the condition is so
  mlir::Value kept, hidden;
};

/// The number that all elements of a tile of floats are; null for others.
mlir::FloatAttr splatNumberOf(mlir::Value tile);

/// Whether a tile is what scores are where a mask hides them: minus infinity,
/// a number of -10⁴ or less, or such a number added to the score.
bool hidesScore(mlir::Value hidden, mlir::Value kept);

/// The mask that a select on tiles is; of two tiles that are no numbers it
/// keeps the first that hides no score, of two numbers as well.
Mask maskOf(mlir::arith::SelectOp select);

/// `lhs < rhs`, or `lhs <= rhs` where it is not strict.
struct Comparison {
  mlir::Value lhs, rhs;
  bool isStrict;
};

/// A condition on positions: a comparison, or several of which all or any hold.
struct PositionCondition {
  enum class Kind { Comparison, All, Any, Unknown };

  Kind kind = Kind::Unknown;
  Comparison comparison = {};           ///< where it is one
  std::vector<PositionCondition> parts; ///< of `All` and `Any`
  /// The tile of conditions, and whether it holds where that is true.
  mlir::Value tile;
  bool isTrue = true;
};

/// The condition under which a tile of conditions is `wanted`.
PositionCondition conditionOf(mlir::Value condition, bool wanted);

/// Whether a condition is false for an element that this warp has: a scalar
/// that may be true only there; null where nothing is known. Columns are sums
/// of numbers that count up and of scalars, rows anything. Where neither is
/// known, what compares a number of each row with one of each column is asked
/// element by element.
mlir::Value failsInWarp(mlir::OpBuilder &builder, mlir::Location loc,
                        const PositionCondition &condition);

} // namespace tilegpt::tilegpu

#endif
