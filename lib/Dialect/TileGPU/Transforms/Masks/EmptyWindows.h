// Blocks whose results no window keeps: those behind the last row of a group.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_EMPTYWINDOWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_EMPTYWINDOWS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Guards the stores of what is computed from a loop's results by whether the
/// tile begins within its window, whose size is only known at run time.
/// \returns whether any does, as a value created before the loop; null, without
/// a change, if a store keeps results in any case, or if the loop has effects
/// of its own.
mlir::Value guardResults(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
