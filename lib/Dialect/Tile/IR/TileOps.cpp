// The code generated from the dialect's op definitions.
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tilegpt::tile;

#define GET_OP_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileOps.cpp.inc"
