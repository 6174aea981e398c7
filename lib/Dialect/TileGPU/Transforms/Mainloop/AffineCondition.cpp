// Takes comparisons of positions apart into scalars and numbers that count up.
#include "Mainloop/AffineCondition.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value AffineCondition::evaluate(OpBuilder &builder, Location loc, int64_t row,
                                int64_t more) const {
  Value sum = arith::ConstantIndexOp::create(builder, loc,
                                             constant + perRow * row + more);
  for (auto [value, factor] : base) {
    if (!value.getType().isIndex())
      value = builder.createOrFold<arith::IndexCastOp>(
          loc, builder.getIndexType(), value);
    if (factor != 1 && factor != -1)
      value = builder.createOrFold<arith::MulIOp>(
          loc, value,
          arith::ConstantIndexOp::create(builder, loc, std::abs(factor)));
    sum = factor > 0 ? builder.createOrFold<arith::AddIOp>(loc, sum, value)
                     : builder.createOrFold<arith::SubIOp>(loc, sum, value);
  }
  return sum;
}

namespace {
/// Which axis of the mask the axes of a tile are.
enum class Axis { Row, Column, Unit };

class Decomposition {
public:
  Decomposition(AffineCondition &condition, Value number,
                llvm::function_ref<bool(Value)> isOutside)
      : condition(condition), number(number), isOutside(isOutside) {}

  bool addTile(Value tile, int64_t factor, SmallVector<Axis> axes) {
    SplatElementsAttr constant;
    if (matchPattern(tile, m_Constant(&constant))) {
      condition.constant +=
          factor * constant.getSplatValue<APInt>().getSExtValue();
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
        if (matchPattern(other, m_Constant(&constant)))
          return addTile(
              one, factor * constant.getSplatValue<APInt>().getSExtValue(),
              axes);
      return false;
    }
    if (isa<tile::CastOp, arith::IndexCastOp, arith::ExtSIOp>(op))
      return isInteger(op->getOperand(0)) &&
             addTile(op->getOperand(0), factor, axes);
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp>(op)) {
      std::optional<SmallVector<Axis>> inner = axesOfSource(op, axes);
      return inner && addTile(op->getOperand(0), factor, *inner);
    }
    return false;
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

  /// The axes of what is broadcast, or of the same elements with other axes of
  /// one element.
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
  return condition;
}

} // namespace tilegpt::tilegpu
