// Bytecode of CUDA Tile IR as the text that all tools read.
#ifndef TILEGPT_LIB_COMPILER_CUDATILETEXT_H
#define TILEGPT_LIB_COMPILER_CUDATILETEXT_H

#include "TileGPT/Runtime/Error.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::compiler {

/// The text of a file of bytecode.
/// \returns BadInput that names the file and what is wrong in it.
runtime::Result<std::string> disassembleCudaTile(llvm::StringRef bytes,
                                                 llvm::StringRef name);

} // namespace tilegpt::compiler

#endif
