// Why the compiler did what it did: remarks of passes, for `--explain`.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_EXPLAIN_H
#define TILEGPT_DIALECT_TILEGPU_IR_EXPLAIN_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

namespace tilegpt::tilegpu {

/// Says that an optimization was not applied, why, and what to write instead:
///
///   explainMissed(dot, "main-loop")
///       << "the right operand is loaded with a mask; mask the result instead";
///
/// Numbers are written with `remark::add("{0} stages", count)`. Costs nothing
/// where nobody listens.
/// \param op        what the remark points at. The kernel it is in is named.
/// \param category  the decision, a literal: "main-loop", "mask", "softmax",
///                  "tile", "dot", "copy", "cluster", "overlap".
mlir::remark::detail::InFlightRemark explainMissed(mlir::Operation *op,
                                                   llvm::StringRef category);

/// Says that an optimization was applied, and how.
mlir::remark::detail::InFlightRemark explainPassed(mlir::Operation *op,
                                                   llvm::StringRef category);

/// Says what is neither: a figure a decision rests on.
mlir::remark::detail::InFlightRemark explainAnalysis(mlir::Operation *op,
                                                     llvm::StringRef category);

/// Has the remarks of a context become its diagnostics, in the order of the
/// passes however many threads they run on:
/// "linear.mlir:29:13: remark: @linear: main-loop missed: the right operand …".
/// The same text is reported once a location.
void reportRemarks(mlir::MLIRContext &context);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_IR_EXPLAIN_H
