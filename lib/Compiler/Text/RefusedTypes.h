// Model types that no text can describe, and why.
#ifndef TILEGPT_LIB_COMPILER_TEXT_REFUSEDTYPES_H
#define TILEGPT_LIB_COMPILER_TEXT_REFUSEDTYPES_H

#include "mlir/Support/LLVM.h"

namespace tilegpt::compiler {

/// What models of this `model_type` need that the gpt dialect lacks, as the
/// rest of a sentence about the type; empty for types that may only be unknown.
mlir::StringRef reasonToRefuse(mlir::StringRef modelType);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_TEXT_REFUSEDTYPES_H
