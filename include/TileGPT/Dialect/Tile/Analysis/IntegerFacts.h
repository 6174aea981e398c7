// Divisors and ranges of integers, and their propagation through arithmetic.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_INTEGERFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_INTEGERFACTS_H

#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "mlir/IR/Operation.h"
#include <limits>

namespace tilegpt::tilegpu {

inline constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min(),
                         plusInfinity = std::numeric_limits<int64_t>::max();

/// Facts about an integer.
struct IntegerFacts {
  /// A divisor; 0 for the integer 0, which every number divides.
  int64_t divisor = 1;
  tile::Interval range;

  static IntegerFacts constant(int64_t value);
  /// Any non-negative integer: an unknown size.
  static IntegerFacts size();

  /// True if `number` (positive) divides it.
  bool isMultipleOf(int64_t number) const { return divisor % number == 0; }

  friend bool operator==(const IntegerFacts &, const IntegerFacts &) = default;
};

tile::Interval intersect(tile::Interval lhs, tile::Interval rhs);

/// The union of both.
IntegerFacts unite(IntegerFacts lhs, IntegerFacts rhs);

/// The intersection of both.
IntegerFacts meet(IntegerFacts lhs, IntegerFacts rhs);

/// A divisor of the product of multiples of two numbers.
int64_t multiplyDivisors(int64_t lhs, int64_t rhs);

/// `facts` after truncation to `type`: on overflow only power-of-two divisors
/// remain.
IntegerFacts wrapTo(IntegerFacts facts, mlir::Type type);

/// The result of an integer op of the arith dialect, unless it may wrap;
/// unknown for other ops.
IntegerFacts factsOfArithmetic(mlir::Operation *op,
                               llvm::ArrayRef<IntegerFacts> operands);

} // namespace tilegpt::tilegpu

#endif
