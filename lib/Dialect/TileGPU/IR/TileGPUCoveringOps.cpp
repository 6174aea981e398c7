// Checks of the ops on rows that begin anywhere.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;
using namespace tilegpt::tilegpu;

static int64_t columnsOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape().back();
}

int64_t FillOutsideOp::getMostBefore() {
  return columnsOf(getValue()) - getColumns();
}

LogicalResult FillOutsideOp::verify() {
  auto type = cast<RankedTensorType>(getValue().getType());
  if (type.getRank() == 2 && getColumns() > 0 && getMostBefore() >= 0)
    return success();
  return emitOpError("expected a row of ")
         << getColumns() << " columns to fit a tile of rank 2, found " << type;
}

int64_t StoreCoveringOp::getMostBefore() {
  return columnsOf(getValue()) - getView().getType().getShape().back();
}

LogicalResult StoreCoveringOp::verify() {
  tile::ViewType view = getView().getType();
  auto type = cast<RankedTensorType>(getValue().getType());
  if (view.getRank() == 2 && type.getRank() == 2 && type.getDimSize(0) == 1 &&
      !view.isDynamicDim(1) && getMostBefore() >= 0 &&
      view.getElementType() == type.getElementType())
    return success();
  return emitOpError("expected one row that is as wide as the rows of ")
         << view << " or wider, found " << type;
}
