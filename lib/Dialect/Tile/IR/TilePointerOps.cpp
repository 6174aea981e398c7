// Checks, result types and folders of the ops on pointers: base, addresses,
// data, scratch, view_at, load_at, store_at and the atomics.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TypeChecks.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

//===------------------------------------------------------------------------------===//
// base, view_at
//===------------------------------------------------------------------------------===//

LogicalResult BaseOp::verify() {
  Type element = getView().getType().getElementType();
  if (getType().getPointee() == element)
    return success();
  return emitOpError("expected a pointer to ")
         << element << ", the elements of " << getView().getType() << ", found "
         << getType();
}

OpFoldResult BaseOp::fold(FoldAdaptor) {
  // The base of a view at a pointer is that pointer.
  auto view = getView().getDefiningOp<ViewAtOp>();
  return view && view.getBase().getType() == getType() ? view.getBase()
                                                       : Value();
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  auto pointer = getPointer().getDefiningOp<IntToPtrOp>();
  return pointer ? pointer.getAddress() : Value();
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto address = getAddress().getDefiningOp<PtrToIntOp>();
  return address && address.getPointer().getType() == getType()
             ? address.getPointer()
             : Value();
}

/// Checks the element type of memory that an op makes, and that its size in
/// bytes is one that the host can have on a stack or in a file.
static LogicalResult verifyMade(Operation *op, Type element, int64_t count) {
  constexpr int64_t maxCount = int64_t(1) << 24;
  if (!element.isIntOrFloat() && !isa<EltType>(element))
    return op->emitOpError("expected elements that are numbers, found ")
           << element;
  if (count < 1 || count > maxCount)
    return op->emitOpError("expected 1 to ")
           << maxCount << " elements, found " << count;
  return success();
}

LogicalResult DataOp::verify() {
  Type element = getValue().getElementType(), pointee = getType().getPointee();
  if (!isa<DenseElementsAttr>(getValue()))
    return emitOpError("expected dense elements");
  if (element != pointee)
    return emitOpError("expected a pointer to ")
           << element << ", the type of the elements, found " << getType();
  constexpr int64_t maxAlignment = int64_t(1) << 20;
  if (getAlignment() < 16 || getAlignment() > maxAlignment ||
      !llvm::isPowerOf2_64(uint64_t(getAlignment())))
    return emitOpError("expected an alignment that is a power of two from 16 "
                       "to ")
           << maxAlignment << ", found " << getAlignment();
  return verifyMade(*this, element, getValue().getNumElements());
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != programAttr)
    return success();
  auto data = dyn_cast<DataOp>(op);
  if (!data)
    return op->emitOpError("expected no ")
           << programAttr << ", which only '" << DataOp::getOperationName()
           << "' has";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("expected ")
           << programAttr << " without a value, found " << attribute.getValue();
  if (!data.getShared())
    return op->emitOpError("expected shared memory, as it has ") << programAttr;
  return success();
}

LogicalResult ScratchOp::verify() {
  return verifyMade(*this, getType().getPointee(), int64_t(getCount()));
}

/// Checks one list of `[%value, 64]`, whose known entries must be `least` at
/// least.
static LogicalResult verifyList(ViewAtOp op, StringRef name, int64_t least,
                                ArrayRef<int64_t> values,
                                OperandRange operands) {
  if (failed(verifyMixedList(op, name, op.getType(), values, operands)))
    return failure();
  for (auto [axis, value] : llvm::enumerate(values))
    if (!ShapedType::isDynamic(value) && value < least)
      return op.emitOpError("expected a ")
             << (least > 0 ? "positive " : "non-negative ") << name
             << " of axis " << axis << ", found " << value;
  return success();
}

LogicalResult ViewAtOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ViewType declared = getType();
  if (failed(
          verifyList(*this, "size", /*least=*/0, getStaticSizes(), getSizes())))
    return failure();
  if (getStaticStrides() &&
      failed(verifyList(*this, "stride", /*least=*/1, *getStaticStrides(),
                        getStrides())))
    return failure();
  auto known = [&](ArrayRef<int64_t> values, OperandRange operands) {
    return llvm::map_to_vector(
        getMixedValues(values, operands, getContext()), [](OpFoldResult value) {
          return getConstantIntValue(value).value_or(ShapedType::kDynamic);
        });
  };
  SmallVector<int64_t> strides;
  if (getStaticStrides())
    strides = known(*getStaticStrides(), getStrides());
  types.push_back(ViewType::get(getContext(),
                                known(getStaticSizes(), getSizes()),
                                declared.getElementType(), strides));
  return success();
}

LogicalResult ViewAtOp::verify() {
  if (!getStaticStrides() && !getStrides().empty())
    return emitOpError("expected no operands for strides, as there are no "
                       "strides, found ")
           << getStrides().size();
  Type pointee = getBase().getType().getPointee(),
       element = getType().getElementType();
  if (pointee == element)
    return success();
  return emitOpError("expected a view of ")
         << pointee << " like " << getBase().getType() << ", found "
         << getType();
}

//===------------------------------------------------------------------------------===//
// load_at, store_at, atomic_rmw, atomic_cas
//===------------------------------------------------------------------------------===//

/// Checks common to all accesses by offset.
/// \param orders  the allowed memory orders.
template <typename Op>
static LogicalResult verifyAccess(Op op, RankedTensorType tile,
                                  ArrayRef<MemoryOrder> orders) {
  PtrType base = op.getBase().getType();
  if (base.getPointee() != tile.getElementType() &&
      !base.getPointee().isInteger(8))
    return op.emitOpError("expected elements of type ")
           << base.getPointee() << " like " << base << ", found "
           << tile.getElementType();
  ArrayRef<int64_t> offsets = op.getOffsets().getType().getShape();
  if (!mayBeEqual(offsets, tile.getShape()))
    return op.emitOpError("expected offsets of shape ")
           << shapeText(tile.getShape()) << " like the tile, found "
           << shapeText(offsets);
  if (failed(verifyMask(op, op.getMask(), tile.getShape())))
    return failure();
  if (llvm::is_contained(orders, op.getOrder()))
    return success();
  InFlightDiagnostic error = op.emitOpError("expected order ");
  llvm::interleave(
      orders, error,
      [&](MemoryOrder order) { error << stringifyMemoryOrder(order); }, ", ");
  return error << ", found " << stringifyMemoryOrder(op.getOrder());
}

LogicalResult LoadAtOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(
      getResult().getType().clone(getOffsets().getType().getShape()));
  return success();
}

LogicalResult LoadAtOp::verify() {
  auto tile = getResult().getType();
  if (failed(verifyAccess(
          *this, tile,
          {MemoryOrder::Weak, MemoryOrder::Relaxed, MemoryOrder::Acquire})))
    return failure();
  return verifyPad(*this, getBase().getType(), tile.getElementType(), getPad());
}

// Nothing may move from after an ordered access to before it, nor may two of
// them be merged.
void LoadAtOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (getOrder() != MemoryOrder::Weak)
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult StoreAtOp::verify() {
  if (failed(verifyAccess(
          *this, getValue().getType(),
          {MemoryOrder::Weak, MemoryOrder::Relaxed, MemoryOrder::Release})))
    return failure();
  return verifyWritable(*this, getBase());
}

static constexpr MemoryOrder atomicOrders[] = {
    MemoryOrder::Relaxed, MemoryOrder::Acquire, MemoryOrder::Release,
    MemoryOrder::AcqRel};

/// Whether elements have 32 or 64 bits.
static bool isWord(Type element) {
  return element.isInteger(32) || element.isInteger(64) || element.isF32() ||
         element.isF64();
}

LogicalResult AtomicRMWOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getValue().getType());
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  Type element = getValue().getType().getElementType();
  StringRef name = stringifyAtomicKind(getKind());
  bool isInteger = element.isInteger(32) || element.isInteger(64);
  switch (getKind()) {
  case AtomicKind::Add:
    if (!isWord(element) && !element.isF16() && !element.isBF16())
      return emitOpError("add is for i32, i64, f16, bf16, f32 and f64, found ")
             << element;
    break;
  case AtomicKind::Xchg:
    if (!isWord(element))
      return emitOpError("xchg is for i32, i64, f32 and f64, found ")
             << element;
    break;
  default:
    if (!isInteger)
      return emitOpError() << name << " is for i32 and i64, found " << element;
  }
  if (failed(verifyAccess(*this, getValue().getType(), atomicOrders)))
    return failure();
  return verifyWritable(*this, getBase());
}

LogicalResult AtomicCASOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getValue().getType());
  return success();
}

LogicalResult AtomicCASOp::verify() {
  Type element = getValue().getType().getElementType();
  if (!isWord(element))
    return emitOpError("is for i32, i64, f32 and f64, found ") << element;
  if (failed(verifyAccess(*this, getValue().getType(), atomicOrders)))
    return failure();
  return verifyWritable(*this, getBase());
}
