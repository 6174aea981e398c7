// Reductions across warps whose results are spread over the threads of a block
// instead of repeated in every warp.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SPREADREDUCTION_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SPREADREDUCTION_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// The layout that a source leaves to the result of a reduction.
LayoutAttr reducedLayout(tile::ReduceOp op, LayoutAttr source);

/// Whether a reduction of a source with this layout can have a result with any
/// layout without padding: warps combine their results in shared memory, where
/// each thread can read the elements it needs.
bool canSpread(tile::ReduceOp op, LayoutAttr source);

/// Whether its result may be in this layout.
bool isSpreadAs(tile::ReduceOp op, LayoutAttr source, LayoutAttr result);

/// Whether a spread result is better: otherwise threads would hold several
/// elements of it, the same in every warp, only to compute elementwise and
/// store.
bool isBetterSpread(tile::ReduceOp op, LayoutAttr source);

/// The buffer for the partial results of warps: a slot of type `accumulator`
/// for each warp along the axis and each element of the result.
SharedType getSpreadBuffer(tile::ReduceOp op, mlir::Type accumulator);

} // namespace tilegpt::tilegpu

#endif
