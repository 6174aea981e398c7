// `--emit=cuda-tile-bytecode`: a module of cuda_tile as bytecode.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_EMITBYTECODE_H
#define TILEGPT_TOOLS_TILEGPT_OPT_EMITBYTECODE_H

#include "Flags.h"
#include "TileGPT/Runtime/Error.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::opt {

/// What --emit is given for it.
inline constexpr llvm::StringLiteral bytecodeKind = "cuda-tile-bytecode";

/// \returns Usage for a version without --emit=cuda-tile-bytecode, and for one
/// that does not exist.
runtime::Result<void> checkBytecodeFlags(const Flags &flags);

/// Parses text and writes its one module of cuda_tile, or the entries and
/// globals it has outside modules. Diagnostics go to stderr.
/// \returns BadInput for text that does not parse or has not one module,
/// Failure for what the version does not have.
runtime::Result<void> emitBytecode(const Flags &flags,
                                   const llvm::MemoryBuffer &source,
                                   mlir::DialectRegistry &registry,
                                   llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif
