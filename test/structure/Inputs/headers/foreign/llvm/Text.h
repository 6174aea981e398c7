#include "Part.h"

namespace llvm {
struct Text {};
} // namespace llvm
