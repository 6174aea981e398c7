// Remarks about plans and about dots without MMA instructions.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINPLAN_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Emits remarks on the tiles, warps and stages of a kernel that has a plan.
void explainPlan(tile::KernelOp kernel);

/// Why `mma.sync` cannot compute a dot of static sizes (see chooseDot in
/// DotLayouts.h), and how to fix it; empty if it can.
std::string whyNoMatrixInstruction(tile::DotOp dot);

} // namespace tilegpt::tilegpu

#endif
