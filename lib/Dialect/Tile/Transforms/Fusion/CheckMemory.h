// What two launches, and those around them, do to memory.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_CHECKMEMORY_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_CHECKMEMORY_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Whether the launches of an edge may be one in the place of the second, by
/// what they and those between them read and update.
/// \returns an error that says why not
llvm::Error checkMemory(FusionEdge edge, FusionKind kind);

} // namespace tilegpt::tile

#endif
