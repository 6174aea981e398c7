// The passes that turn tiles with layouts into the code of one thread;
// `Passes.td` documents each.
#ifndef TILEGPT_CONVERSION_TILEGPUTONVVM_PASSES_H
#define TILEGPT_CONVERSION_TILEGPUTONVVM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DECL
#include "TileGPT/Conversion/TileGPUToNVVM/Passes.h.inc"
} // namespace tilegpt::tilegpu

#endif
