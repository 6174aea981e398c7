// The bounds of tiles of positions.
#include "Mainloop/Positions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<Largest> largestOf(OpBuilder &builder, Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return Largest{splat.getValue()};
  if (isa<tile::IotaOp>(op))
    return Largest{{},
                   cast<RankedTensorType>(tile.getType()).getNumElements() - 1};
  if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
    return largestOf(builder, op->getOperand(0));
  auto sum = dyn_cast<arith::AddIOp>(op);
  if (!sum)
    return std::nullopt;
  std::optional<Largest> lhs = largestOf(builder, sum.getLhs()),
                         rhs = largestOf(builder, sum.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  Value base = lhs->base ? lhs->base : rhs->base;
  if (lhs->base && rhs->base)
    base = arith::AddIOp::create(builder, op->getLoc(), lhs->base, rhs->base);
  return Largest{base, lhs->most + rhs->most};
}

std::optional<int64_t> stepOf(Value keys, Value number) {
  if (auto broadcast = keys.getDefiningOp<tile::BroadcastOp>())
    keys = broadcast.getSource();
  auto sum = keys.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  for (auto [first, count] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())}) {
    auto splat = first.getDefiningOp<tile::SplatOp>();
    if (!splat || !count.getDefiningOp<tile::IotaOp>())
      continue;
    Value scalar = splat.getValue();
    if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
      scalar = cast.getIn();
    auto product = scalar.getDefiningOp<arith::MulIOp>();
    APInt step;
    if (product && product.getLhs() == number &&
        matchPattern(product.getRhs(), m_ConstantInt(&step)) &&
        step.isStrictlyPositive())
      return step.getSExtValue();
  }
  return std::nullopt;
}

Value columnOf(Value tile) {
  auto broadcast = tile.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast)
    return {};
  auto source = cast<RankedTensorType>(broadcast.getSource().getType());
  bool isColumn = source.getRank() == 2 && source.getDimSize(1) == 1;
  return isColumn ? broadcast.getSource() : Value();
}

} // namespace tilegpt::tilegpu
