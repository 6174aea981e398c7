// Takes masks apart and compares positions with limits.
#include "Normalize/TileConditions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tile {

bool isAtLeast(const IndexSum &sum, int64_t least) {
  std::optional<int64_t> number = sum.getConstant();
  return number && *number >= least;
}

static void addConditions(Value value, SmallVector<int64_t> axes,
                          SmallVectorImpl<TileCondition> &conditions) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp>(op)) {
    for (Value operand : op->getOperands())
      addConditions(operand, axes, conditions);
    return;
  }
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
    RankedTensorType source = broadcast.getSource().getType();
    SmallVector<int64_t> sourceAxes(ArrayRef(axes).take_back(source.getRank()));
    for (auto [axis, size] : llvm::zip_equal(sourceAxes, source.getShape()))
      axis = size == 1 ? -1 : axis;
    addConditions(broadcast.getSource(), std::move(sourceAxes), conditions);
    return;
  }
  if (auto expand = dyn_cast_or_null<ExpandDimsOp>(op)) {
    axes.erase(axes.begin() + expand.getAxis());
    addConditions(expand.getSource(), std::move(axes), conditions);
    return;
  }
  conditions.push_back({value, std::move(axes)});
}

SmallVector<TileCondition> conditionsOf(Value mask) {
  SmallVector<TileCondition> conditions;
  const int64_t rank = cast<RankedTensorType>(mask.getType()).getRank();
  addConditions(mask, llvm::to_vector(llvm::seq<int64_t>(rank)), conditions);
  return conditions;
}

std::optional<AxisLimit> limitOf(const TileCondition &condition,
                                 IndexSums &sums) {
  using P = arith::CmpIPredicate;
  auto compare = condition.value.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() == P::eq ||
      compare.getPredicate() == P::ne)
    return std::nullopt;
  const P predicate = compare.getPredicate();
  auto isOneOf = [&](ArrayRef<P> predicates) {
    return llvm::is_contained(predicates, predicate);
  };
  auto lhs = positionsOf(compare.getLhs(), sums),
       rhs = positionsOf(compare.getRhs(), sums);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isOneOf({P::sgt, P::sge, P::ugt, P::uge}))
    std::swap(lhs, rhs);
  // The axis along which the difference changes.
  int64_t along = -1;
  for (size_t axis = 0; axis < condition.axes.size(); ++axis) {
    if (condition.axes[axis] < 0 || lhs->strides[axis] == rhs->strides[axis])
      continue;
    if (along >= 0)
      return std::nullopt;
    along = int64_t(axis);
  }
  if (along < 0)
    return std::nullopt;
  std::optional<int64_t> stride =
      (rhs->strides[along] - lhs->strides[along]).getConstant();
  if (stride != 1 && stride != -1)
    return std::nullopt;
  AxisLimit result;
  result.axis = condition.axes[along];
  result.isUpper = stride == -1;
  result.isUnsigned = isOneOf({P::ult, P::ule, P::ugt, P::uge});
  result.isRisingByOne = lhs->strides[along].getConstant() == 1;
  result.lesser = lhs->start(sums);
  result.greater = rhs->start(sums);
  // lesser < greater ± coordinate
  const int64_t isStrict = isOneOf({P::slt, P::sgt, P::ult, P::ugt}) ? 1 : 0;
  result.limit =
      result.isUpper
          ? result.greater - result.lesser + IndexSum::constant(1 - isStrict)
          : result.lesser - result.greater + IndexSum::constant(isStrict);
  return result;
}

} // namespace tilegpt::tile
