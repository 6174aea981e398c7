// The tile_gpu dialect itself; its ops register in TileGPUOps.cpp.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilegpt::tilegpu;

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.cpp.inc"

Operation *TileGPUDialect::materializeConstant(OpBuilder &builder,
                                               Attribute value, Type type,
                                               Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
