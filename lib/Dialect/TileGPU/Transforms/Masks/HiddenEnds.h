// Iterations outside the bounds of a loop that a mask would hide.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_HIDDENENDS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_HIDDENENDS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Whether a loop may begin as early as an earlier block's, and end as late as
/// a later one's: its bounds do not decrease with the block id along an axis of
/// the grid, and as far as they depend on it, iterations outside of them are
/// hidden from all rows by a mask and would change no result.
bool hidesOutsideBounds(mlir::scf::ForOp loop, int64_t gridAxis);

/// Whether a loop may end at the next multiple of a number: its end is one, or
/// further iterations are hidden from all rows by a mask and would change no
/// result.
bool hidesUpToMultiple(mlir::scf::ForOp loop, int64_t number);

} // namespace tilegpt::tilegpu

#endif
