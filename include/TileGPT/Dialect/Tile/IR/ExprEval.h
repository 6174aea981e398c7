// Evaluates the size expressions and conditions of a kernel for given values of
// their symbols.
#ifndef TILEGPT_DIALECT_TILE_IR_EXPREVAL_H
#define TILEGPT_DIALECT_TILE_IR_EXPREVAL_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// The values of the symbols of an expression. Each function may fail, for
/// example if a size is unknown; the failure is propagated.
struct ExprSymbols {
  /// Size of an axis of a view argument, in elements.
  llvm::function_ref<llvm::Expected<int64_t>(unsigned argument, unsigned axis)>
      dim;
  /// Value of a scalar argument.
  llvm::function_ref<llvm::Expected<int64_t>(unsigned argument)> scalar;
  /// Value of a size parameter.
  llvm::function_ref<llvm::Expected<int64_t>(llvm::StringRef name)> param;
};

/// The value of `expr`.
/// \returns an error for an unknown symbol, a divisor that is not positive, or
/// a result that does not fit 64 bits.
llvm::Expected<int64_t> evaluate(ExprAttr expr, const ExprSymbols &symbols);

/// Whether `lhs comparison rhs`.
bool holds(Comparison comparison, int64_t lhs, int64_t rhs);

/// Whether `condition` holds; errors are those of its two sides.
llvm::Expected<bool> evaluate(ConditionAttr condition,
                              const ExprSymbols &symbols);

/// `lhs kind rhs`, folded where both are known.
/// \returns an error for a known divisor that is not positive, and for a known
/// result that does not fit 64 bits; upstream's operators wrap around.
llvm::Expected<mlir::AffineExpr>
combine(mlir::AffineExprKind kind, mlir::AffineExpr lhs, mlir::AffineExpr rhs);

/// `expr` with its symbols replaced, built by `combine`.
llvm::Expected<mlir::AffineExpr>
replaceSymbols(mlir::AffineExpr expr,
               llvm::ArrayRef<mlir::AffineExpr> replacements);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_IR_EXPREVAL_H
