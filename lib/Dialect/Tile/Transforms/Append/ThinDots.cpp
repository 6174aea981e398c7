// Expands a dot to multiplications and a sum.
#include "Append/ThinDots.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tile {

static bool isZero(Value tile) {
  if (auto splat = tile.getDefiningOp<SplatOp>())
    tile = splat.getValue();
  return matchPattern(tile, m_AnyZeroFloat());
}

/// Converts a tile to the element type of the sum; undoes its rounding if that
/// was only for the dot.
static Value widened(OpBuilder &builder, Value tile, Type element,
                     bool isRoundedHere) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto made = tile.getDefiningOp<CastOp>();
  if (isRoundedHere && made &&
      made.getSource().getType().getElementType() == element)
    return made.getSource();
  if (type.getElementType() == element)
    return tile;
  return CastOp::create(builder, tile.getLoc(), type.clone(element), tile);
}

Value expandThinDot(OpBuilder &builder, DotOp dot, const OneRow &oneRow,
                    const AxisClasses &axes, IRMapping &mapping) {
  Type element = dot.getType().getElementType();
  if (dot.getType().getRank() != 2 || dot.getTransposeA() ||
      !isa<FloatType>(element))
    return {};
  Location loc = dot.getLoc();
  Value lhs = mapping.lookupOrDefault(dot.getLhs()),
        rhs = mapping.lookupOrDefault(dot.getRhs()),
        acc = mapping.lookupOrDefault(dot.getAcc());
  // Drop roundings in the loop body; values from outside are used as they are.
  auto repeat = [&](Value tile, Value original, RankedTensorType type,
                    ArrayAttr sizes) -> Value {
    auto rounded = original.getDefiningOp<CastOp>();
    bool isHere = rounded && rounded->getBlock() == dot->getBlock();
    Value wide = widened(builder, tile, element, isHere);
    return wide.getType() == type
               ? wide
               : BroadcastOp::create(builder, loc, type, wide, sizes);
  };
  auto multiply = [&](Value like, Value likeSizes) -> Value {
    auto type = cast<RankedTensorType>(like.getType()).clone(element);
    SmallVector<Attribute> sizes;
    for (int64_t axis = 0; axis < 2; ++axis) {
      Attribute size = type.isDynamicDim(axis)
                           ? axes.sizeOf(likeSizes, axis)
                           : builder.getI64IntegerAttr(type.getDimSize(axis));
      if (!size)
        return {};
      sizes.push_back(size);
    }
    ArrayAttr all = builder.getArrayAttr(sizes);
    return arith::MulFOp::create(builder, loc,
                                 repeat(lhs, dot.getLhs(), type, all),
                                 repeat(rhs, dot.getRhs(), type, all));
  };
  auto add = [&](Value sum) -> Value {
    return isZero(acc) ? sum : arith::AddFOp::create(builder, loc, acc, sum);
  };
  // One column: multiply the row with each row of the lhs.
  if (dot.getTransposeB() && oneRow.isCut(dot.getResult(), 1)) {
    Value products = multiply(lhs, dot.getLhs());
    if (!products)
      return {};
    return add(ReduceOp::create(
                   builder, loc, TypeRange(acc.getType()), ValueRange(products),
                   /*axis=*/1,
                   ReduceKindAttr::get(builder.getContext(), ReduceKind::Add),
                   /*identities=*/ArrayAttr(), /*keepdims=*/true)
                   .getResult(0));
  }
  // Depth one: multiples of the row.
  if (!dot.getTransposeB() && oneRow.isCut(dot.getRhs(), 0)) {
    Value products = multiply(acc, dot.getResult());
    return products ? add(products) : Value();
  }
  return {};
}

} // namespace tilegpt::tile
