// One line of text for each op that kernels use.
#ifndef TILEGPT_LIB_COMPILER_TEXT_OPFORMS_H
#define TILEGPT_LIB_COMPILER_TEXT_OPFORMS_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::compiler {

/// An example of the op called `name`, such as "%m = tile.block_id 0"; empty if
/// kernels do not use it.
llvm::StringRef formOf(llvm::StringRef name);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_TEXT_OPFORMS_H
