// Compares masks of positions with the bounds of views.
#include "Normalize/BoundsMasks.h"
#include "Normalize/IndexSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// An integer tile whose element e is start + Σ strides[axis]·e[axis].
struct Positions {
  IndexSum start;
  SmallVector<int64_t> strides;
};

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
    auto axes = llvm::to_vector(llvm::seq<int64_t>(tile.getRank()));
    return holds(mask, axes) ? Value() : mask;
  }

private:
  /// Whether a condition holds for all elements in bounds.
  /// \param axes  of the accessed tile, for each axis of `condition`; -1 for an
  ///   axis of one element
  bool holds(Value condition, ArrayRef<int64_t> axes) {
    Operation *op = condition.getDefiningOp();
    if (APInt number; matchPattern(condition, m_ConstantInt(&number)))
      return number.isOne();
    if (isa_and_nonnull<arith::AndIOp>(op))
      return holds(op->getOperand(0), axes) && holds(op->getOperand(1), axes);
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
      return holds(compare, axes);
    if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
      RankedTensorType source = broadcast.getSource().getType();
      SmallVector<int64_t> sourceAxes(axes.take_back(source.getRank()));
      for (auto [axis, size] : llvm::zip_equal(sourceAxes, source.getShape()))
        axis = size == 1 ? -1 : axis;
      return holds(broadcast.getSource(), sourceAxes);
    }
    if (auto expand = dyn_cast_or_null<ExpandDimsOp>(op)) {
      SmallVector<int64_t> sourceAxes(axes);
      sourceAxes.erase(sourceAxes.begin() + expand.getAxis());
      return holds(expand.getSource(), sourceAxes);
    }
    return false;
  }

  bool holds(arith::CmpIOp compare, ArrayRef<int64_t> axes) {
    using P = arith::CmpIPredicate;
    P predicate = compare.getPredicate();
    bool isReversed =
             llvm::is_contained({P::sgt, P::sge, P::ugt, P::uge}, predicate),
         isUnsigned =
             llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate),
         isStrict =
             llvm::is_contained({P::slt, P::sgt, P::ult, P::ugt}, predicate);
    if (predicate == P::eq || predicate == P::ne)
      return false;
    auto lhs = positionsOf(compare.getLhs()),
         rhs = positionsOf(compare.getRhs());
    if (!lhs || !rhs)
      return false;
    if (isReversed)
      std::swap(lhs, rhs);
    // The axis along which the difference changes.
    int64_t along = -1;
    for (auto [axis, stride, other] :
         llvm::zip_equal(axes, lhs->strides, rhs->strides)) {
      if (axis < 0 || stride == other)
        continue;
      if (along >= 0)
        return false;
      along = &axis - axes.begin();
    }
    if (along < 0)
      return false;
    int64_t axis = axes[along], viewAxis = order ? (*order)[axis] : axis,
            stride = rhs->strides[along] - lhs->strides[along];
    // Element e is entry first + e of the view.
    IndexSum first = sums.of(indices[viewAxis]) *
                     IndexSum::constant(tile.getDimSize(axis)),
             difference = rhs->start - lhs->start;
    auto isAtLeast = [](const IndexSum &sum, int64_t least) {
      std::optional<int64_t> number = sum.getConstant();
      return number && *number >= least;
    };
    if (stride == -1)
      return isAtLeast(difference + first - sums.ofViewSize(view, viewAxis),
                       isStrict ? 0 : -1) &&
             (!isUnsigned ||
              (lhs->strides[along] == 1 && isAtLeast(lhs->start - first, 0)));
    return stride == 1 && !isUnsigned &&
           isAtLeast(difference - first, isStrict ? 1 : 0);
  }

  std::optional<Positions> positionsOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Operation *op = value.getDefiningOp();
    if (!type || !op)
      return std::nullopt;
    const auto uniform = [&](IndexSum start) {
      return Positions{std::move(start),
                       SmallVector<int64_t>(type.getRank(), 0)};
    };
    if (APInt number; matchPattern(value, m_ConstantInt(&number)))
      return uniform(IndexSum::constant(number.getSExtValue()));
    if (isa<IotaOp>(op))
      return Positions{IndexSum(), {1}};
    if (auto splat = dyn_cast<SplatOp>(op))
      return uniform(sums.of(splat.getValue()));
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
      return positionsOf(op->getOperand(0));
    if (isa<BroadcastOp, ExpandDimsOp>(op)) {
      auto source = positionsOf(op->getOperand(0));
      if (!source)
        return std::nullopt;
      if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
        source->strides.insert(source->strides.begin() + expand.getAxis(), 0);
        return source;
      }
      for (auto [stride, size] : llvm::zip_equal(
               source->strides,
               cast<RankedTensorType>(op->getOperand(0).getType()).getShape()))
        stride = size == 1 ? 0 : stride;
      source->strides.insert(source->strides.begin(),
                             type.getRank() - source->strides.size(), 0);
      return source;
    }
    if (!isa<arith::AddIOp, arith::SubIOp>(op))
      return std::nullopt;
    auto lhs = positionsOf(op->getOperand(0)),
         rhs = lhs ? positionsOf(op->getOperand(1)) : std::nullopt;
    if (!rhs)
      return std::nullopt;
    bool isSum = isa<arith::AddIOp>(op);
    lhs->start = isSum ? lhs->start + rhs->start : lhs->start - rhs->start;
    for (auto [stride, other] : llvm::zip_equal(lhs->strides, rhs->strides))
      stride += isSum ? other : -other;
    return lhs;
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
