// The tile dialect itself: the code generated from its definitions, and their
// registration.
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tilegpt::tile;

#include "TileGPT/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "TileGPT/Dialect/Tile/IR/TileEnums.cpp.inc"

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "TileGPT/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileOps.cpp.inc"
