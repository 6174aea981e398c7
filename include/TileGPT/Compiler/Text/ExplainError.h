// Errors of MLIR's parser, with what to write instead.
#ifndef TILEGPT_COMPILER_TEXT_EXPLAINERROR_H
#define TILEGPT_COMPILER_TEXT_EXPLAINERROR_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace tilegpt::compiler {

/// Reports an error of the parser in `source` with the form of the op that was
/// expected, the conversion that a type needs, or the name that was likely
/// meant.
/// \returns failure, without a report, if `diagnostic` needs no explanation.
llvm::LogicalResult explainError(mlir::Diagnostic &diagnostic,
                                 llvm::StringRef source,
                                 mlir::MLIRContext &context);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_TEXT_EXPLAINERROR_H
