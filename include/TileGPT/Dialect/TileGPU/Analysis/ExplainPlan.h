// What a plan is, and why a dot gets no matrix instruction, in words for a
// person.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINPLAN_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPLAINPLAN_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Remarks on the tiles, warps and stages of a kernel that has a plan.
void explainPlan(tile::KernelOp kernel);

/// What keeps `mma.sync` from computing a dot of known sizes (see chooseDot in
/// DotLayouts.h), and what to write instead; empty where nothing does.
std::string whyNoMatrixInstruction(tile::DotOp dot);

} // namespace tilegpt::tilegpu

#endif
