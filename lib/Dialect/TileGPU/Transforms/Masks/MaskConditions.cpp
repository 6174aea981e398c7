// Decomposes the conditions of masks into comparisons of positions.
#include "Masks/MaskConditions.h"
#include "Masks/RowNumbers.h"
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

/// Combines two conditions.
static PositionCondition join(PositionCondition::Kind kind,
                              PositionCondition lhs, PositionCondition rhs) {
  PositionCondition joined;
  joined.kind = kind;
  joined.parts = {std::move(lhs), std::move(rhs)};
  return joined;
}

static PositionCondition comparison(Value lhs, Value rhs, bool isStrict) {
  PositionCondition condition;
  condition.kind = PositionCondition::Kind::Comparison;
  condition.comparison = {lhs, rhs, isStrict};
  return condition;
}

static PositionCondition conditionOf(arith::CmpIOp compare, bool wanted) {
  using arith::CmpIPredicate;
  using Kind = PositionCondition::Kind;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  CmpIPredicate predicate =
      wanted ? compare.getPredicate()
             : arith::invertPredicate(compare.getPredicate());
  switch (predicate) {
  case CmpIPredicate::sle:
  case CmpIPredicate::slt:
    return comparison(lhs, rhs, predicate == CmpIPredicate::slt);
  case CmpIPredicate::sge:
  case CmpIPredicate::sgt:
    return comparison(rhs, lhs, predicate == CmpIPredicate::sgt);
  case CmpIPredicate::eq:
    return join(Kind::All, comparison(lhs, rhs, /*isStrict=*/false),
                comparison(rhs, lhs, /*isStrict=*/false));
  case CmpIPredicate::ne:
    return join(Kind::Any, comparison(lhs, rhs, /*isStrict=*/true),
                comparison(rhs, lhs, /*isStrict=*/true));
  default:
    return {};
  }
}

static PositionCondition formOf(Operation *op, bool wanted) {
  using Kind = PositionCondition::Kind;
  // De Morgan: a conjunction fails where any of its parts does.
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return join(isa<arith::AndIOp>(op) == wanted ? Kind::All : Kind::Any,
                conditionOf(op->getOperand(0), wanted),
                conditionOf(op->getOperand(1), wanted));
  if (auto inverse = dyn_cast<arith::XOrIOp>(op)) {
    SplatElementsAttr flipped;
    return matchPattern(inverse.getRhs(), m_Constant(&flipped)) &&
                   flipped.getSplatValue<APInt>().isOne()
               ? conditionOf(inverse.getLhs(), !wanted)
               : PositionCondition();
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare ? conditionOf(compare, wanted) : PositionCondition();
}

PositionCondition conditionOf(Value condition, bool wanted) {
  PositionCondition found;
  if (Operation *op = condition.getDefiningOp())
    found = formOf(op, wanted);
  found.tile = condition;
  found.isTrue = wanted;
  return found;
}

namespace {
/// The maximum of a tile of positions in each row: columns of rows and scalars,
/// added or subtracted, plus a constant.
struct LargestByRow {
  SmallVector<std::pair<Value, bool>> rows, scalars; ///< true: subtracted
  int64_t most = 0;

  bool add(Value tile, bool isSubtracted) {
    if (std::optional<int64_t> number = splatIntegerOf(tile)) {
      most += isSubtracted ? -*number : *number;
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
      // Iotas along the rows are constant along the columns.
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

static Value failsInWarp(OpBuilder &builder, Location loc,
                         Comparison comparison) {
  LargestByRow largest;
  if (!largest.add(comparison.lhs, false) || !largest.add(comparison.rhs, true))
    return {};
  Type element = getElementTypeOrSelf(comparison.lhs.getType());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(element, value));
  };
  // Added terms go to the left, subtracted ones to the right.
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
      builder, loc,
      arith::CmpIOp::create(builder, loc, fails, tiles[0], tiles[1]));
}

/// What is known about the parts of a condition.
static Value partFailsInWarp(OpBuilder &builder, Location loc,
                             const PositionCondition &condition) {
  using Kind = PositionCondition::Kind;
  if (condition.kind == Kind::Comparison)
    return failsInWarp(builder, loc, condition.comparison);
  // A conjunction fails where any part does, so all parts must be known. A
  // disjunction fails only where all parts do, so some suffice.
  Value fails;
  for (const PositionCondition &part : condition.parts) {
    Value one = failsInWarp(builder, loc, part);
    if (!one && condition.kind == Kind::All)
      return {};
    if (!one || !fails)
      fails = fails ? fails : one;
    else if (condition.kind == Kind::All)
      fails = arith::OrIOp::create(builder, loc, fails, one);
    else
      fails = arith::AndIOp::create(builder, loc, fails, one);
  }
  return fails;
}

/// Whether a tile compares a value per row with one per column: usually all
/// elements of a tile agree, and the select would cost as much as the check.
static bool comparesRowsAndColumns(Value tile) {
  auto compare = tile.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getLhs().getDefiningOp<tile::BroadcastOp>() &&
         compare.getRhs().getDefiningOp<tile::BroadcastOp>();
}

Value failsInWarp(OpBuilder &builder, Location loc,
                  const PositionCondition &condition) {
  if (Value fails = partFailsInWarp(builder, loc, condition))
    return fails;
  if (!condition.tile || !comparesRowsAndColumns(condition.tile))
    return {};
  auto compare = condition.tile.getDefiningOp<arith::CmpIOp>();
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value fails = arith::CmpIOp::create(
      builder, loc,
      condition.isTrue ? arith::invertPredicate(predicate) : predicate,
      compare.getLhs(), compare.getRhs());
  return AnyOp::create(builder, loc, fails);
}

} // namespace tilegpt::tilegpu
