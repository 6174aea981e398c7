// Converts CUDA Tile IR bytecode to the textual form that all tools read.
#ifndef TILEGPT_LIB_COMPILER_CUDATILETEXT_H
#define TILEGPT_LIB_COMPILER_CUDATILETEXT_H

#include "TileGPT/Runtime/Error.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::compiler {

/// The text of a bytecode file.
/// \returns BadInput that names the file and the error in it.
runtime::Result<std::string> disassembleCudaTile(llvm::StringRef bytes,
                                                 llvm::StringRef name);

} // namespace tilegpt::compiler

#endif
