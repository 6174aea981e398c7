// Remarks about accesses to global memory that move few bytes at a time.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINACCESS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINACCESS_H

#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// The number of adjacent elements along an axis of a tile that a thread has
/// side by side: a divisor of `largest`, and 1 for axis -1.
int64_t countNeighbours(LayoutAttr layout, int64_t axis, int64_t largest);

/// Emits a remark for each access to global memory that moves less than 16
/// bytes with an instruction although each thread of the block could: why, and
/// how to fix it. For a kernel whose tiles have layouts.
void explainAccesses(tile::KernelOp kernel, const AccessTable &accesses,
                     const OffsetTable &offsets);

} // namespace tilegpt::tilegpu

#endif // TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINACCESS_H
