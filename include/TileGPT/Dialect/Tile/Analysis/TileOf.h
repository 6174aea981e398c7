// Whether a value is a tile.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_TILEOF_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_TILEOF_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace tilegpt {

/// The type of a tile; null for scalars, views and others.
inline mlir::RankedTensorType tileOf(mlir::Value value) {
  return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
}

} // namespace tilegpt

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_TILEOF_H
