// Finds the matrices whose products are summed.
#include "Normalize/ProductSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// A matrix whose elements are repeated along other axes.
struct SpreadMatrix {
  Value matrix;
  /// The axes of the larger tile along which its rows and columns run.
  int64_t rows, columns;
};
} // namespace

/// Whether matrix instructions multiply such elements and add in `sum`.
static bool suitsDots(Type element, Type sum) {
  return (element.isBF16() || element.isF16()) && sum.isF32();
}

/// The matrix of narrow elements that is widened and spread to a tile.
static std::optional<SpreadMatrix> findMatrix(Value tile) {
  constexpr size_t ofMatrix = 2;
  Type sum = cast<RankedTensorType>(tile.getType()).getElementType();
  auto axes = llvm::to_vector(
      llvm::seq<int64_t>(cast<RankedTensorType>(tile.getType()).getRank()));
  while (Operation *op = tile.getDefiningOp()) {
    auto type = cast<RankedTensorType>(tile.getType());
    if (axes.size() == ofMatrix && suitsDots(type.getElementType(), sum))
      break;
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      auto from = broadcast.getSource().getType();
      axes.erase(axes.begin(),
                 axes.begin() + (type.getRank() - from.getRank()));
      // Another op must remove the axes of size 1 that are repeated.
      for (auto [axis, size] : llvm::enumerate(from.getShape()))
        if (size !=
            type.getShape()[type.getRank() - from.getRank() + int64_t(axis)])
          axes[axis] = -1;
    } else if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
      axes.erase(axes.begin() + expand.getAxis());
    } else if (!isa<CastOp, arith::ExtFOp>(op) ||
               !(type.getElementType() == sum ||
                 suitsDots(type.getElementType(), sum))) {
      return std::nullopt;
    }
    tile = op->getOperand(0);
  }
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (axes.size() != ofMatrix || llvm::is_contained(axes, -1) ||
      !suitsDots(type.getElementType(), sum))
    return std::nullopt;
  return SpreadMatrix{tile, axes[0], axes[1]};
}

/// The only user of a sum, if it adds to a tile that its loop carries.
static arith::AddFOp findCarriedSum(ReduceOp reduce) {
  if (!reduce->hasOneUse())
    return {};
  auto sum = dyn_cast<arith::AddFOp>(*reduce->user_begin());
  if (!sum || sum->getBlock() != reduce->getBlock())
    return {};
  auto carried = dyn_cast<BlockArgument>(
      sum.getLhs() == reduce.getResult(0) ? sum.getRhs() : sum.getLhs());
  return carried && isa<scf::ForOp>(carried.getOwner()->getParentOp())
             ? sum
             : arith::AddFOp();
}

static void formDot(ReduceOp reduce) {
  constexpr int64_t axesOfProducts = 3, leastRows = 2, columnStep = 8,
                    depthStep = 16;
  auto product = reduce.getNumResults() == 1 &&
                         reduce.getKind() == ReduceKind::Add &&
                         !reduce.getKeepdims()
                     ? reduce.getSources()[0].getDefiningOp<arith::MulFOp>()
                     : arith::MulFOp();
  auto type = product ? dyn_cast<RankedTensorType>(product.getType())
                      : RankedTensorType();
  if (!type || type.getRank() != axesOfProducts)
    return;
  int64_t depth = reduce.getAxis(), rows = depth == 0 ? 1 : 0,
          columns = axesOfProducts - depth - rows;
  std::optional<SpreadMatrix> lhs = findMatrix(product.getLhs()),
                              rhs = findMatrix(product.getRhs());
  auto runsAlong = [&](const SpreadMatrix &matrix, int64_t axis) {
    return (matrix.rows == axis && matrix.columns == depth) ||
           (matrix.rows == depth && matrix.columns == axis);
  };
  if (!lhs || !rhs)
    return;
  if (runsAlong(*rhs, rows))
    std::swap(lhs, rhs);
  if (!runsAlong(*lhs, rows) || !runsAlong(*rhs, columns) ||
      getElementTypeOrSelf(lhs->matrix) != getElementTypeOrSelf(rhs->matrix) ||
      type.getDimSize(rows) < leastRows ||
      type.getDimSize(columns) % columnStep != 0 ||
      type.getDimSize(depth) % depthStep != 0)
    return;
  arith::AddFOp sum = findCarriedSum(reduce);
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  Value acc;
  if (sum)
    acc = sum.getLhs() == reduce.getResult(0) ? sum.getRhs() : sum.getLhs();
  else
    acc = arith::ConstantOp::create(
        builder, loc,
        cast<TypedAttr>(builder.getZeroAttr(reduce.getResult(0).getType())));
  Value dot = DotOp::create(
      builder, loc, acc.getType(), lhs->matrix, rhs->matrix, acc,
      /*transpose_a=*/lhs->rows == depth,
      /*transpose_b=*/rhs->rows == columns,
      /*unsigned_lhs=*/false, /*unsigned_rhs=*/false, Precision::IEEE);
  if (sum) {
    sum.getResult().replaceAllUsesWith(dot);
    sum.erase();
  } else {
    reduce.getResult(0).replaceAllUsesWith(dot);
  }
  // The products are dead: too large to keep until a target drops them.
  SmallVector<Operation *> dead = {reduce};
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      if (Operation *by = operand.getDefiningOp();
          by && !llvm::is_contained(dead, by))
        dead.push_back(by);
  }
}

void formDots(KernelOp kernel) {
  SmallVector<ReduceOp> sums;
  kernel.getBody().walk([&](ReduceOp reduce) { sums.push_back(reduce); });
  for (ReduceOp sum : sums)
    formDot(sum);
}

} // namespace tilegpt::tile
