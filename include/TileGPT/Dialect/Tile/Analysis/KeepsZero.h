// Values that are zero where the tiles they are made of lie outside of a view.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_KEEPSZERO_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_KEEPSZERO_H

#include "mlir/IR/Value.h"

namespace tilegpt::tilegpu {

/// Whether elements that are loaded from outside of a view make zeros.
bool keepsZero(mlir::Value value);

} // namespace tilegpt::tilegpu

#endif
