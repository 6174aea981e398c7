// Checks and result types of the ops that touch memory: load, store, gather,
// scatter.
#include "TypeChecks.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

/// Checks that tile and indices have the view's rank (less one index for gather
/// and scatter, whose axis needs none).
static LogicalResult verifyRanks(Operation *op, ViewType view,
                                 OperandRange indices, ArrayRef<int64_t> tile,
                                 bool indexedAxis) {
  int64_t rank = view.getRank();
  int64_t expected = rank - indexedAxis;
  if (static_cast<int64_t>(indices.size()) != expected)
    return op->emitOpError("expected as many tile indices as ")
           << view << " has axes"
           << (indexedAxis ? " besides the indexed one (" : " (") << expected
           << "), found " << indices.size();
  if (static_cast<int64_t>(tile.size()) != rank)
    return op->emitOpError("expected a tile of rank ")
           << rank << " like " << view << ", found rank " << tile.size();
  return success();
}

static LogicalResult verifyIndexTile(Operation *op, Value index, int64_t axis,
                                     ArrayRef<int64_t> tile) {
  auto type = cast<RankedTensorType>(index.getType());
  if (type.getRank() != 1)
    return op->emitOpError("expected a 1-D index tile, found ") << type;
  if (!mayBeEqual(type.getDimSize(0), tile[axis]))
    return op->emitOpError("expected ")
           << tile[axis] << " indices, the size of the tile along axis " << axis
           << ", found " << type.getDimSize(0);
  return success();
}

static LogicalResult verifyStoredElement(Operation *op, Type value,
                                         ViewType view) {
  Type element = cast<RankedTensorType>(value).getElementType();
  if (element == view.getElementType())
    return success();
  return op->emitOpError("expected elements of type ")
         << view.getElementType() << " like " << view << ", found " << element
         << "; convert the tile first";
}

//===------------------------------------------------------------------------------===//
// load, store
//===------------------------------------------------------------------------------===//

LogicalResult LoadOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ViewType view = getView().getType();
  SmallVector<int64_t> tile = knownSizes(getSizes());
  if (failed(
          verifyRanks(*this, view, getIndices(), tile, /*indexedAxis=*/false)))
    return failure();
  types.push_back(RankedTensorType::get(tile, view.getElementType()));
  return success();
}

LogicalResult LoadOp::verify() {
  ViewType view = getView().getType();
  if (getOrder() &&
      failed(verifyPermutation(*this, "order", *getOrder(), view.getRank())))
    return failure();
  if (failed(verifyMask(*this, getMask(), knownSizes(getSizes()))) ||
      failed(verifyPad(*this, view, view.getElementType(), getPad())))
    return failure();
  return verifyParamNames(*this, getSizes());
}

LogicalResult StoreOp::verify() {
  ViewType view = getView().getType();
  ArrayRef<int64_t> tile = getValue().getType().getShape();
  if (failed(verifyRanks(*this, view, getIndices(), tile,
                         /*indexedAxis=*/false)) ||
      failed(verifyStoredElement(*this, getValue().getType(), view)))
    return failure();
  if (getOrder() &&
      failed(verifyPermutation(*this, "order", *getOrder(), view.getRank())))
    return failure();
  if (failed(verifyMask(*this, getMask(), tile)))
    return failure();
  return verifyWritable(*this, getView());
}

//===------------------------------------------------------------------------------===//
// gather, scatter
//===------------------------------------------------------------------------------===//

LogicalResult GatherOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ViewType view = getView().getType();
  SmallVector<int64_t> tile = knownSizes(getSizes());
  if (failed(verifyAxis(*this, getAxis(), view.getRank(), view)) ||
      failed(
          verifyRanks(*this, view, getIndices(), tile, /*indexedAxis=*/true)))
    return failure();
  types.push_back(RankedTensorType::get(tile, view.getElementType()));
  return success();
}

LogicalResult GatherOp::verify() {
  SmallVector<int64_t> tile = knownSizes(getSizes());
  if (failed(verifyIndexTile(*this, getIndex(), getAxis(), tile)) ||
      failed(verifyMask(*this, getMask(), tile)) ||
      failed(verifyPad(*this, getView().getType(),
                       getView().getType().getElementType(), getPad())))
    return failure();
  return verifyParamNames(*this, getSizes());
}

LogicalResult ScatterOp::verify() {
  ViewType view = getView().getType();
  ArrayRef<int64_t> tile = getValue().getType().getShape();
  if (failed(verifyAxis(*this, getAxis(), view.getRank(), view)) ||
      failed(
          verifyRanks(*this, view, getIndices(), tile, /*indexedAxis=*/true)) ||
      failed(verifyStoredElement(*this, getValue().getType(), view)) ||
      failed(verifyIndexTile(*this, getIndex(), getAxis(), tile)) ||
      failed(verifyMask(*this, getMask(), tile)))
    return failure();
  return verifyWritable(*this, getView());
}
