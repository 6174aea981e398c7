// The tile dialect: its types, attributes and the dialect class itself. Ops are
// in TileOps.h.
#ifndef TILEGPT_DIALECT_TILE_IR_TILEDIALECT_H
#define TILEGPT_DIALECT_TILE_IR_TILEDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "TileGPT/Dialect/Tile/IR/TileDialect.h.inc"
#include "TileGPT/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileAttributes.h.inc"

namespace tilegpt::tile {

/// True for f8E4M3FN and f8E5M2: types for storage and dots, with little other
/// arithmetic.
inline bool isF8(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type);
}

} // namespace tilegpt::tile

#endif
