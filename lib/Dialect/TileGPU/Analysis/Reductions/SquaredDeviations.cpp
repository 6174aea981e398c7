// Matches sums of squared deviations.
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/SquaredDeviations.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tilegpu {

/// A sum along rows, in f32.
static bool isSumOfRow(tile::ReduceOp op) {
  return op.getKind() == tile::ReduceKind::Add && op.getNumResults() == 1 &&
         op.getAxis() == 1 && op.getKeepdims() &&
         getElementTypeOrSelf(op.getSources()[0].getType()).isF32() &&
         getElementTypeOrSelf(op.getResult(0).getType()).isF32();
}

/// Whether a tile is `sum` times a constant that is nearly 1 / `columns`, or
/// divided by that number.
static bool isMeanOf(Value mean, Value sum, int64_t columns) {
  Operation *op = withoutConversions(mean).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op))
    return false;
  const bool isProduct = isa<arith::MulFOp>(op),
             isSecond =
                 isProduct && withoutConversions(op->getOperand(1)) == sum;
  SplatElementsAttr splat;
  if (withoutConversions(op->getOperand(isSecond)) != sum ||
      !matchPattern(op->getOperand(!isSecond), m_Constant(&splat)))
    return false;
  constexpr double rounding = 1e-6;
  const double factor = splat.getSplatValue<APFloat>().convertToDouble(),
               count = isProduct ? 1 / factor : factor;
  return std::abs(count - double(columns)) <= rounding * double(columns);
}

std::optional<SquaredDeviations> SquaredDeviations::of(tile::ReduceOp sum,
                                                       tile::ReduceOp squares) {
  if (!isSumOfRow(sum) || !isSumOfRow(squares))
    return std::nullopt;
  Value row = sum.getSources()[0];
  auto square = squares.getSources()[0].getDefiningOp<arith::MulFOp>();
  auto deviation = square && square.getLhs() == square.getRhs()
                       ? square.getLhs().getDefiningOp<arith::SubFOp>()
                       : arith::SubFOp();
  auto means = deviation && deviation.getLhs() == row
                   ? deviation.getRhs().getDefiningOp<tile::BroadcastOp>()
                   : tile::BroadcastOp();
  auto type = cast<RankedTensorType>(row.getType());
  if (!means || type.getRank() != 2 || type.getDimSize(0) != 1 ||
      !isMeanOf(means.getSource(), sum.getResult(0), type.getDimSize(1)))
    return std::nullopt;
  return SquaredDeviations{sum, squares, means.getSource()};
}

} // namespace tilegpt::tilegpu
