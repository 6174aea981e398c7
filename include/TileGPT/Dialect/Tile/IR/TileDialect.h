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

#endif
