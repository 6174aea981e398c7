// Passes that expand math functions for GPUs; `Passes.td` documents each.
#ifndef TILEGPT_CONVERSION_DEVICEMATH_PASSES_H
#define TILEGPT_CONVERSION_DEVICEMATH_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DECL
#include "TileGPT/Conversion/DeviceMath/Passes.h.inc"
} // namespace tilegpt::tilegpu

#endif
