// What views and accesses through them check.
#include "MemoryChecks.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

static StringRef describe(PointerClassAttr pointerClass) {
  return pointerClass ? stringifyEnum(pointerClass.getValue())
                      : StringRef("no class");
}

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType type = getResult().getType();
  auto pointer = cast<PointerType>(getBase().getType().getElementType());
  if (pointer.getPointeeType() != type.getElementType())
    return emitOpError("expected a pointer to ")
           << type.getElementType() << ", found one to "
           << pointer.getPointeeType();
  if (pointer.getPointerClass() != type.getPointerClass())
    return emitOpError("expected a tensor of the pointer's class, ")
           << describe(pointer.getPointerClass()) << ", found "
           << describe(type.getPointerClass());
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

/// Two elements of f4E2M1FN share a byte along the axis of stride 1, which no
/// list of rows cuts.
static LogicalResult verifyPacking(Operation *op, TileView view) {
  TensorViewType tensor = view.getTensor();
  if (!isa<Float4E2M1FNType>(tensor.getElementType()))
    return success();
  ArrayRef<int64_t> strides = tensor.getStrides();
  if (llvm::count(strides, 1) != 1)
    return op->emitOpError("expected one axis of stride 1, along which "
                           "elements are packed, found ")
           << tensor;
  if (auto axis = view.getSparseAxis(); axis && strides[*axis] == 1)
    return op->emitOpError("expected a sparse axis other than that of stride "
                           "1, along which elements are packed, found ")
           << view;
  return success();
}

/// Scalar indices have one type. As in NVIDIA's verifier, those of atomic
/// updates may differ.
template <typename Op>
static LogicalResult verifyIndexTypes(Op op) {
  if (std::is_same_v<Op, AtomicRedViewTkoOp>)
    return success();
  Type scalar;
  for (Type type : op.getIndex().getTypes()) {
    if (cast<TileType>(type).getRank() != 0)
      continue;
    if (scalar && scalar != type)
      return op.emitOpError("expected indices of one type, found ")
             << scalar << " and " << type;
    scalar = type;
  }
  return success();
}

/// The tile is one of the view, named by indices; `inbounds` speaks of every
/// axis.
template <typename Op>
static LogicalResult verifyAccess(Op op, Value tile,
                                  ArrayRef<MemoryOrder> orders,
                                  bool isMultimem = false) {
  TileView view = op.getView().getType();
  PointerClassAttr pointerClass = view.getTensor().getPointerClass();
  if (isMulticast(pointerClass) != isMultimem)
    return op.emitOpError("expected a view of ")
           << (isMultimem ? "multicast memory, class multicast"
                          : "memory that is not multicast")
           << ", found " << describe(pointerClass);
  if (tile.getType() != view.getTileType())
    return op.emitOpError("expected a tile of the view, ")
           << view.getTileType() << ", found " << tile.getType();
  if (failed(view.verifyIndices([&] { return op.emitOpError(); },
                                op.getIndex().getTypes())) ||
      failed(verifyIndexTypes(op)) || failed(verifyPacking(op, view)))
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

/// Elements are those that multimem instructions take: i32, i64, f16, bf16, f32
/// or f64, the 16-bit ones in contiguous pairs.
template <typename Op>
static LogicalResult verifyMultimem(Op op, ArrayRef<MemoryOrder> orders) {
  auto view = dyn_cast<PartitionViewType>(op.getView().getType());
  if (!view)
    return op.emitOpError("expected a partition_view, found ")
           << op.getView().getType();
  if (failed(verifyAccess(op, op.getTile(), orders, /*isMultimem=*/true)))
    return failure();
  TensorViewType tensor = view.getTensorView();
  Type element = tensor.getElementType();
  if (!isBaseFloat(element) && !element.isInteger(32) && !element.isInteger(64))
    return op.emitOpError("expected elements of i32, i64, f16, bf16, f32 or "
                          "f64, found ")
           << element;
  if (element.getIntOrFloatBitWidth() != 16)
    return success();
  if (llvm::count(tensor.getStrides(), 1) != 1)
    return op.emitOpError("expected one axis of stride 1 for elements of 16 "
                          "bits, found ")
           << tensor;
  if (cast<TileType>(op.getTile().getType()).getNumElements() % 2 != 0)
    return op.emitOpError("expected an even number of elements of 16 bits, "
                          "found ")
           << op.getTile().getType();
  return success();
}

/// A reduction suits the elements. Only loads know minima and maxima of floats,
/// of 16 bits.
template <typename Op>
static LogicalResult verifyReduction(Op op, bool knowsFloatBounds) {
  Type element = op.getView().getType().getTensor().getElementType();
  MultimemReduction reduction = op.getReduction();
  bool isBound = reduction == MultimemReduction::Min ||
                 reduction == MultimemReduction::Max;
  if (!isBaseFloat(element) || reduction == MultimemReduction::Add ||
      (isBound && knowsFloatBounds && element.getIntOrFloatBitWidth() == 16))
    return success();
  StringRef expected = !isBound           ? "i32 or i64"
                       : knowsFloatBounds ? "i32, i64, f16 or bf16"
                                          : "i32 or i64";
  return op.emitOpError("expected elements of ")
         << expected << " for reduction " << stringifyEnum(reduction)
         << ", found " << element;
}

LogicalResult MultimemLoadReduceViewTkoOp::verify() {
  return success(succeeded(verifyMultimem(*this, loadOrders)) &&
                 succeeded(verifyReduction(*this, /*knowsFloatBounds=*/true)));
}
LogicalResult MultimemReduceViewTkoOp::verify() {
  return success(succeeded(verifyMultimem(
                     *this, {MemoryOrder::Relaxed, MemoryOrder::Release})) &&
                 succeeded(verifyReduction(*this, /*knowsFloatBounds=*/false)));
}
LogicalResult MultimemStoreViewTkoOp::verify() {
  return verifyMultimem(*this, storeOrders);
}
