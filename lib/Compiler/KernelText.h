// What a kernel is known by in the cache of compiled code.
#ifndef TILEGPT_LIB_COMPILER_KERNELTEXT_H
#define TILEGPT_LIB_COMPILER_KERNELTEXT_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace tilegpt::compiler {

/// The kernel of a module of its own (DeviceModules.h) with its attributes, the
/// same for the same kernel wherever it was written. Text of ops in their
/// generic form leaves nothing out, and unlike bytecode it does not depend on
/// locations.
inline std::string canonicalText(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream,
               mlir::OpPrintingFlags().printGenericOpForm().useLocalScope());
  return text;
}

} // namespace tilegpt::compiler

#endif
