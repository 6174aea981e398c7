// Benefit and cost of a fusion.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSIONCOST_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSIONCOST_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Properties of a device that decide about fusion.
struct FusionRates {
  double launchUs;       ///< of a launch
  double bytesPerUs;     ///< memory bandwidth
  double cachedBytes;    ///< tensors up to this size are read from a cache
  double elementUs;      ///< to recompute an element of a row in a block
  double parallelBlocks; ///< blocks that run at a time
  bool overlapsMemory;   ///< some blocks work while others wait
};

/// Microseconds that a fusion saves; not positive if it is not worthwhile.
/// Dynamic sizes range from one to their bound: the worse end counts.
double gainOf(Fusion &fusion, const FusionRates &rates, Footprints &footprints);

} // namespace tilegpt::tile

#endif
