// The passes of the GPU branch, from specialized tile kernels to the code of
// one thread; `Passes.td` documents each.
#ifndef TILEGPT_DIALECT_TILEGPU_TRANSFORMS_PASSES_H
#define TILEGPT_DIALECT_TILEGPU_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DECL
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

#endif
