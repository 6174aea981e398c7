// Checks, result types and folders of the ops on views: sizes, windows,
// entries, transposes.
#include "TypeChecks.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

/// A view of the given sizes and strides, dense where that follows from the
/// sizes alone.
static ViewType getViewType(ViewType source, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides) {
  MLIRContext *context = source.getContext();
  Type element = source.getElementType();
  auto dense = ViewType::get(context, shape, element, {});
  if (ArrayRef<int64_t>(dense.getKnownStrides()) == strides &&
      llvm::none_of(strides, ShapedType::isDynamic))
    return dense;
  return ViewType::get(context, shape, element, strides);
}

//===------------------------------------------------------------------------------===//
// dim, num_tiles
//===------------------------------------------------------------------------------===//

LogicalResult DimOp::verify() {
  return verifyAxis(*this, getAxis(), getView().getType().getRank(),
                    getView().getType());
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  int64_t size = getView().getType().getShape()[getAxis()];
  if (!ShapedType::isDynamic(size))
    return IntegerAttr::get(getType(), size);
  auto subview = getView().getDefiningOp<SubviewOp>();
  if (!subview)
    return {};
  OpFoldResult window = getMixedValues(
      subview.getStaticSizes(), subview.getSizes(), getContext())[getAxis()];
  if (auto value = dyn_cast<Value>(window))
    return value;
  return IntegerAttr::get(getType(), *getConstantIntValue(window));
}

LogicalResult NumTilesOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getView().getType().getRank(),
                        getView().getType())))
    return failure();
  if (getSizes().size() != 1)
    return emitOpError("expected one tile size, that of axis ")
           << getAxis() << ", found " << getSizes().size();
  return verifyParamNames(*this, getSizes());
}

OpFoldResult NumTilesOp::fold(FoldAdaptor) {
  int64_t size = getView().getType().getShape()[getAxis()];
  int64_t tile = knownSizes(getSizes()).front();
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(tile))
    return {};
  return IntegerAttr::get(getType(), llvm::divideCeilSigned(size, tile));
}

//===------------------------------------------------------------------------------===//
// subview
//===------------------------------------------------------------------------------===//

/// The value of an entry where it is known: an integer in the text, or a
/// constant.
static int64_t knownValue(OpFoldResult value) {
  return getConstantIntValue(value).value_or(ShapedType::kDynamic);
}

LogicalResult SubviewOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ViewType source = getSource().getType();
  if (failed(verifyMixedList(*this, "offset", source, getStaticOffsets(),
                             getOffsets())) ||
      failed(
          verifyMixedList(*this, "size", source, getStaticSizes(), getSizes())))
    return failure();
  SmallVector<int64_t> shape;
  auto offsets = getMixedValues(getStaticOffsets(), getOffsets(), getContext());
  auto sizes = getMixedValues(getStaticSizes(), getSizes(), getContext());
  for (int64_t axis = 0; axis < source.getRank(); ++axis) {
    int64_t offset = knownValue(offsets[axis]), size = knownValue(sizes[axis]);
    int64_t bound = source.getShape()[axis];
    bool offsetKnown = !ShapedType::isDynamic(offset);
    bool sizeKnown = !ShapedType::isDynamic(size);
    if (offsetKnown && offset < 0)
      return emitOpError("offset of axis ")
             << axis << " is negative: " << offset;
    if (sizeKnown && size < 0)
      return emitOpError("size of axis ") << axis << " is negative: " << size;
    std::optional<int64_t> end =
        llvm::checkedAdd(offsetKnown ? offset : 0, sizeKnown ? size : 0);
    if (!end || (!ShapedType::isDynamic(bound) && *end > bound))
      return emitOpError("window of ")
             << shapeText(size) << " at offset " << shapeText(offset)
             << " leaves axis " << axis << " of " << source
             << "; offset + size must not exceed the size of the axis";
    shape.push_back(size);
  }
  types.push_back(getViewType(source, shape, source.getKnownStrides()));
  return success();
}

//===------------------------------------------------------------------------------===//
// select
//===------------------------------------------------------------------------------===//

LogicalResult SelectOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ViewType source = getSource().getType();
  size_t count = getIndices().size();
  if (static_cast<int64_t>(count) > source.getRank())
    return emitOpError("expected no more indices than ")
           << source << " has axes (" << source.getRank() << "), found "
           << count;
  for (auto [axis, index] : llvm::enumerate(getIndices())) {
    std::optional<int64_t> at = getConstantIntValue(index);
    int64_t size = source.getShape()[axis];
    if (at && (*at < 0 || (!ShapedType::isDynamic(size) && *at >= size)))
      return emitOpError("index ")
             << *at << " is outside axis " << axis << " of " << source;
  }
  ArrayRef<int64_t> shape = source.getShape().drop_front(count);
  // The remainder of a dense view is dense, whatever its sizes.
  if (source.isDense())
    types.push_back(
        ViewType::get(getContext(), shape, source.getElementType(), {}));
  else
    types.push_back(
        getViewType(source, shape, source.getStrides().drop_front(count)));
  return success();
}

//===------------------------------------------------------------------------------===//
// transpose
//===------------------------------------------------------------------------------===//

LogicalResult TransposeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ViewType source = getSource().getType();
  ArrayRef<int64_t> permutation = getPermutation();
  if (failed(verifyPermutation(*this, "permutation", permutation,
                               source.getRank())))
    return failure();
  if (llvm::is_sorted(permutation)) {
    types.push_back(source);
    return success();
  }
  SmallVector<int64_t> shape, strides, sourceStrides = source.getKnownStrides();
  for (int64_t axis : permutation) {
    shape.push_back(source.getShape()[axis]);
    strides.push_back(sourceStrides[axis]);
  }
  types.push_back(getViewType(source, shape, strides));
  return success();
}
