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

static LogicalResult verifyMask(Operation *op, Value mask,
                                ArrayRef<int64_t> tile) {
  if (!mask)
    return success();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(mask.getType()).getShape();
  if (mayBeEqual(shape, tile))
    return success();
  return op->emitOpError("expected a mask of shape ")
         << shapeText(tile) << " like the tile, found " << shapeText(shape);
}

static LogicalResult verifyPad(Operation *op, ViewType view, PadKind pad) {
  Type element = view.getElementType();
  bool isInfinite = pad == PadKind::NegInf || pad == PadKind::PosInf;
  if (isInfinite && isa<Float8E4M3FNType>(element))
    return op->emitOpError("pad(")
           << stringifyPadKind(pad) << ") needs a type with infinities, but "
           << view << " holds f8E4M3FN; use pad(zero) or pad(nan)";
  if (pad == PadKind::Zero || !element.isInteger())
    return success();
  return op->emitOpError("pad(")
         << stringifyPadKind(pad) << ") needs float elements, but " << view
         << " holds integers; use pad(zero)";
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

/// Checks that the view is not a window of an argument that the kernel only
/// reads.
static LogicalResult verifyWritable(Operation *op, Value view) {
  while (Operation *producer = view.getDefiningOp()) {
    if (!isa<SubviewOp, SelectOp, TransposeOp>(producer))
      return success();
    view = producer->getOperand(0);
  }
  auto argument = cast<BlockArgument>(view);
  auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
  if (!kernel || kernel.isOut(argument.getArgNumber()))
    return success();
  return op->emitOpError("writes argument ")
         << argument.getArgNumber()
         << ", which the kernel only reads; move it to outs";
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
      failed(verifyPad(*this, view, getPad())))
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
      failed(verifyPad(*this, getView().getType(), getPad())))
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
