// Tiles that begin earlier, so that the last of them ends with the data:
// asked by the estimate of products and by the pass that does it.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHIFTEDTILES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SHIFTEDTILES_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"

namespace tilegpt::tilegpu {

/// An axis of the grid of a specialized kernel whose last tile sticks out of
/// the data and may begin earlier instead: what it has in common with the tile
/// before it both store alike. Nothing where an element depends on which others
/// the tile has, where what is stored is read, where there is less data than a
/// tile, or where no loop loads tiles again and again.
std::optional<FreeAxis> findShiftedAxis(tile::KernelOp kernel,
                                        int64_t gridAxis);

} // namespace tilegpt::tilegpu

#endif
