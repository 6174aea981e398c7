// The code generated from the dialect's op definitions, and their registration.
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tilegpt::tile;

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
