// The passes of the GPU branch, from specialized tile kernels to the code of
// one thread; `Passes.td` documents each.
#ifndef TILEGPT_CONVERSION_TILETOGPU_PASSES_H
#define TILEGPT_CONVERSION_TILETOGPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

#endif
