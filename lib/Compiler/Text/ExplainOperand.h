// What to write instead of an operand that an op does not take.
#ifndef TILEGPT_LIB_COMPILER_TEXT_EXPLAINOPERAND_H
#define TILEGPT_LIB_COMPILER_TEXT_EXPLAINOPERAND_H

#include "mlir/IR/MLIRContext.h"
#include <string>

namespace tilegpt::compiler {

/// How to mend an error of a verifier about an operand, in the terms of
/// kernels; empty if it says enough.
std::string adviseOnOperand(llvm::StringRef error, mlir::MLIRContext &context);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_TEXT_EXPLAINOPERAND_H
