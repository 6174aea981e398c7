// Numbers as printf takes them.
#ifndef TILEGPT_CONVERSION_TILETOARITH_PRINTEDVALUE_H
#define TILEGPT_CONVERSION_TILETOARITH_PRINTEDVALUE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// `element`, a scalar or an element of value `number` of a print, as f64, i64
/// or i32.
mlir::Value printedValue(mlir::OpBuilder &builder, PrintOp op, size_t number,
                         mlir::Value element);

} // namespace tilegpt::tile

#endif
