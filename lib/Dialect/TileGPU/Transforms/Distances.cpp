// Moves the scalars that positions are shifted by out of their difference.
#include "Distances.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A tile as the sum of another one and a scalar.
struct ShiftedTile {
  Value tile, shift;
};
} // namespace

/// The scalar that a tile repeats; null for others.
static Value repeatedScalar(OpBuilder &builder, Value tile) {
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return splat.getValue();
  DenseElementsAttr constant;
  if (!matchPattern(tile, m_Constant(&constant)) || !constant.isSplat())
    return {};
  return arith::ConstantOp::create(builder, tile.getLoc(),
                                   constant.getSplatValue<TypedAttr>());
}

/// Takes the scalars out of sums below broadcasts and expansions.
static std::optional<ShiftedTile> takeShift(OpBuilder &builder, Value tile) {
  Operation *op = tile.getDefiningOp();
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(op)) {
    for (auto [rest, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())}) {
      Value shift = repeatedScalar(builder, other);
      if (!shift)
        continue;
      if (std::optional<ShiftedTile> more = takeShift(builder, rest))
        return ShiftedTile{more->tile, builder.createOrFold<arith::AddIOp>(
                                           tile.getLoc(), more->shift, shift)};
      return ShiftedTile{rest, shift};
    }
    return std::nullopt;
  }
  if (!isa_and_nonnull<tile::BroadcastOp, tile::ExpandDimsOp>(op))
    return std::nullopt;
  std::optional<ShiftedTile> source = takeShift(builder, op->getOperand(0));
  if (!source)
    return std::nullopt;
  IRMapping map;
  map.map(op->getOperand(0), source->tile);
  return ShiftedTile{builder.clone(*op, map)->getResult(0), source->shift};
}

/// Whether a tile has one row or one column, repeated.
static bool isRepeated(Value tile) {
  auto broadcast = tile.getDefiningOp<tile::BroadcastOp>();
  return broadcast && broadcast.getType().getRank() == 2 &&
         broadcast.getSource().getType().getNumElements() <
             broadcast.getType().getNumElements();
}

/// Whether a function of some instructions, or the position of a gather,
/// depends on a tile element by element.
static bool isArgument(Value tile) {
  llvm::SetVector<Operation *> users(tile.getUsers().begin(),
                                     tile.getUsers().end());
  for (unsigned next = 0; next < users.size(); ++next) {
    Operation *op = users[next];
    if (isa<tile::GatherOp>(op) ||
        isa<math::LogOp, math::Log2Op, math::Log10Op, math::Log1pOp,
            math::SqrtOp, math::PowFOp, math::SinOp, math::CosOp, arith::DivFOp,
            arith::DivSIOp, arith::RemSIOp>(op))
      return true;
    if (tile::isElementwise(op) || isa<tile::ReshapeOp>(op))
      users.insert_range(op->getUsers());
  }
  return false;
}

int64_t separateDistances(scf::ForOp loop) {
  int64_t count = 0;
  SmallVector<arith::SubIOp> distances;
  for (auto sub : loop.getBody()->getOps<arith::SubIOp>())
    if (isRepeated(sub.getLhs()) && isRepeated(sub.getRhs()) &&
        isArgument(sub.getResult()))
      distances.push_back(sub);
  for (arith::SubIOp sub : distances) {
    OpBuilder builder(sub);
    Location loc = sub.getLoc();
    std::optional<ShiftedTile> lhs = takeShift(builder, sub.getLhs()),
                               rhs = takeShift(builder, sub.getRhs());
    if (!lhs || !rhs)
      continue;
    Value inTile = arith::SubIOp::create(builder, loc, lhs->tile, rhs->tile),
          shift =
              builder.createOrFold<arith::SubIOp>(loc, lhs->shift, rhs->shift);
    auto type = cast<RankedTensorType>(sub.getType());
    Value shifts = tile::SplatOp::create(
        builder, loc, type, shift, builder.getI64ArrayAttr(type.getShape()));
    sub.replaceAllUsesWith(
        arith::AddIOp::create(builder, loc, inTile, shifts).getResult());
    sub.erase();
    ++count;
  }
  return count;
}

} // namespace tilegpt::tilegpu
