// Verifiers of dots in flight and their register operands.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

int64_t AsyncDotOp::getOverhang() {
  auto lhs = dyn_cast<SharedType>(getLhs().getType());
  if (!lhs)
    return 0;
  // Of the last panel, which is as wide as the swizzle.
  return std::max<int64_t>(0, groupRows - lhs.getShape()[0]) * lhs.getSwizzle();
}

int64_t AsyncDotOp::getNumProducts() {
  if (std::optional<uint64_t> depth = getDepth())
    return *depth;
  return getRhs().getType().getShape()[getAlongN() ? 0 : 1];
}

LogicalResult AsyncDotOp::verify() {
  auto shared = dyn_cast<SharedType>(getLhs().getType());
  auto packed = dyn_cast<PackedType>(getLhs().getType());
  ArrayRef<int64_t> lhs =
      shared ? shared.getShape() : packed.getTile().getShape();
  SharedType rhs = getRhs().getType();
  RankedTensorType tile = getResult().getType().getTile();
  int64_t depth = rhs.getRank() == 2 ? getNumProducts() : 0;
  // A swizzled buffer may have more columns than are multiplied.
  auto fits = [&](ArrayRef<int64_t> shape, bool isAlongSum, int64_t size,
                  bool mayBeWider) {
    if (shape.size() != 2)
      return false;
    int64_t rows = isAlongSum ? size : depth,
            columns = isAlongSum ? depth : size;
    return shape[0] == rows &&
           (mayBeWider ? shape[1] >= columns : shape[1] == columns);
  };
  if (tile.getRank() != 2 ||
      !fits(lhs, !getAlongM(), tile.getDimSize(0), bool(shared)) ||
      !fits(rhs.getShape(), !getAlongN(), tile.getDimSize(1), true))
    return emitOpError("expected ")
           << (getAlongM() ? "KxM" : "MxK") << " and "
           << (getAlongN() ? "KxN" : "NxK") << " to make MxN, found "
           << getLhs().getType() << ", " << rhs << " and " << tile;
  Type element =
      shared ? shared.getElementType() : packed.getTile().getElementType();
  bool areF8 = tile::isF8(element) && tile::isF8(rhs.getElementType());
  bool areAlike = element == rhs.getElementType() &&
                  (element.isBF16() || element.isF16() || element.isF32());
  bool areIntegers = element.isInteger(8) && rhs.getElementType().isInteger(8);
  if (!(areIntegers ? tile.getElementType().isInteger(32)
                    : (areF8 || areAlike) && tile.getElementType().isF32()))
    return emitOpError("expected operands of bf16, f16 or f32, both alike, or "
                       "of f8 types, and a sum of f32, or of i8 and a sum of "
                       "i32, found ")
           << getLhs().getType() << ", " << rhs << " and " << tile;
  if ((getUnsignedLhs() || getUnsignedRhs()) && !areIntegers)
    return emitOpError("expected unsigned operands to be i8, found ")
           << getLhs().getType() << " and " << rhs;
  if (!rhs.getSwizzle() || (shared && !shared.getSwizzle()))
    return emitOpError("expected operands with a swizzle, found ")
           << getLhs().getType() << " and " << rhs;
  if ((getAlongN() || getAlongM()) && (areF8 || areIntegers || element.isF32()))
    return emitOpError("expected operands along M or N to have 16-bit "
                       "elements, found ")
           << getLhs().getType() << " and " << rhs;
  if (getAlongM() && (!shared || tile.getDimSize(0) % groupRows))
    return emitOpError(
               "expected an lhs along M in shared memory, of a multiple "
               "of ")
           << groupRows << " rows, found " << getLhs().getType();
  constexpr int64_t columnStep = 8, maxColumns = 256;
  int64_t rows = tile.getDimSize(0), columns = tile.getDimSize(1);
  if (rows % (rows < groupRows ? rowStep : groupRows) || columns % columnStep ||
      columns > maxColumns)
    return emitOpError("expected a multiple of ")
           << groupRows << " rows or, below, of " << rowStep << ", and of "
           << columnStep << " columns up to " << maxColumns << ", found "
           << tile;
  if (!LayoutAttr::of(tile))
    return emitOpError("expected a tile with a layout, found ") << tile;
  if (!getAcc())
    return success();
  Type acc = getAcc().getType();
  if (acc != tile && acc != getResult().getType())
    return emitOpError("expected the accumulator to be like the result ")
           << tile << ", found " << acc;
  return success();
}

LogicalResult PackOp::verify() {
  auto value = cast<RankedTensorType>(getValue().getType());
  RankedTensorType tile = getResult().getType().getTile();
  bool isRounded = value.getElementType().isF32() ||
                   value.getElementType() == tile.getElementType();
  if (value.getShape() == tile.getShape() &&
      value.getEncoding() == tile.getEncoding() && isRounded)
    return success();
  return emitOpError("expected the same tile, or one of f32, found ")
         << value << " and " << tile;
}
