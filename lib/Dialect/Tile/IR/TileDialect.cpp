// The tile dialect itself; its ops register in TileOps.cpp.
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tilegpt::tile;

#include "TileGPT/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "TileGPT/Dialect/Tile/IR/TileEnums.cpp.inc"

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
