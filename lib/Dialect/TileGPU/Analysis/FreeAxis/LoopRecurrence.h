// Whether all iterations of a loop can be merged into one.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_LOOPRECURRENCE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_LOOPRECURRENCE_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"

namespace tilegpt::tilegpu {

/// Whether one iteration with a tile of the whole axis computes the loop's
/// results: reductions along the axis, m' = max(m, max x) and the sums of
/// online softmax, s' = s e^(m - m') + sum(e^(x - m')), or tiles that are
/// combined elementwise and reduced after the loop.
/// \param reason  set to the reason if not.
bool isJoinable(mlir::scf::ForOp loop, const StreamedAxis &axis,
                llvm::StringRef &reason);

} // namespace tilegpt::tilegpu

#endif
