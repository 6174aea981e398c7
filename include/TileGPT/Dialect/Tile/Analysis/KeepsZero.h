// Values whose elements are zero where loaded tiles are out of bounds.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_KEEPSZERO_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_KEEPSZERO_H

#include "mlir/IR/Value.h"

namespace tilegpt::tilegpu {

/// Whether out-of-bounds elements of loads yield zeros in the value.
bool keepsZero(mlir::Value value);

} // namespace tilegpt::tilegpu

#endif
