// What a fusion saves and what it costs.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSIONCOST_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FUSIONCOST_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// What decides of a device.
struct FusionRates {
  double launchUs;       ///< of a launch
  double bytesPerUs;     ///< of memory
  double cachedBytes;    ///< a tensor no larger is read from a cache, for free
  double elementUs;      ///< of an element of a row that a block makes anew
  double parallelBlocks; ///< that run at the same time
  bool overlapsMemory;   ///< whether some work while others wait for memory
};

/// Microseconds that a fusion saves; not positive where it is not worth it.
/// Sizes that are not static may be anything from one to their bound: what is
/// saved at the worse end counts.
double gainOf(Fusion &fusion, const FusionRates &rates, Footprints &footprints);

} // namespace tilegpt::tile

#endif
