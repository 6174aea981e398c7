// Last tiles that are shifted to end with the data: used by the cost model of
// matmuls and by the pass that does it.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHIFTEDTILES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHIFTEDTILES_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"

namespace tilegpt::tilegpu {

/// An axis of the grid of a specialized kernel whose last tile extends past the
/// data and may be shifted instead; both tiles then store the overlap
/// identically. Nothing if an element depends on the other elements of its
/// tile, if stored memory is read, if there is less data than a tile, or if no
/// loop loads tiles repeatedly.
std::optional<FreeAxis> findShiftedAxis(tile::KernelOp kernel,
                                        int64_t gridAxis);

} // namespace tilegpt::tilegpu

#endif
