// Verifiers of the ops on unaligned rows.
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

LogicalResult RunOp::verify() {
  tilegpt::tile::ViewType source = getSource().getType(),
                          result = getResult().getType();
  if (source.isDense() && source.getRank() > 0 && result.isDense() &&
      result.getRank() == 1 &&
      source.getElementType() == result.getElementType())
    return success();
  return emitOpError("expected a dense view to have a dense run of one axis, "
                     "found ")
         << source << " and " << result;
}

/// A run with any alignment fits in a buffer of whole units.
template <typename OpT>
static LogicalResult verifyRunTransfer(OpT op) {
  tilegpt::tile::ViewType run = op.getRun().getType();
  SharedType buffer = op.getBuffer().getType();
  constexpr int64_t unitBits = 128;
  int64_t bits = std::max(8u, buffer.getElementType().getIntOrFloatBitWidth());
  if (run.isDense() && run.getRank() == 1 && buffer.getRank() == 1 &&
      run.getElementType() == buffer.getElementType() &&
      buffer.getShape()[0] >= int64_t(op.getLength()) &&
      buffer.getShape()[0] * bits % unitBits == 0)
    return success();
  return op.emitOpError("expected whole units of 16 bytes that hold ")
         << op.getLength() << " elements of " << run << ", found " << buffer;
}

LogicalResult CopyRunOp::verify() { return verifyRunTransfer(*this); }
LogicalResult StoreRunOp::verify() { return verifyRunTransfer(*this); }

/// Columns of a tile: the first and one past the last.
template <typename OpT>
static LogicalResult verifyKnown(OpT op, RankedTensorType tile) {
  std::optional<ArrayRef<int64_t>> known = op.getKnown();
  if (!known ||
      (known->size() == 2 && 0 <= known->front() &&
       known->front() <= known->back() && known->back() <= tile.getDimSize(1)))
    return success();
  return op.emitOpError("expected 'known' to be the first column and the one "
                        "behind the last, in order and in ")
         << tile << ", found [" << *known << "]";
}

LogicalResult StoreUnitsOp::verify() {
  tilegpt::tile::ViewType run = getRun().getType();
  auto type = cast<RankedTensorType>(getValue().getType());
  if (run.isDense() && run.getRank() == 1 && type.getRank() == 2 &&
      type.getDimSize(0) == 1 && run.getElementType() == type.getElementType())
    return verifyKnown(*this, type);
  return emitOpError("expected one row of the elements of ")
         << run << ", found " << type;
}

LogicalResult LoadUnitsOp::verify() {
  tilegpt::tile::ViewType view = getView().getType();
  auto type = cast<RankedTensorType>(getResult().getType());
  if (view.isDense() && view.getRank() == 2 && !view.isDynamicDim(1) &&
      type.getRank() == 2 && type.getDimSize(0) == 1 &&
      view.getElementType() == type.getElementType())
    return verifyKnown(*this, type);
  return emitOpError("expected one row of the elements of a dense view with "
                     "rows of known length, found ")
         << view << " and " << type;
}

LogicalResult LoadCoveringOp::verify() {
  constexpr int64_t unitBits = 128;
  tile::ViewType view = getView().getType();
  auto type = cast<RankedTensorType>(getResult().getType());
  if (view.isDense() && view.getRank() == 2 && !view.isDynamicDim(1) &&
      type.getRank() == 2 && view.getElementType() == type.getElementType() &&
      type.getDimSize(1) *
              std::max(8u, type.getElementType().getIntOrFloatBitWidth()) %
              unitBits ==
          0)
    return success();
  return emitOpError(
             "expected rows of whole 16-byte units of the elements of a "
             "dense view with rows of known length, found ")
         << view << " and " << type;
}

LogicalResult SumShiftedOp::verify() {
  auto from = cast<RankedTensorType>(getValue().getType()),
       to = cast<RankedTensorType>(getResult().getType());
  int64_t most = 0;
  for (int64_t row = 0; from.getRank() == 2 && row < from.getDimSize(0); ++row)
    most = std::max(most, getShift(row));
  if (from.getRank() == 2 && to.getRank() == 1 &&
      isa<FloatType>(from.getElementType()) &&
      from.getElementType() == to.getElementType() &&
      to.getDimSize(0) + most <= from.getDimSize(1))
    return success();
  return emitOpError("expected rows of floats that have ")
         << most << " columns more than their sum, found " << from << " and "
         << to;
}

LogicalResult RowsOp::verify() {
  SharedType source = getSource().getType(), result = getResult().getType();
  auto isDense = [](SharedType type) {
    return !type.getSwizzle() && !type.getPadding();
  };
  if (isDense(source) && isDense(result) &&
      source.getElementType() == result.getElementType() &&
      result.getNumBytes() <= source.getNumBytes())
    return success();
  return emitOpError("expected dense rows that have room in ")
         << source << ", found " << result;
}
