// Compares masks of positions with the bounds of views.
#include "Normalize/BoundsMasks.h"
#include "Normalize/TileConditions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// The loads or stores of one kernel.
class MaskedAccess {
public:
  MaskedAccess(IndexSums &sums, Value view, ValueRange indices,
               RankedTensorType tile, std::optional<ArrayRef<int64_t>> order)
      : sums(sums), view(view), indices(indices), tile(tile), order(order) {}

  /// What is left of a mask, null if nothing is.
  Value simplify(Value mask) {
    if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
      Value lhs = simplify(both.getLhs()), rhs = simplify(both.getRhs());
      if (!lhs || !rhs)
        return lhs ? lhs : rhs;
      if (lhs == both.getLhs() && rhs == both.getRhs())
        return mask;
      OpBuilder builder(both);
      return arith::AndIOp::create(builder, both.getLoc(), lhs, rhs);
    }
    return llvm::all_of(
               conditionsOf(mask),
               [&](const TileCondition &condition) { return holds(condition); })
               ? Value()
               : mask;
  }

private:
  /// Whether a condition holds for all elements in bounds.
  bool holds(const TileCondition &condition) {
    if (APInt number; matchPattern(condition.value, m_ConstantInt(&number)))
      return number.isOne();
    std::optional<AxisLimit> limit = limitOf(condition, sums);
    if (!limit)
      return false;
    const int64_t viewAxis = order ? (*order)[limit->axis] : limit->axis;
    // Element e is entry first + e of the view.
    IndexSum first = sums.of(indices[viewAxis]) *
                     IndexSum::constant(tile.getDimSize(limit->axis));
    if (limit->isUpper)
      return isAtLeast(limit->limit + first - sums.ofViewSize(view, viewAxis),
                       0) &&
             (!limit->isUnsigned ||
              (limit->isRisingByOne && isAtLeast(limit->lesser - first, 0)));
    return !limit->isUnsigned &&
           isAtLeast(IndexSum() - first - limit->limit, 0);
  }

  IndexSums &sums;
  Value view;
  ValueRange indices;
  RankedTensorType tile;
  std::optional<ArrayRef<int64_t>> order;
};
} // namespace

void dropBoundsMasks(KernelOp kernel) {
  IndexSums sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch);
  auto simplify = [&](auto access, RankedTensorType tile) {
    if (!access.getMask())
      return;
    Value left = MaskedAccess(sums, access.getView(), access.getIndices(), tile,
                              access.getOrder())
                     .simplify(access.getMask());
    if (left)
      access.getMaskMutable().assign(left);
    else
      access.getMaskMutable().clear();
  };
  kernel.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      simplify(load, load.getType());
    else if (auto store = dyn_cast<StoreOp>(op))
      simplify(store, store.getValue().getType());
  });
}

} // namespace tilegpt::tile
