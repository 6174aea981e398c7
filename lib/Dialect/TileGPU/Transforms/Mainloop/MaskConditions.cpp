// Conditions of masks, taken apart into comparisons of positions.
#include "Mainloop/MaskConditions.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static TypedAttr numberOf(Value tile) {
  SplatElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)))
    return constant.getSplatValue<TypedAttr>();
  TypedAttr number;
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    matchPattern(splat.getValue(), m_Constant(&number));
  return number;
}

FloatAttr splatNumberOf(Value tile) {
  return dyn_cast_or_null<FloatAttr>(numberOf(tile));
}

bool hidesScore(Value hidden, Value kept) {
  constexpr double low = -1e4;
  auto isLow = [](Value tile) {
    FloatAttr number = splatNumberOf(tile);
    return number && number.getValueAsDouble() <= low;
  };
  auto sum = hidden.getDefiningOp<arith::AddFOp>();
  return isLow(hidden) || (sum && sum.getLhs() == kept && isLow(sum.getRhs()));
}

Mask maskOf(arith::SelectOp select) {
  Value ifTrue = select.getTrueValue(), ifFalse = select.getFalseValue();
  bool hidesTrue = hidesScore(ifTrue, ifFalse) && !hidesScore(ifFalse, ifTrue),
       keepsFalse = hidesTrue || (numberOf(ifTrue) && !numberOf(ifFalse));
  return {select, select.getCondition(), !keepsFalse,
          keepsFalse ? ifFalse : ifTrue, keepsFalse ? ifTrue : ifFalse};
}

static bool collect(Value condition, bool wanted,
                    SmallVectorImpl<Comparison> &comparisons) {
  using arith::CmpIPredicate;
  Operation *op = condition.getDefiningOp();
  if (!op)
    return false;
  // All of a conjunction hold, and of a disjunction none.
  if (wanted ? isa<arith::AndIOp>(op) : isa<arith::OrIOp>(op))
    return collect(op->getOperand(0), wanted, comparisons) &&
           collect(op->getOperand(1), wanted, comparisons);
  if (auto inverse = dyn_cast<arith::XOrIOp>(op)) {
    SplatElementsAttr flipped;
    return matchPattern(inverse.getRhs(), m_Constant(&flipped)) &&
           flipped.getSplatValue<APInt>().isOne() &&
           collect(inverse.getLhs(), !wanted, comparisons);
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  CmpIPredicate predicate =
      wanted ? compare.getPredicate()
             : arith::invertPredicate(compare.getPredicate());
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  switch (predicate) {
  case CmpIPredicate::sle:
  case CmpIPredicate::slt:
    comparisons.push_back({lhs, rhs, predicate == CmpIPredicate::slt});
    return true;
  case CmpIPredicate::sge:
  case CmpIPredicate::sgt:
    comparisons.push_back({rhs, lhs, predicate == CmpIPredicate::sgt});
    return true;
  default:
    return false;
  }
}

std::optional<SmallVector<Comparison>> comparisonsOf(Value condition,
                                                     bool wanted) {
  SmallVector<Comparison> comparisons;
  if (!collect(condition, wanted, comparisons))
    return std::nullopt;
  return comparisons;
}

namespace {
/// The largest of a tile of positions, row by row: columns of rows and scalars,
/// added or subtracted, and a number.
struct LargestByRow {
  SmallVector<std::pair<Value, bool>> rows, scalars; ///< true: subtracted
  int64_t most = 0;

  bool add(Value tile, bool isSubtracted) {
    SplatElementsAttr constant;
    if (matchPattern(tile, m_Constant(&constant))) {
      int64_t number = constant.getSplatValue<APInt>().getSExtValue();
      most += isSubtracted ? -number : number;
      return true;
    }
    Operation *op = tile.getDefiningOp();
    if (!op)
      return false;
    if (auto splat = dyn_cast<tile::SplatOp>(op))
      return addScalar(splat.getValue(), isSubtracted);
    if (isa<tile::IotaOp>(op)) {
      int64_t count =
          cast<RankedTensorType>(tile.getType()).getNumElements() - 1;
      most += isSubtracted ? 0 : count;
      return true;
    }
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return add(op->getOperand(0), isSubtracted) &&
             add(op->getOperand(1),
                 isa<arith::SubIOp>(op) ? !isSubtracted : isSubtracted);
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(op)) {
      Value source = op->getOperand(0);
      auto type = cast<RankedTensorType>(source.getType());
      if (isa<tile::BroadcastOp>(op) && type.getRank() == 2 &&
          type.getDimSize(1) == 1) {
        rows.push_back({source, isSubtracted});
        return true;
      }
      // Numbers along the rows do not count up along the columns.
      bool isAlongColumns =
          type.getRank() < 2 || type.getDimSize(type.getRank() - 1) != 1;
      return isAlongColumns && add(source, isSubtracted);
    }
    return false;
  }

private:
  bool addScalar(Value scalar, bool isSubtracted) {
    if (APInt number; matchPattern(scalar, m_ConstantInt(&number)))
      most += isSubtracted ? -number.getSExtValue() : number.getSExtValue();
    else
      scalars.push_back({scalar, isSubtracted});
    return true;
  }
};
} // namespace

Value failsInWarp(OpBuilder &builder, Location loc, Comparison comparison) {
  LargestByRow largest;
  if (!largest.add(comparison.lhs, false) || !largest.add(comparison.rhs, true))
    return {};
  Type element = getElementTypeOrSelf(comparison.lhs.getType());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(element, value));
  };
  // What is added stands on the left, what is subtracted on the right.
  Value sums[2];
  auto add = [&](Value &sum, Value value) {
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult()
              : value;
  };
  for (auto [scalar, isSubtracted] : largest.scalars)
    add(sums[isSubtracted], scalar);
  if (largest.most != 0 || !sums[0])
    add(sums[0], number(largest.most));
  auto fails = comparison.isStrict ? arith::CmpIPredicate::sge
                                   : arith::CmpIPredicate::sgt;
  if (largest.rows.empty())
    return arith::CmpIOp::create(builder, loc, fails, sums[0],
                                 sums[1] ? sums[1] : number(0));
  Type type = largest.rows.front().first.getType();
  Value tiles[2];
  for (auto [rows, isSubtracted] : largest.rows) {
    if (rows.getType() != type)
      return {};
    add(tiles[isSubtracted], rows);
  }
  auto shape = builder.getI64ArrayAttr(cast<RankedTensorType>(type).getShape());
  for (unsigned side : {0, 1}) {
    if (sums[side])
      add(tiles[side],
          tile::SplatOp::create(builder, loc, type, sums[side], shape));
    if (!tiles[side])
      tiles[side] = tile::SplatOp::create(builder, loc, type, number(0), shape);
  }
  return AnyOp::create(
      builder, loc, builder.getI1Type(),
      arith::CmpIOp::create(builder, loc, fails, tiles[0], tiles[1]));
}

} // namespace tilegpt::tilegpu
