// Checks of what warps and warp groups do on their own.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

LogicalResult ClearRowsOp::verify() {
  SharedType buffer = getBuffer().getType();
  if (buffer.getRank() == 2 && buffer.getSwizzle())
    return success();
  return emitOpError("expected a buffer of 2 axes with a swizzle, found ")
         << buffer;
}

LogicalResult AnyOp::verify() {
  auto tile = cast<RankedTensorType>(getCondition().getType());
  if (tile.getElementType().isInteger(1))
    return success();
  return emitOpError("expected a tile of i1, found ") << tile;
}
