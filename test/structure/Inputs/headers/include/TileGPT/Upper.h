#include "TileGPT/Base.h"

namespace llvm {
class Later;
}

// Not std::string, and no "std::set".
llvm::detail::Part partOf(const llvm::Later &later, llvm::Text text);
