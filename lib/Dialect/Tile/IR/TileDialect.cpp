// Registers the types, attributes and ops of the tile dialect.
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tilegpt::tile;

#include "TileGPT/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "TileGPT/Dialect/Tile/IR/TileEnums.cpp.inc"

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "TileGPT/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
