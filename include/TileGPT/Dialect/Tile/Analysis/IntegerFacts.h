// Divisors and ranges of integers, and what arithmetic makes of them.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_INTEGERFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_INTEGERFACTS_H

#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "mlir/IR/Operation.h"
#include <limits>

namespace tilegpt::tilegpu {

inline constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min(),
                         plusInfinity = std::numeric_limits<int64_t>::max();

/// What is known of an integer.
struct IntegerFacts {
  /// A number that divides it; 0 for the integer 0, which all numbers divide.
  int64_t divisor = 1;
  tile::Interval range;

  static IntegerFacts constant(int64_t value);
  /// Any integer that is not negative: a size nobody knows.
  static IntegerFacts size();

  /// True when `number` (positive) divides it.
  bool isMultipleOf(int64_t number) const { return divisor % number == 0; }

  friend bool operator==(const IntegerFacts &, const IntegerFacts &) = default;
};

tile::Interval intersect(tile::Interval lhs, tile::Interval rhs);

/// One or the other.
IntegerFacts unite(IntegerFacts lhs, IntegerFacts rhs);

/// Both are known of the same integer.
IntegerFacts meet(IntegerFacts lhs, IntegerFacts rhs);

/// A number that divides the product of multiples of two numbers.
int64_t multiplyDivisors(int64_t lhs, int64_t rhs);

/// What is left of `facts` when the integer is kept in `type`: one that does
/// not fit wraps, which only powers of two survive.
IntegerFacts wrapTo(IntegerFacts facts, mlir::Type type);

/// The result of an op of the arith dialect on integers, as far as it does not
/// wrap; nothing is known of that of an op that is not listed.
IntegerFacts factsOfArithmetic(mlir::Operation *op,
                               llvm::ArrayRef<IntegerFacts> operands);

} // namespace tilegpt::tilegpu

#endif
