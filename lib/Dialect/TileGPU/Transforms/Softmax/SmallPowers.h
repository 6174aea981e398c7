// Exponentials whose small results a text makes zeros of.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SMALLPOWERS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SMALLPOWERS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// Powers below the smallest normal number stay what they are, where the text
/// makes zeros of them.
void keepSmallPowers(MainloopOp loop);

} // namespace tilegpt::tilegpu

#endif
