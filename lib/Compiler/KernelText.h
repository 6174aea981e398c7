// The cache key text of a kernel.
#ifndef TILEGPT_LIB_COMPILER_KERNELTEXT_H
#define TILEGPT_LIB_COMPILER_KERNELTEXT_H

#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace tilegpt::compiler {

/// The kernel of a single-kernel module (DeviceModules.h) with its attributes,
/// independent of where it was written. The generic form of ops is complete
/// and, unlike bytecode, does not contain locations unless they are part of the
/// code.
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
