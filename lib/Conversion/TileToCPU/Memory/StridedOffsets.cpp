// Follows offsets and masks through arithmetic and shape changes.
#include "Memory/StridedOffsets.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

static bool isConstant(Value scalar, int64_t value) {
  return getConstantIntValue(scalar) == value;
}

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

bool StridedOffsets::isUniform() const {
  return llvm::all_of(strides,
                      [](Value stride) { return isConstant(stride, 0); });
}

namespace {
/// A tile that repeats or relabels the elements of another.
struct Relabeled {
  Value source;
  SmallVector<int64_t> axes; ///< of the source, per axis; -1: equal elements
};
} // namespace

static std::optional<Relabeled> relabelReshape(tile::ReshapeOp op) {
  // Only axes of size 1 come and go.
  Relabeled result = {op.getSource(), {}};
  ArrayRef<int64_t> from = shapeOf(op.getSource());
  int64_t next = 0;
  const auto skipUnits = [&] {
    while (next < int64_t(from.size()) && from[next] == 1)
      ++next;
  };
  for (int64_t size : shapeOf(op.getResult())) {
    if (size == 1) {
      result.axes.push_back(-1);
      continue;
    }
    skipUnits();
    if (next == int64_t(from.size()) || from[next] != size)
      return std::nullopt;
    result.axes.push_back(next++);
  }
  skipUnits();
  return next == int64_t(from.size()) ? std::optional(result) : std::nullopt;
}

static std::optional<Relabeled> relabel(Operation *op) {
  using Found = std::optional<Relabeled>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([](tile::ExpandDimsOp expand) -> Found {
        Relabeled result = {expand.getSource(), {}};
        const int64_t added = int64_t(expand.getAxis());
        for (int64_t axis = 0;
             axis < int64_t(shapeOf(expand.getResult()).size()); ++axis)
          result.axes.push_back(axis == added ? -1 : axis - (axis > added));
        return result;
      })
      .Case([](tile::BroadcastOp broadcast) -> Found {
        Relabeled result = {broadcast.getSource(), {}};
        ArrayRef<int64_t> from = shapeOf(broadcast.getSource()),
                          to = shapeOf(broadcast.getResult());
        const int64_t added = int64_t(to.size()) - int64_t(from.size());
        for (int64_t axis = 0; axis < int64_t(to.size()); ++axis)
          result.axes.push_back(
              axis < added || from[axis - added] == 1 ? -1 : axis - added);
        return result;
      })
      .Case([](tile::PermuteOp permute) -> Found {
        return Relabeled{permute.getSource(),
                         SmallVector<int64_t>(permute.getPermutation())};
      })
      .Case([](tile::ReshapeOp reshape) { return relabelReshape(reshape); })
      .Default(std::nullopt);
}

Value StridedForms::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value StridedForms::asIndex(Value scalar) {
  return scalar.getType().isIndex() ? scalar
                                    : builder.createOrFold<arith::IndexCastOp>(
                                          loc, builder.getIndexType(), scalar);
}

Value StridedForms::add(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value StridedForms::subtract(Value lhs, Value rhs) {
  return builder.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

Value StridedForms::multiply(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value StridedForms::wrap(Value scalar) {
  if (std::optional<int64_t> known = getConstantIntValue(scalar))
    return constant(int32_t(uint32_t(uint64_t(*known))));
  if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>();
      cast && cast.getIn().getType().isInteger(32))
    return scalar;
  // Not as casts between index and i32, which upstream takes not to wrap.
  Value whole =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), scalar);
  Value low =
      arith::TruncIOp::create(builder, loc, builder.getI32Type(), whole);
  return asIndex(
      arith::ExtSIOp::create(builder, loc, builder.getI64Type(), low));
}

std::optional<StridedOffsets> StridedForms::formOf(Value tile) {
  auto form = sumsOf(tile);
  if (!form || !getElementTypeOrSelf(tile.getType()).isInteger(32))
    return form;
  form->start = wrap(form->start);
  for (Value &stride : form->strides)
    stride = wrap(stride);
  return form;
}

std::optional<StridedOffsets> StridedForms::sumsOf(Value tile) {
  const size_t rank = shapeOf(tile).size();
  if (APInt value; matchPattern(tile, m_ConstantInt(&value)))
    return StridedOffsets{constant(value.getSExtValue()),
                          SmallVector<Value>(rank, constant(0))};
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto relabeled = relabel(op)) {
    auto form = sumsOf(relabeled->source);
    if (!form)
      return std::nullopt;
    StridedOffsets result = {form->start, {}};
    for (int64_t axis : relabeled->axes)
      result.strides.push_back(axis < 0 ? constant(0) : form->strides[axis]);
    return result;
  }
  if (isa<tile::IotaOp>(op))
    return StridedOffsets{constant(0), {constant(1)}};
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return StridedOffsets{asIndex(splat.getValue()),
                          SmallVector<Value>(rank, constant(0))};
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return formOf(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto lhs = sumsOf(op->getOperand(0));
  auto rhs = lhs ? sumsOf(op->getOperand(1)) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  if (isa<arith::MulIOp>(op)) {
    if (lhs->isUniform())
      std::swap(lhs, rhs);
    if (!rhs->isUniform())
      return std::nullopt;
    for (Value &stride : lhs->strides)
      stride = multiply(stride, rhs->start);
    lhs->start = multiply(lhs->start, rhs->start);
    return lhs;
  }
  const auto combine = [&](Value left, Value right) {
    return isa<arith::AddIOp>(op) ? add(left, right) : subtract(left, right);
  };
  for (auto [stride, other] : llvm::zip_equal(lhs->strides, rhs->strides))
    stride = combine(stride, other);
  lhs->start = combine(lhs->start, rhs->start);
  return lhs;
}

void StridedForms::lower(Value &bound, Value other) {
  if (other)
    bound =
        bound ? builder.createOrFold<arith::MinSIOp>(loc, bound, other) : other;
}

SmallVector<Value> StridedForms::allIf(Value condition, Value tile) {
  SmallVector<Value> bounds(shapeOf(tile).size());
  bounds.front() = builder.createOrFold<arith::SelectOp>(
      loc, condition, constant(shapeOf(tile).front()), constant(0));
  return bounds;
}

std::optional<SmallVector<Value>>
StridedForms::boundsOfComparison(Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  auto lhs = formOf(compare.getLhs());
  auto rhs = lhs ? formOf(compare.getRhs()) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  // As lhs < rhs.
  using arith::CmpIPredicate;
  const CmpIPredicate predicate = compare.getPredicate();
  if (predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge)
    std::swap(lhs, rhs);
  else if (predicate != CmpIPredicate::slt && predicate != CmpIPredicate::sle)
    return std::nullopt;
  Value left = subtract(rhs->start, lhs->start);
  if (predicate == CmpIPredicate::sle || predicate == CmpIPredicate::sge)
    left = add(left, constant(1));
  // `left` shrinks by one per element along a single axis.
  SmallVector<Value> bounds(lhs->strides.size());
  std::optional<int64_t> bounded;
  for (auto [axis, mine, other] : llvm::enumerate(lhs->strides, rhs->strides)) {
    Value slope = subtract(mine, other);
    if (isConstant(slope, 0))
      continue;
    if (bounded || !isConstant(slope, 1))
      return std::nullopt;
    bounded = int64_t(axis);
  }
  if (!bounded)
    return allIf(builder.createOrFold<arith::CmpIOp>(loc, CmpIPredicate::sgt,
                                                     left, constant(0)),
                 compare.getResult());
  bounds[*bounded] = left;
  return bounds;
}

std::optional<SmallVector<Value>> StridedForms::boundsOf(Value mask) {
  if (matchPattern(mask, m_One()))
    return SmallVector<Value>(shapeOf(mask).size());
  Operation *op = mask.getDefiningOp();
  // A single element has no axis that could end before it.
  if (!op || shapeOf(mask).empty())
    return std::nullopt;
  if (isa<arith::CmpIOp>(op))
    return boundsOfComparison(op);
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return allIf(splat.getValue(), mask);
  if (isa<arith::AndIOp>(op)) {
    auto bounds = boundsOf(op->getOperand(0));
    auto others = bounds ? boundsOf(op->getOperand(1)) : std::nullopt;
    if (!others)
      return std::nullopt;
    for (auto [bound, other] : llvm::zip_equal(*bounds, *others))
      lower(bound, other);
    return bounds;
  }
  auto relabeled = relabel(op);
  auto bounds = relabeled ? boundsOf(relabeled->source) : std::nullopt;
  if (!bounds)
    return std::nullopt;
  SmallVector<Value> result(relabeled->axes.size());
  for (auto [axis, bound] : llvm::enumerate(*bounds)) {
    if (!bound)
      continue;
    const auto *to = llvm::find(relabeled->axes, int64_t(axis));
    if (to != relabeled->axes.end()) {
      lower(result[to - relabeled->axes.begin()], bound);
      continue;
    }
    // The only element along a repeated axis.
    Value some = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sgt, bound, constant(0));
    lower(result.front(), allIf(some, mask).front());
  }
  return result;
}
