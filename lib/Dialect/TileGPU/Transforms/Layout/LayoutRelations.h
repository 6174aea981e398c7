// How layouts of tiles follow from each other: propagated from tile to tile,
// and converted where decisions disagree.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_LAYOUTRELATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_LAYOUTRELATIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// The layout that a broadcast's source needs.
LayoutAttr sourceLayout(tile::BroadcastOp op, LayoutAttr result);

/// The layout that a dot of the share's shape would have.
LayoutAttr shareLayout(mlir::RankedTensorType share, PlanAttr plan);

/// Inserts layout conversions where an op reads or produces another layout than
/// its tile was assigned.
void reconcileLayouts(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
