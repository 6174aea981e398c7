// Interval arithmetic on size expressions and conditions over named unknowns.
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

/// Facts about the symbols of an expression. Each function returns a constant,
/// or an expression over unknowns (symbol i is unknown i), or null if nothing
/// is known; two sizes with the same unknown are equal.
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

/// The range of `expr`, over unknowns with these intervals. Conservative if an
/// unknown occurs more than once.
Interval rangeOf(mlir::AffineExpr expr, llvm::ArrayRef<Interval> unknowns);

/// Whether `condition` holds: true or false if that is the same for all values
/// of the unknowns; nothing otherwise, or if it cannot be proved.
std::optional<bool> decide(ConditionAttr condition,
                           const RangeSymbols &symbols);

} // namespace tilegpt::tile

#endif
