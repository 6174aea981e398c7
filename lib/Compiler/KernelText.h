// What a kernel is known by in the cache of compiled code.
#ifndef TILEGPT_LIB_COMPILER_KERNELTEXT_H
#define TILEGPT_LIB_COMPILER_KERNELTEXT_H

#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace tilegpt::compiler {

/// The kernel of a module of its own (DeviceModules.h) with its attributes, the
/// same for the same kernel wherever it was written. Text of ops in their
/// generic form leaves nothing out, and unlike bytecode it does not depend on
/// locations, unless these become part of the code.
inline std::string canonicalText(mlir::ModuleOp module) {
  bool hasLines = false;
  module.walk([&](tile::KernelOp kernel) {
    hasLines |= kernel->hasAttr(tile::debugScopeAttr);
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags()
                           .printGenericOpForm()
                           .useLocalScope()
                           .enableDebugInfo(hasLines));
  return text;
}

} // namespace tilegpt::compiler

#endif
