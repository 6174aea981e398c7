// Checks, result types and folders of the ops that make tiles and change their
// shape.
#include "TypeChecks.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

/// The constant `attribute` in another shape, or null where that is not a splat
/// of a static tile: a constant with many distinct elements is not worth a
/// copy.
static Attribute resizeSplat(Attribute attribute, RankedTensorType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(attribute);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

//===------------------------------------------------------------------------------===//
// splat, iota
//===------------------------------------------------------------------------------===//

LogicalResult SplatOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(
      RankedTensorType::get(knownSizes(getSizes()), getValue().getType()));
  return success();
}

LogicalResult SplatOp::verify() { return verifyParamNames(*this, getSizes()); }

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!isa_and_present<IntegerAttr, FloatAttr>(adaptor.getValue()) ||
      !getType().hasStaticShape())
    return {};
  return SplatElementsAttr::get(getType(), adaptor.getValue());
}

LogicalResult IotaOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> sizes = knownSizes(getSizes());
  if (sizes.size() != 1)
    return emitOpError("expected one size, found ")
           << sizes.size() << "; reshape or broadcast the 1-D result";
  Type element = getType().getElementType();
  if (!ShapedType::isDynamic(sizes[0]) &&
      !llvm::isIntN(element.getIntOrFloatBitWidth(), sizes[0] - 1))
    return emitOpError("the last value, ")
           << sizes[0] - 1 << ", does not fit " << element
           << "; use a wider element type";
  types.push_back(RankedTensorType::get(sizes, element));
  return success();
}

LogicalResult IotaOp::verify() { return verifyParamNames(*this, getSizes()); }

//===------------------------------------------------------------------------------===//
// reshape, broadcast, expand_dims, permute
//===------------------------------------------------------------------------------===//

LogicalResult ReshapeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType();
  SmallVector<int64_t> sizes = knownSizes(getSizes());
  std::optional<int64_t> expected = countKnown(source.getShape());
  std::optional<int64_t> found = countKnown(sizes);
  if (source.hasStaticShape() && !ShapedType::isDynamicShape(sizes) &&
      (!expected || expected != found)) {
    auto text = [](std::optional<int64_t> count) {
      return count ? std::to_string(*count) : "too many";
    };
    return emitOpError("cannot reshape ")
           << source << " of " << text(expected) << " elements to "
           << shapeText(sizes) << ", which has " << text(found)
           << "; sizes must multiply to the elements of the source";
  }
  types.push_back(RankedTensorType::get(sizes, source.getElementType()));
  return success();
}

LogicalResult ReshapeOp::verify() {
  return verifyParamNames(*this, getSizes());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  // With two unknown axes 2x8 and 4x4 have one type.
  if (getSource().getType() == getType() && getType().getNumDynamicDims() <= 1)
    return getSource();
  if (auto inner = getSource().getDefiningOp<ReshapeOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return resizeSplat(adaptor.getSource(), getType());
}

LogicalResult BroadcastOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType();
  SmallVector<int64_t> sizes = knownSizes(getSizes());
  int64_t added = static_cast<int64_t>(sizes.size()) - source.getRank();
  if (added < 0)
    return emitOpError("cannot broadcast ")
           << source << " of rank " << source.getRank() << " to rank "
           << sizes.size() << "; give one size for each axis";
  for (auto [axis, from] : llvm::enumerate(source.getShape())) {
    int64_t to = sizes[added + axis];
    if (from == 1 || mayBeEqual(from, to))
      continue;
    InFlightDiagnostic error = emitOpError("cannot broadcast ")
                               << from << " to " << to << " along axis " << axis
                               << " of " << source << ", asked for "
                               << shapeText(sizes)
                               << "; an axis of the source is 1 or the size "
                                  "asked for";
    // Axes are aligned at the last one.
    if (llvm::is_contained(ArrayRef(sizes).take_front(added + axis), from))
      error << "; tile.expand_dims inserts an axis of size 1 after axis "
            << axis;
    return error;
  }
  types.push_back(RankedTensorType::get(sizes, source.getElementType()));
  return success();
}

LogicalResult BroadcastOp::verify() {
  return verifyParamNames(*this, getSizes());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  // An axis of unknown size may be 1 and still be repeated.
  if (getSource().getType() == getType() && getType().hasStaticShape())
    return getSource();
  return resizeSplat(adaptor.getSource(), getType());
}

LogicalResult ExpandDimsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis > source.getRank())
    return emitOpError("axis ")
           << axis << " is out of range: an axis can be inserted into "
           << source << " at 0 to " << source.getRank();
  SmallVector<int64_t> shape = llvm::to_vector(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

LogicalResult PermuteOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType();
  if (failed(verifyPermutation(*this, "permutation", getPermutation(),
                               source.getRank())))
    return failure();
  auto shape = llvm::map_to_vector(
      getPermutation(), [&](int64_t axis) { return source.getDimSize(axis); });
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType() && llvm::is_sorted(getPermutation()))
    return getSource();
  if (auto inner = getSource().getDefiningOp<PermuteOp>()) {
    auto composed = llvm::map_to_vector(getPermutation(), [&](int64_t axis) {
      return inner.getPermutation()[axis];
    });
    setPermutation(composed);
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return resizeSplat(adaptor.getSource(), getType());
}

//===------------------------------------------------------------------------------===//
// cat, extract, insert
//===------------------------------------------------------------------------------===//

LogicalResult CatOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError("expected lhs and rhs of one element type, found ")
           << lhs << " and " << rhs;
  if (lhs.getRank() != rhs.getRank())
    return emitOpError("expected lhs and rhs of one rank, found ")
           << lhs << " and " << rhs;
  int64_t joined = getAxis();
  if (failed(verifyAxis(*this, joined, lhs.getRank(), lhs)))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [axis, left, right] :
       llvm::enumerate(lhs.getShape(), rhs.getShape())) {
    bool unknown = ShapedType::isDynamic(left) || ShapedType::isDynamic(right);
    if (static_cast<int64_t>(axis) != joined) {
      if (!mayBeEqual(left, right))
        return emitOpError("expected axis ")
               << axis << " of lhs (" << left << ") to match that of rhs ("
               << right << "): " << lhs << " and " << rhs
               << " are joined along axis " << joined;
      shape.push_back(ShapedType::isDynamic(left) ? right : left);
      continue;
    }
    std::optional<int64_t> sum =
        unknown ? ShapedType::kDynamic : llvm::checkedAdd(left, right);
    if (!sum)
      return emitOpError("size of axis ")
             << axis << ", " << left << " + " << right << ", exceeds 63 bits";
    shape.push_back(*sum);
  }
  types.push_back(RankedTensorType::get(shape, lhs.getElementType()));
  return success();
}

LogicalResult ExtractOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType();
  SmallVector<int64_t> sizes = knownSizes(getSizes());
  if (failed(verifyPiece(*this, getIndices(), source, sizes)))
    return failure();
  types.push_back(RankedTensorType::get(sizes, source.getElementType()));
  return success();
}

LogicalResult ExtractOp::verify() {
  return verifyParamNames(*this, getSizes());
}

LogicalResult InsertOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType(), dest = getDest().getType();
  if (source.getElementType() != dest.getElementType())
    return emitOpError("expected source and dest of one element type, found ")
           << source << " and " << dest;
  if (failed(verifyPiece(*this, getIndices(), dest, source.getShape())))
    return failure();
  types.push_back(dest);
  return success();
}

//===------------------------------------------------------------------------------===//
// bytes
//===------------------------------------------------------------------------------===//

/// Bytes of a number that is split or assembled; nullopt for other types.
static std::optional<int64_t> bytesOfNumber(Type element) {
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 16)
    return std::nullopt;
  return element.getIntOrFloatBitWidth() / 8;
}

LogicalResult BytesOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType source = getSource().getType();
  Type element = getType().getElementType();
  if (source.getRank() != 1)
    return emitOpError("expected a 1-D source, found ")
           << source << "; reshape it";
  int64_t size = source.getDimSize(0);
  bool isUnpacked = source.getElementType().isInteger(8);
  if (isUnpacked == element.isInteger(8))
    return emitOpError("expected i8 on one side, found ")
           << source << " and " << getType();
  std::optional<int64_t> bytes =
      bytesOfNumber(isUnpacked ? element : source.getElementType());
  if (!bytes)
    return emitOpError("expected numbers of 16, 32 or 64 bits on the other "
                       "side of i8, found ")
           << (isUnpacked ? element : source.getElementType());
  if (!ShapedType::isDynamic(size)) {
    if (isUnpacked && size % *bytes != 0)
      return emitOpError("expected a multiple of ")
             << *bytes << " bytes for numbers of type " << element << ", found "
             << size;
    std::optional<int64_t> count =
        isUnpacked ? size / *bytes : llvm::checkedMul(size, *bytes);
    if (!count)
      return emitOpError("size of the result, ")
             << size << " times " << *bytes << ", exceeds 63 bits";
    size = *count;
  }
  types.push_back(RankedTensorType::get({size}, element));
  return success();
}

OpFoldResult BytesOp::fold(FoldAdaptor) {
  // There and back again.
  auto inner = getSource().getDefiningOp<BytesOp>();
  return inner && inner.getSource().getType() == getType() ? inner.getSource()
                                                           : Value();
}
