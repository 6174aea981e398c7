// Optimization remarks of passes, for `--explain`.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_EXPLAIN_H
#define TILEGPT_DIALECT_TILEGPU_IR_EXPLAIN_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include <string>

namespace tilegpt::tilegpu {

/// Reports that an optimization was missed, why, and how to fix it:
///
///   explainMissed(dot, "main-loop")
///       << "the right operand is loaded with a mask; mask the result instead";
///
/// Numbers are written with `remark::add("{0} stages", count)`. Costs nothing
/// if remarks are disabled.
/// \param op        the location of the remark; its kernel is named.
/// \param category  the decision, a literal: "main-loop", "mask", "softmax",
/// "tile", "dot", "copy", "cluster", "overlap".
mlir::remark::detail::InFlightRemark explainMissed(mlir::Operation *op,
                                                   llvm::StringRef category);

/// Reports that an optimization was applied, and how.
mlir::remark::detail::InFlightRemark explainPassed(mlir::Operation *op,
                                                   llvm::StringRef category);

/// Reports a fact that a decision is based on.
mlir::remark::detail::InFlightRemark explainAnalysis(mlir::Operation *op,
                                                     llvm::StringRef category);

/// A number of things in a remark: "1 block", "2 blocks".
std::string countOf(int64_t number, llvm::StringRef noun);

/// Turns the remarks of a context into diagnostics, in the order of the passes
/// regardless of the number of threads: "linear.mlir:29:13: remark: @linear:
/// main-loop missed: the right operand …". Each text is reported once per
/// location.
void reportRemarks(mlir::MLIRContext &context);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_IR_EXPLAIN_H
