// `--emit=cuda-tile-bytecode`: a module of cuda_tile as bytecode.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_EMITBYTECODE_H
#define TILEGPT_TOOLS_TILEGPT_OPT_EMITBYTECODE_H

#include "Flags.h"
#include "TileGPT/Runtime/Error.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::opt {

/// The version given to --emit.
inline constexpr llvm::StringLiteral bytecodeKind = "cuda-tile-bytecode";

/// \returns Usage for a version without --emit=cuda-tile-bytecode, and for an
/// unknown version.
runtime::Result<void> checkBytecodeFlags(const Flags &flags);

/// Parses text and writes its only cuda_tile module, or its entries and globals
/// outside modules. Diagnostics go to stderr.
/// \returns BadInput for a parse error or another number of modules, Failure
/// for features that the version lacks.
runtime::Result<void> emitBytecode(const Flags &flags,
                                   const llvm::MemoryBuffer &source,
                                   mlir::DialectRegistry &registry,
                                   llvm::raw_ostream &output);

} // namespace tilegpt::opt

#endif
