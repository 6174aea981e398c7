// Counts the instructions of kernels of long rows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_ROWINSTRUCTIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_ROWINSTRUCTIONS_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"

namespace tilegpt::tilegpu {

/// Instructions per element: each pass over the rows recomputes what it needs.
double countRowInstructions(const LongRows &rows);

} // namespace tilegpt::tilegpu

#endif
