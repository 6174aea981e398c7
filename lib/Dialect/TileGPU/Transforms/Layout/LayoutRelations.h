// How layouts of tiles follow from each other: what is carried from tile to
// tile, and what must be converted where it was decided otherwise.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_LAYOUTRELATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_LAYOUTRELATIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// What a broadcast must be given.
LayoutAttr sourceLayout(tile::BroadcastOp op, LayoutAttr result);

/// What a dot would have made of a share by itself.
LayoutAttr shareLayout(mlir::RankedTensorType share, PlanAttr plan);

/// Inserts changes of layout where an op does not get, or does not make, the
/// layout its tile was given.
void reconcileLayouts(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
