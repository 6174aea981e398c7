// Prints the kernel library: description, signature, implemented ops and
// parameters of each kernel.
#ifndef TILEGPT_COMPILER_LISTKERNELS_H
#define TILEGPT_COMPILER_LISTKERNELS_H

#include "TileGPT/Runtime/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tilegpt::compiler {

/// Prints the header of every kernel of the library, by name and as written in
/// its file, below the first line of its comment.
/// \param directory kernels that override the built-in ones by name; empty for
/// none.
/// \returns BadInput if a file cannot be read or parsed.
runtime::Result<void> listKernels(llvm::raw_ostream &stream,
                                  llvm::StringRef directory);

} // namespace tilegpt::compiler

#endif
