// Greedy rewriting of the straight code of kernels.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDGREEDILY_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDGREEDILY_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/LogicalResult.h"

namespace tilegpt::tile {

/// Applies patterns that expand ops until none matches, and folds. Control flow
/// is left as it is: looking for dead and equal blocks takes longer than most
/// expansions do.
/// Nothing happens to a function without an op that a pattern could match.
llvm::LogicalResult expandGreedily(mlir::Operation *function,
                                   mlir::RewritePatternSet patterns);

} // namespace tilegpt::tile

#endif // TILEGPT_CONVERSION_TILETOARITH_EXPANDGREEDILY_H
