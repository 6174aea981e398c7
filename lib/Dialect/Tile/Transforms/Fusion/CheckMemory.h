// Memory effects of two launches and of those around them.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_CHECKMEMORY_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_CHECKMEMORY_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Checks whether the launches of an edge can be fused in place of the second
/// one, by what they and the launches between them read and update.
/// \returns an error that explains why not
llvm::Error checkMemory(FusionEdge edge, FusionKind kind);

} // namespace tilegpt::tile

#endif
