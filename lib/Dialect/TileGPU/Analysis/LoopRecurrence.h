// What a loop carries, and whether its iterations can be one.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_LOOPRECURRENCE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_LOOPRECURRENCE_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"

namespace tilegpt::tilegpu {

/// Whether one iteration with a tile of the whole axis makes what the loop
/// carries: reductions along the axis, m' = max(m, max x) and the sums of
/// online softmax, s' = s e^(m - m') + sum(e^(x - m')), or tiles that are
/// combined element by element and reduced behind the loop.
/// \param reason  set to why not.
bool isJoinable(mlir::scf::ForOp loop, const StreamedAxis &axis,
                llvm::StringRef &reason);

} // namespace tilegpt::tilegpu

#endif
