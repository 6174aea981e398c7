// The ops of the tile dialect.
#ifndef TILEGPT_DIALECT_TILE_IR_TILEOPS_H
#define TILEGPT_DIALECT_TILE_IR_TILEOPS_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/Tile/IR/TileSizes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tile::detail {
/// Verifier of TypeRefinementOpInterface: checks the declared result types
/// against the inferred ones.
mlir::LogicalResult verifyRefinedTypes(mlir::Operation *op);
} // namespace tilegpt::tile::detail

#include "TileGPT/Dialect/Tile/IR/TileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileOps.h.inc"

#endif
