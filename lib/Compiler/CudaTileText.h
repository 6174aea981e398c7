// Converts CUDA Tile IR in its other forms to the text that all tools read.
#ifndef TILEGPT_LIB_COMPILER_CUDATILETEXT_H
#define TILEGPT_LIB_COMPILER_CUDATILETEXT_H

#include "TileGPT/Runtime/Error.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilegpt::compiler {

/// The text of a module for bytecode, and for entries and globals that
/// disassemblers print without a module and the dialect's name; nothing for
/// other sources.
/// \returns BadInput that names the file and the error in its bytecode.
runtime::Result<std::optional<std::string>>
convertCudaTile(llvm::StringRef source, llvm::StringRef name);

} // namespace tilegpt::compiler

#endif
