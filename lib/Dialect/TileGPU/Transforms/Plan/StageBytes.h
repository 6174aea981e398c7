// Shared memory of one stage of all rings of main loops, and how many stages
// hide the latency of their copies.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_STAGEBYTES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_STAGEBYTES_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// Bytes of one stage of all rings of a kernel. Loops that load the same tiles
/// share rings, others have their own.
/// \param copiesAll  whether tiles that only arithmetic reads are copied, too.
int64_t stageBytesOf(llvm::ArrayRef<Mainloop> matches, bool copiesAll);

/// The stages, from `least` to `most`, with which copies hide their own
/// latency, in which about 64 KB arrive from the L2 cache: one being multiplied
/// and these in flight.
int64_t stagesForLatency(int64_t stageBytes, int64_t least, int64_t most);

} // namespace tilegpt::tilegpu

#endif
