// Propagates affine forms through arithmetic and shape changes.
#include "Normalize/TilePositions.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tile {

IndexSum TilePositions::start(IndexSums &sums) const {
  IndexSum total;
  for (const Term &term : terms)
    total = total +
            (term.scalar ? sums.of(term.scalar) * term.factor : term.factor);
  return total;
}

/// The scalar behind conversions that keep its value.
static Value withoutCasts(Value scalar) {
  while (Operation *op = scalar.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      break;
    scalar = op->getOperand(0);
  }
  return scalar;
}

/// Whether a scalar depends only on sizes and arguments of the kernel.
static bool isUniform(Value scalar) {
  scalar = withoutCasts(scalar);
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return isa<KernelOp>(cast<BlockArgument>(scalar).getOwner()->getParentOp());
  return isa<DimOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
          llvm::all_of(op->getOperands(), isUniform));
}

/// Adds the terms of a scalar times a factor.
static void addTerms(Value scalar, const IndexSum &factor, IndexSums &sums,
                     SmallVectorImpl<TilePositions::Term> &terms) {
  scalar = withoutCasts(scalar);
  APInt number;
  if (matchPattern(scalar, m_ConstantInt(&number))) {
    terms.push_back(
        {Value(), factor * IndexSum::constant(number.getSExtValue())});
    return;
  }
  Operation *op = scalar.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    const int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
    addTerms(op->getOperand(0), factor, sums, terms);
    addTerms(op->getOperand(1), factor * IndexSum::constant(sign), sums, terms);
    return;
  }
  if (isa_and_nonnull<arith::MulIOp>(op))
    for (auto [one, other] : {std::pair(0, 1), std::pair(1, 0)})
      if (isUniform(op->getOperand(other))) {
        addTerms(op->getOperand(one), factor * sums.of(op->getOperand(other)),
                 sums, terms);
        return;
      }
  terms.push_back({scalar, factor});
}

/// The positions times a factor.
static TilePositions multiply(TilePositions positions, const IndexSum &factor) {
  for (TilePositions::Term &term : positions.terms)
    term.factor = term.factor * factor;
  for (IndexSum &stride : positions.strides)
    stride = stride * factor;
  return positions;
}

std::optional<TilePositions> positionsOf(Value value, IndexSums &sums) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!type || !op)
    return std::nullopt;
  const SmallVector<IndexSum> none(type.getRank());
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return TilePositions{{{Value(), IndexSum::constant(number.getSExtValue())}},
                         none};
  if (isa<IotaOp>(op))
    return TilePositions{{}, {IndexSum::constant(1)}};
  if (auto splat = dyn_cast<SplatOp>(op)) {
    TilePositions positions{{}, none};
    addTerms(splat.getValue(), IndexSum::constant(1), sums, positions.terms);
    return positions;
  }
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return positionsOf(op->getOperand(0), sums);
  if (isa<BroadcastOp, ExpandDimsOp>(op)) {
    auto source = positionsOf(op->getOperand(0), sums);
    if (!source)
      return std::nullopt;
    if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
      source->strides.insert(source->strides.begin() + expand.getAxis(),
                             IndexSum());
      return source;
    }
    SmallVector<IndexSum> strides(type.getRank() - source->strides.size());
    for (auto [stride, size] : llvm::zip_equal(
             source->strides,
             cast<RankedTensorType>(op->getOperand(0).getType()).getShape()))
      strides.push_back(size == 1 ? IndexSum() : stride);
    source->strides = std::move(strides);
    return source;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto lhs = positionsOf(op->getOperand(0), sums),
       rhs = lhs ? positionsOf(op->getOperand(1), sums) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  if (isa<arith::MulIOp>(op)) {
    for (auto [one, other] : {std::pair(&*lhs, &*rhs), std::pair(&*rhs, &*lhs)})
      if (llvm::all_of(other->strides, [](const IndexSum &stride) {
            return stride == IndexSum();
          }))
        return multiply(*one, other->start(sums));
    return std::nullopt;
  }
  if (isa<arith::SubIOp>(op))
    rhs = multiply(*rhs, IndexSum::constant(-1));
  llvm::append_range(lhs->terms, rhs->terms);
  for (auto [stride, other] : llvm::zip_equal(lhs->strides, rhs->strides))
    stride = stride + other;
  return lhs;
}

/// The first of the consecutive numbers that a 1-D tile holds, as a scalar of
/// its element type; null if they may be negative or do not start at a multiple
/// of their count.
static Value firstOfMultiple(OpBuilder &builder, Value tile, IndexSums &sums) {
  auto type = cast<RankedTensorType>(tile.getType());
  std::optional<TilePositions> positions = positionsOf(tile, sums);
  if (!positions || positions->strides.front().getConstant() != 1)
    return {};
  tilegpu::IndexFacts facts;
  Location loc = tile.getLoc();
  Type element = type.getElementType();
  SmallVector<std::pair<Value, int64_t>> terms;
  for (const TilePositions::Term &term : positions->terms) {
    std::optional<int64_t> factor = term.factor.getConstant();
    tilegpu::IntegerFacts scalar = term.scalar
                                       ? facts.of(term.scalar)
                                       : tilegpu::IntegerFacts::constant(1);
    if (!factor || *factor < 0 || scalar.range.lo < 0 ||
        tilegpu::multiplyDivisors(scalar.divisor, *factor) %
                type.getDimSize(0) !=
            0)
      return {};
    terms.emplace_back(term.scalar, *factor);
  }
  Value sum = arith::ConstantOp::create(builder, loc,
                                        builder.getIntegerAttr(element, 0));
  for (auto [scalar, factor] : terms) {
    Value part = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(element, factor));
    if (scalar) {
      if (scalar.getType() != element)
        scalar =
            scalar.getType().isIndex() || element.isIndex()
                ? builder.createOrFold<arith::IndexCastOp>(loc, element, scalar)
                : builder.createOrFold<arith::ExtSIOp>(loc, element, scalar);
      part = builder.createOrFold<arith::MulIOp>(loc, scalar, part);
    }
    sum = builder.createOrFold<arith::AddIOp>(loc, sum, part);
  }
  return sum;
}

void straightenRemainders(KernelOp kernel) {
  IndexSums sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch);
  SmallVector<Operation *> remainders;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      remainders.push_back(op);
  });
  for (Operation *op : remainders) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || type.getRank() != 1)
      continue;
    std::optional<TilePositions> by = positionsOf(op->getOperand(1), sums);
    std::optional<int64_t> divisor = by && by->strides.front() == IndexSum()
                                         ? by->start(sums).getConstant()
                                         : std::nullopt;
    if (!divisor || *divisor <= 0 || *divisor % type.getDimSize(0) != 0)
      continue;
    OpBuilder builder(op);
    Value first = firstOfMultiple(builder, op->getOperand(0), sums);
    if (!first)
      continue;
    Location loc = op->getLoc();
    Value by1 = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(first.getType(), *divisor));
    Value start = arith::RemUIOp::create(builder, loc, first, by1);
    Value numbers = arith::AddIOp::create(
        builder, loc,
        IotaOp::create(builder, loc, type,
                       builder.getI64ArrayAttr(type.getShape())),
        SplatOp::create(builder, loc, type, start,
                        builder.getI64ArrayAttr(type.getShape())));
    op->getResult(0).replaceAllUsesWith(numbers);
    op->erase();
  }
}

} // namespace tilegpt::tile
