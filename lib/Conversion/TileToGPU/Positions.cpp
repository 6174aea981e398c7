// The bounds of tiles of positions.
#include "Positions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

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

Value columnOf(Value tile) {
  auto broadcast = tile.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast)
    return {};
  auto source = cast<RankedTensorType>(broadcast.getSource().getType());
  bool isColumn = source.getRank() == 2 && source.getDimSize(1) == 1;
  return isColumn ? broadcast.getSource() : Value();
}

} // namespace tilegpt::tilegpu
