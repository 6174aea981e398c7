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

/// Inserts a conversion before each store by offset of 16-bit results of dots
/// to adjacent elements: their offsets and masks then have a layout of their
/// own, in which lanes store whole sectors.
void separateStores(tile::KernelOp kernel);

/// The layout of such a conversion's result.
/// \param source  in accumulator layout.
LayoutAttr separateLayout(ConvertLayoutOp convert, LayoutAttr source);

/// Inserts layout conversions where an op reads or produces another layout than
/// its tile was assigned.
void reconcileLayouts(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
