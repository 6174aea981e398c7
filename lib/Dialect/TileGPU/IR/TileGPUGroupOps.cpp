// Verifiers of ops of single warps and warp groups.
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

LogicalResult ClearColumnsOp::verify() {
  constexpr int64_t unitBytes = 16;
  SharedType buffer = getBuffer().getType();
  if (buffer.getRank() != 2 || !buffer.getSwizzle())
    return emitOpError("expected a buffer of 2 axes with a swizzle, found ")
           << buffer;
  int64_t elementBytes = buffer.getElementType().getIntOrFloatBitWidth() / 8;
  if (int64_t(getFrom()) * elementBytes % unitBytes != 0 ||
      int64_t(getFrom()) >= buffer.getShape()[1])
    return emitOpError("expected a column of ")
           << buffer << " that begins at a multiple of 16 bytes, found "
           << getFrom();
  return success();
}

LogicalResult AnyOp::verify() {
  auto tile = cast<RankedTensorType>(getCondition().getType());
  if (tile.getElementType().isInteger(1))
    return success();
  return emitOpError("expected a tile of i1, found ") << tile;
}

LogicalResult MatchRangeOp::verify() {
  for (tile::ViewType view : {getKeys().getType(), getRows().getType()})
    if (view.getRank() != 1 || !view.getElementType().isInteger(32))
      return emitOpError("expected views of one axis of i32, found ") << view;
  return success();
}
