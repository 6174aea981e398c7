// What can be said of size expressions and conditions before sizes are known:
// interval arithmetic over named unknowns.
#ifndef TILEGPT_DIALECT_TILE_IR_EXPRRANGE_H
#define TILEGPT_DIALECT_TILE_IR_EXPRRANGE_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/AffineExpr.h"
#include <limits>
#include <optional>

namespace tilegpt::tile {

/// All integers from lo to hi, both included. The ends of int64_t stand for
/// minus and plus infinity.
struct Interval {
  int64_t lo = std::numeric_limits<int64_t>::min();
  int64_t hi = std::numeric_limits<int64_t>::max();

  friend bool operator==(const Interval &, const Interval &) = default;
};

/// What is known of the symbols of an expression. Each function gives a
/// constant, or an expression over unknowns (symbol i is unknown i), or null
/// when nothing is known; two sizes given as the same unknown are equal.
struct RangeSymbols {
  /// Size of an axis of a view argument, in elements.
  llvm::function_ref<mlir::AffineExpr(unsigned argument, unsigned axis)> dim;
  /// Value of a scalar argument.
  llvm::function_ref<mlir::AffineExpr(unsigned argument)> scalar;
  /// Value of a size parameter.
  llvm::function_ref<mlir::AffineExpr(llvm::StringRef name)> param;
  /// The values each unknown may have.
  llvm::ArrayRef<Interval> unknowns;
};

/// The values `expr`, over unknowns with these intervals, may have. Wider than
/// exact where an unknown occurs more than once.
Interval rangeOf(mlir::AffineExpr expr, llvm::ArrayRef<Interval> unknowns);

/// Whether `condition` holds: true or false where that is the same for all
/// values of the unknowns, nothing where it is not, or where that cannot be
/// proved.
std::optional<bool> decide(ConditionAttr condition,
                           const RangeSymbols &symbols);

} // namespace tilegpt::tile

#endif
