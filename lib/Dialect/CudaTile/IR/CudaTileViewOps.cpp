// What views and accesses through them check.
#include "MemoryChecks.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType type = getResult().getType();
  Type pointee =
      cast<PointerType>(getBase().getType().getElementType()).getPointeeType();
  if (pointee != type.getElementType())
    return emitOpError("expected a pointer to ")
           << type.getElementType() << ", found one to " << pointee;
  auto verifyCount = [&](StringRef what, ArrayRef<int64_t> inType,
                         size_t found) -> LogicalResult {
    size_t expected = llvm::count_if(inType, ShapedType::isDynamic);
    if (expected == found)
      return success();
    return emitOpError("expected a value for each of the ")
           << expected << ' ' << what << " that the type leaves open, found "
           << found;
  };
  if (failed(verifyCount("sizes", type.getShape(), getDynamicShape().size())) ||
      failed(verifyCount("strides", type.getStrides(),
                         getDynamicStrides().size())))
    return failure();
  for (Type scalar : TypeRange(getOperands().drop_front().getTypes()))
    if (scalar != getOperand(1).getType())
      return emitOpError("expected sizes and strides of one type, found ")
             << getOperand(1).getType() << " and " << scalar;
  return success();
}

/// A view is of the tensor it is made from.
template <typename Op>
static LogicalResult verifyMadeFrom(Op op) {
  TensorViewType expected = op.getResult().getType().getTensorView();
  if (op.getTensorView().getType() == expected)
    return success();
  return op.emitOpError("expected the tensor of the view's type, ")
         << expected << ", found " << op.getTensorView().getType();
}
LogicalResult MakePartitionViewOp::verify() { return verifyMadeFrom(*this); }
LogicalResult MakeStridedViewOp::verify() { return verifyMadeFrom(*this); }
LogicalResult MakeGatherScatterViewOp::verify() {
  return verifyMadeFrom(*this);
}

/// One result an axis, all of one type.
static LogicalResult verifyShape(Operation *op, size_t rank) {
  if (op->getNumResults() != rank)
    return op->emitOpError("expected a result for each of the ")
           << rank << " axes, found " << op->getNumResults();
  if (!llvm::all_equal(op->getResultTypes()))
    return op->emitOpError("expected results of one type, found ")
           << op->getResultTypes();
  return success();
}
LogicalResult GetTensorShapeOp::verify() {
  return verifyShape(*this, getSrc().getType().getShape().size());
}
LogicalResult GetIndexSpaceShapeOp::verify() {
  return verifyShape(*this, getSrc().getType().getTile().size());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The tile is one of the view, named by indices; `inbounds` speaks of every
/// axis.
template <typename Op>
static LogicalResult verifyAccess(Op op, Value tile,
                                  ArrayRef<MemoryOrder> orders) {
  TileView view = op.getView().getType();
  if (tile.getType() != view.getTileType())
    return op.emitOpError("expected a tile of the view, ")
           << view.getTileType() << ", found " << tile.getType();
  if (failed(view.verifyIndices([&] { return op.emitOpError(); },
                                op.getIndex().getTypes())))
    return failure();
  if (auto inbounds = op.getInbounds();
      inbounds && inbounds->size() != view.getTile().size())
    return op.emitOpError("expected inbounds of each of the ")
           << view.getTile().size() << " axes, found " << inbounds->size();
  return verifyOrder(op, op.getMemoryOrderingSemantics(), op.getMemoryScope(),
                     orders);
}

LogicalResult LoadViewTkoOp::verify() {
  return verifyAccess(*this, getTile(), loadOrders);
}
LogicalResult StoreViewTkoOp::verify() {
  return verifyAccess(*this, getTile(), storeOrders);
}

LogicalResult AtomicRedViewTkoOp::verify() {
  TileView view = getView().getType();
  if (view.getSparseAxis())
    return emitOpError("expected a view without a sparse axis, found ")
           << getView().getType();
  if (view.getPadding())
    return emitOpError("expected a view without padding, found ")
           << getView().getType();
  if (failed(verifyAccess(*this, getValue(), MemoryOrder::Relaxed)))
    return failure();
  if (getMemoryScope() == MemoryScope::System)
    return emitOpError("expected scope tl_blk or device, found sys");
  if (getMode() == AtomicMode::Xchg)
    return emitOpError("expected an update without a result, found xchg");
  return verifyUpdate(*this, getMode(), getValue().getType().getElementType());
}

/// Multicast objects are cut into tiles of elements that exist.
template <typename Op>
static LogicalResult verifyMultimem(Op op) {
  if (isa<PartitionViewType>(op.getView().getType()))
    return success();
  return op.emitOpError("expected a partition_view, found ")
         << op.getView().getType();
}
LogicalResult MultimemLoadReduceViewTkoOp::verify() {
  return success(succeeded(verifyMultimem(*this)) &&
                 succeeded(verifyAccess(*this, getTile(), loadOrders)));
}
LogicalResult MultimemReduceViewTkoOp::verify() {
  return success(
      succeeded(verifyMultimem(*this)) &&
      succeeded(verifyAccess(*this, getTile(),
                             {MemoryOrder::Relaxed, MemoryOrder::Release})));
}
LogicalResult MultimemStoreViewTkoOp::verify() {
  return success(succeeded(verifyMultimem(*this)) &&
                 succeeded(verifyAccess(*this, getTile(), storeOrders)));
}
