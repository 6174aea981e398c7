// CUDA Tile IR in its other forms: bytecode, and entries without a module.
#ifndef TILEGPT_LIB_COMPILER_CUDATILESOURCE_H
#define TILEGPT_LIB_COMPILER_CUDATILESOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>
#include <string>

namespace tilegpt::compiler {

/// The text of a module for entries and globals that disassemblers print
/// without a module and the dialect's name; nothing for other texts.
std::optional<std::string> wrapBareEntries(llvm::StringRef text);

/// Reads and verifies bytecode. Diagnostics go to the context's handlers; null
/// on failure.
mlir::OwningOpRef<mlir::ModuleOp>
readCudaTileBytecode(const llvm::MemoryBuffer &source,
                     mlir::MLIRContext &context);

} // namespace tilegpt::compiler

#endif
