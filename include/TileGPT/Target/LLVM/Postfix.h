// Affine expressions in the postfix form of bundles.
#ifndef TILEGPT_TARGET_LLVM_POSTFIX_H
#define TILEGPT_TARGET_LLVM_POSTFIX_H

#include "TileGPT/Bundle/Format.h"
#include "mlir/IR/AffineExpr.h"
#include <vector>

namespace tilegpt::target {

/// Appends an expression of symbols, in postfix order.
/// \param ofSymbol  the expression for a symbol of this index.
void appendPostfix(mlir::AffineExpr expr,
                   llvm::function_ref<bundle::Expression(unsigned)> ofSymbol,
                   std::vector<bundle::Expression> &postfix);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_LLVM_POSTFIX_H
