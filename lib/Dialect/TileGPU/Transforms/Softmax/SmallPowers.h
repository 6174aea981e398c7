// Exponentials whose small results the kernel flushes to zero.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SMALLPOWERS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SMALLPOWERS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// Drops flushes of powers below the smallest normal number to zero.
void keepSmallPowers(MainloopOp loop);

} // namespace tilegpt::tilegpu

#endif
