// The passes of the host branch, from tile kernels to functions in the LLVM
// dialect; `Passes.td` documents each.
#ifndef TILEGPT_CONVERSION_TILETOCPU_PASSES_H
#define TILEGPT_CONVERSION_TILETOCPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilegpt::cpu {
#define GEN_PASS_DECL
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

#endif
