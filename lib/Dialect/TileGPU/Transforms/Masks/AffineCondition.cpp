// Decomposes comparisons of positions into scalars and iotas.
#include "Masks/AffineCondition.h"
#include "Masks/RowNumbers.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value AffineCondition::evaluate(OpBuilder &builder, Location loc,
                                OpFoldResult row, int64_t more) const {
  int64_t number = constant + more;
  std::optional<int64_t> known = getConstantIntValue(row);
  if (known)
    number += perRow * *known;
  Value sum = arith::ConstantIndexOp::create(builder, loc, number);
  auto add = [&](Value value, int64_t factor) {
    if (!value.getType().isIndex())
      value = builder.createOrFold<arith::IndexCastOp>(
          loc, builder.getIndexType(), value);
    if (factor != 1 && factor != -1)
      value = builder.createOrFold<arith::MulIOp>(
          loc, value,
          arith::ConstantIndexOp::create(builder, loc, std::abs(factor)));
    sum = factor > 0 ? builder.createOrFold<arith::AddIOp>(loc, sum, value)
                     : builder.createOrFold<arith::SubIOp>(loc, sum, value);
  };
  if (!known && perRow != 0)
    add(cast<Value>(row), perRow);
  for (auto [value, factor] : base)
    add(value, factor);
  if (!rows.empty()) {
    Value position = getValueOrCreateConstantIndexOp(builder, loc, row);
    for (auto [tile, factor] : rows)
      add(elementAt(builder, loc, tile, position), factor);
  }
  return sum;
}

namespace {
/// The axis of the mask that an axis of a tile corresponds to.
enum class Axis { Row, Column, Unit };

class Decomposition {
public:
  Decomposition(AffineCondition &condition, Value number,
                llvm::function_ref<bool(Value)> isOutside)
      : condition(condition), number(number), isOutside(isOutside) {}

  bool addTile(Value tile, int64_t factor, SmallVector<Axis> axes) {
    if (std::optional<int64_t> number = splatIntegerOf(tile)) {
      condition.constant += factor * *number;
      return true;
    }
    Operation *op = tile.getDefiningOp();
    if (!op)
      return false;
    if (auto splat = dyn_cast<tile::SplatOp>(op))
      return addScalar(splat.getValue(), factor);
    if (isa<tile::IotaOp>(op)) {
      if (axes.front() == Axis::Row)
        condition.perRow += factor;
      else if (axes.front() == Axis::Column)
        condition.perColumn += factor;
      return true;
    }
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return addTile(op->getOperand(0), factor, axes) &&
             addTile(op->getOperand(1),
                     isa<arith::SubIOp>(op) ? -factor : factor, axes);
    if (auto product = dyn_cast<arith::MulIOp>(op)) {
      for (auto [one, other] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
        if (std::optional<int64_t> number = splatIntegerOf(other))
          return addTile(one, factor * *number, axes);
      return addRows(tile, factor, axes);
    }
    if (isa<tile::CastOp, arith::IndexCastOp, arith::ExtSIOp>(op))
      return isInteger(op->getOperand(0)) &&
             addTile(op->getOperand(0), factor, axes);
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp>(op)) {
      std::optional<SmallVector<Axis>> inner = axesOfSource(op, axes);
      return inner && addTile(op->getOperand(0), factor, *inner);
    }
    return addRows(tile, factor, axes);
  }

  /// Adds a tile with one integer per row.
  bool addRows(Value tile, int64_t factor, ArrayRef<Axis> axes) {
    if (llvm::is_contained(axes, Axis::Column) || !isOutside(tile) ||
        !isNonDecreasing(tile))
      return false;
    condition.rows.push_back({tile, factor});
    return true;
  }

  bool addScalar(Value scalar, int64_t factor) {
    if (scalar == number) {
      condition.perIteration += factor;
      return true;
    }
    APInt constant;
    if (matchPattern(scalar, m_ConstantInt(&constant))) {
      condition.constant += factor * constant.getSExtValue();
      return true;
    }
    if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
      return addScalar(cast.getIn(), factor);
    if (isOutside(scalar)) {
      auto *known = llvm::find_if(
          condition.base, [&](auto &term) { return term.first == scalar; });
      if (known == condition.base.end())
        condition.base.push_back({scalar, factor});
      else if ((known->second += factor) == 0)
        condition.base.erase(known);
      return true;
    }
    Operation *op = scalar.getDefiningOp();
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
      return addScalar(op->getOperand(0), factor) &&
             addScalar(op->getOperand(1),
                       isa<arith::SubIOp>(op) ? -factor : factor);
    if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
      for (auto [one, other] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
        if (matchPattern(other, m_ConstantInt(&constant)))
          return addScalar(one, factor * constant.getSExtValue());
    return false;
  }

private:
  static bool isInteger(Value tile) {
    return getElementTypeOrSelf(tile.getType()).isIntOrIndex();
  }

  /// The axes of the source of a broadcast, or of a reshape that changes unit
  /// axes only.
  static std::optional<SmallVector<Axis>> axesOfSource(Operation *op,
                                                       ArrayRef<Axis> axes) {
    ArrayRef<int64_t>
        from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape(),
        to = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    SmallVector<Axis> inner;
    if (isa<tile::BroadcastOp>(op)) {
      size_t hidden = to.size() - from.size();
      for (auto [axis, size] : llvm::enumerate(from))
        inner.push_back(size == 1 ? Axis::Unit : axes[axis + hidden]);
      return inner;
    }
    size_t next = 0;
    for (int64_t size : from) {
      if (size == 1) {
        inner.push_back(Axis::Unit);
        continue;
      }
      while (next < to.size() && to[next] == 1)
        ++next;
      if (next == to.size() || to[next] != size)
        return std::nullopt;
      inner.push_back(axes[next++]);
    }
    return inner;
  }

  AffineCondition &condition;
  Value number;
  llvm::function_ref<bool(Value)> isOutside;
};
} // namespace

std::optional<AffineCondition>
affineCondition(Comparison comparison, Value number,
                llvm::function_ref<bool(Value)> isOutside) {
  if (cast<RankedTensorType>(comparison.lhs.getType()).getRank() != 2)
    return std::nullopt;
  AffineCondition condition;
  condition.constant = comparison.isStrict ? -1 : 0;
  Decomposition terms(condition, number, isOutside);
  SmallVector<Axis> axes = {Axis::Row, Axis::Column};
  if (!terms.addTile(comparison.rhs, 1, axes) ||
      !terms.addTile(comparison.lhs, -1, axes))
    return std::nullopt;
  bool grows = condition.growsWithRow();
  if (!condition.rows.empty() &&
      ((grows ? condition.perRow < 0 : condition.perRow > 0) ||
       llvm::any_of(condition.rows,
                    [&](auto &term) { return (term.second > 0) != grows; })))
    return std::nullopt;
  return condition;
}

std::optional<AffineCondition>
IterationRange::affineOf(Comparison comparison) const {
  LoopLikeOpInterface around = loop;
  return affineCondition(comparison, number, [&](Value value) {
    return around.isDefinedOutsideOfLoop(value);
  });
}

bool IterationRange::isBounded(const PositionCondition &condition,
                               bool atEnd) const {
  using Kind = PositionCondition::Kind;
  auto part = [&](const PositionCondition &part) {
    return isBounded(part, atEnd);
  };
  switch (condition.kind) {
  case Kind::Unknown:
    return false;
  case Kind::Comparison: {
    std::optional<AffineCondition> affine = affineOf(condition.comparison);
    return affine &&
           (atEnd ? affine->perIteration < 0 : affine->perIteration > 0);
  }
  case Kind::All:
    return llvm::any_of(condition.parts, part);
  case Kind::Any:
    return llvm::all_of(condition.parts, part);
  }
  llvm_unreachable("all kinds are handled");
}

/// The first iteration in which a comparison may hold, ⌈-most / perIteration⌉,
/// or one past the last, ⌊most / -perIteration⌋ + 1, where most is the maximum
/// of the left side without the iteration's term.
static Value boundOf(OpBuilder &builder, Location loc,
                     const AffineCondition &condition, TilePart part) {
  int64_t step = condition.perIteration,
          columnMost = condition.perColumn > 0
                           ? condition.perColumn * (part.columns - 1)
                           : 0;
  auto most = [&](int64_t more) {
    return condition.evaluate(
        builder, loc, condition.growsWithRow() ? part.lastRow : part.firstRow,
        columnMost + more);
  };
  auto number = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value dividend =
      step < 0
          ? most(-step)
          : builder.createOrFold<arith::SubIOp>(loc, number(step - 1), most(0));
  dividend = builder.createOrFold<arith::MaxSIOp>(loc, dividend, number(0));
  return builder.createOrFold<arith::DivUIOp>(loc, dividend,
                                              number(std::abs(step)));
}

Value IterationRange::boundOf(OpBuilder &builder,
                              const PositionCondition &condition, TilePart part,
                              bool atEnd) const {
  using Kind = PositionCondition::Kind;
  LoopLikeOpInterface around = loop;
  Location loc = around.getLoc();
  if (condition.kind == Kind::Comparison)
    return tilegpu::boundOf(builder, loc, *affineOf(condition.comparison),
                            part);
  // The tightest bound for a conjunction, the loosest for a disjunction.
  bool takesLess = (condition.kind == Kind::All) == atEnd;
  Value bound;
  for (const PositionCondition &each : condition.parts) {
    if (!isBounded(each, atEnd))
      continue;
    Value next = boundOf(builder, each, part, atEnd);
    if (!bound)
      bound = next;
    else if (takesLess)
      bound = builder.createOrFold<arith::MinSIOp>(loc, bound, next);
    else
      bound = builder.createOrFold<arith::MaxSIOp>(loc, bound, next);
  }
  return bound;
}

} // namespace tilegpt::tilegpu
