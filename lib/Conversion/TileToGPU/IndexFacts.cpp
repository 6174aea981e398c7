// Divisors and ranges of integers, and what follows for the addresses of views.
#include "IndexFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using tilegpt::tile::Interval;

namespace tilegpt::tilegpu {

/// The runtime gives every argument memory that starts at such an address.
static constexpr int64_t argumentAlignment = 64;

static constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min();
static constexpr int64_t plusInfinity = std::numeric_limits<int64_t>::max();

IntegerFacts IntegerFacts::constant(int64_t value) {
  // The magnitude of the smallest integer does not fit; a divisor of it does.
  int64_t divisor = value == minusInfinity ? int64_t(1) << 62 : std::abs(value);
  return {divisor, {value, value}};
}

IntegerFacts IntegerFacts::size() { return {1, {0, plusInfinity}}; }

int64_t elementBytes(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

static Interval intersect(Interval lhs, Interval rhs) {
  return {std::max(lhs.lo, rhs.lo), std::min(lhs.hi, rhs.hi)};
}

/// One or the other.
static IntegerFacts unite(IntegerFacts lhs, IntegerFacts rhs) {
  return {std::gcd(lhs.divisor, rhs.divisor),
          {std::min(lhs.range.lo, rhs.range.lo),
           std::max(lhs.range.hi, rhs.range.hi)}};
}

/// Both are known of the same integer.
static IntegerFacts meet(IntegerFacts lhs, IntegerFacts rhs) {
  bool isZero = lhs.divisor == 0 || rhs.divisor == 0;
  int64_t common = isZero ? 1 : std::gcd(lhs.divisor, rhs.divisor), multiple;
  int64_t divisor = isZero ? 0 : lhs.divisor;
  if (!isZero &&
      !llvm::MulOverflow(lhs.divisor / common, rhs.divisor, multiple))
    divisor = multiple;
  return {divisor, intersect(lhs.range, rhs.range)};
}

/// A number that divides the product of multiples of two numbers.
static int64_t multiplyDivisors(int64_t lhs, int64_t rhs) {
  int64_t product;
  return llvm::MulOverflow(lhs, rhs, product) ? lhs : product;
}

/// The values of a signless integer, read with its sign. Those of an index are
/// whole numbers: kernels whose indices wrap have no meaning.
static Interval rangeOfType(Type type) {
  if (type.isIndex() || type.getIntOrFloatBitWidth() >= 64)
    return {};
  return {llvm::minIntN(type.getIntOrFloatBitWidth()),
          llvm::maxIntN(type.getIntOrFloatBitWidth())};
}

/// What is left of `facts` when the integer is kept in `type`: one that does
/// not fit wraps, which only powers of two survive.
static IntegerFacts wrapTo(IntegerFacts facts, Type type) {
  Interval range = rangeOfType(type);
  if (facts.range.lo >= range.lo && facts.range.hi <= range.hi)
    return facts;
  return {facts.divisor & -facts.divisor, range};
}

IntegerFacts IndexFacts::of(Value value) {
  if (auto it = integers.find(value); it != integers.end())
    return it->second;
  IntegerFacts facts = wrapTo(derive(value), value.getType());
  return integers[value] = facts;
}

Interval IndexFacts::rangeOfGrid(tile::KernelOp kernel, int64_t axis) {
  if (axis >= int64_t(kernel.getGrid().size()))
    return {1, 1};
  auto expr = cast<tile::ExprAttr>(kernel.getGrid()[axis]);
  SmallVector<Interval> symbols;
  for (Attribute source : expr.getSources()) {
    auto place = dyn_cast<DenseI64ArrayAttr>(source);
    // Parameters of a kernel that is not specialized yet may be anything.
    symbols.push_back(
        place && place.size() == 2
            ? ofView(kernel.getArguments()[place[0]]).sizes[place[1]].range
            : Interval());
  }
  return tile::rangeOf(expr.getMap().getResult(0), symbols);
}

/// From 0 to the end of `count` - 1.
static IntegerFacts entryOf(Interval count) {
  int64_t last = count.hi == plusInfinity ? plusInfinity : count.hi - 1;
  return {1, {0, last}};
}

IntegerFacts IndexFacts::derive(Value value) {
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)) &&
                      constant.getSignificantBits() <= 64)
    return IntegerFacts::constant(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return deriveArgument(argument);
  return llvm::TypeSwitch<Operation *, IntegerFacts>(value.getDefiningOp())
      .Case([&](tile::BlockIdOp op) {
        return entryOf(
            rangeOfGrid(op->getParentOfType<tile::KernelOp>(), op.getAxis()));
      })
      .Case([&](tile::NumBlocksOp op) -> IntegerFacts {
        auto kernel = op->getParentOfType<tile::KernelOp>();
        return {1, intersect(rangeOfGrid(kernel, op.getAxis()),
                             IntegerFacts::size().range)};
      })
      .Case([&](WorkerOp) { return IntegerFacts::size(); })
      .Case(
          [&](NumWorkersOp) -> IntegerFacts { return {1, {1, plusInfinity}}; })
      .Case([&](tile::DimOp op) {
        return ofView(op.getView()).sizes[op.getAxis()];
      })
      .Case([&](tile::NumTilesOp op) -> IntegerFacts {
        int64_t size = tile::knownSizes(op.getSizes()).front();
        Interval unknowns[] = {ofView(op.getView()).sizes[op.getAxis()].range};
        if (ShapedType::isDynamic(size))
          return IntegerFacts::size();
        AffineExpr count =
            getAffineSymbolExpr(0, op.getContext()).ceilDiv(size);
        return {1, tile::rangeOf(count, unknowns)};
      })
      .Case([&](tile::AssumeOp op) {
        IntegerFacts facts = of(op.getValue()), promise;
        if (std::optional<uint64_t> divisor = op.getDivBy())
          promise.divisor = *divisor;
        if (std::optional<ArrayRef<int64_t>> bounds = op.getBounded())
          promise.range = {(*bounds)[0], (*bounds)[1]};
        return meet(facts, promise);
      })
      .Case([&](scf::IfOp op) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        return unite(of(op.thenYield().getOperand(number)),
                     of(op.elseYield().getOperand(number)));
      })
      .Default([&](Operation *op) { return deriveArithmetic(op); });
}

IntegerFacts IndexFacts::deriveArgument(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getInductionVar() != argument)
    return {};
  IntegerFacts lower = of(loop.getLowerBound()),
               upper = of(loop.getUpperBound()), step = of(loop.getStep());
  IntegerFacts facts;
  facts.divisor = std::gcd(lower.divisor, step.divisor);
  facts.range.lo = lower.range.lo;
  if (upper.range.hi != plusInfinity && upper.range.hi != minusInfinity) {
    facts.range.hi = upper.range.hi - 1;
    // The last multiple of the divisor below the bound.
    if (facts.divisor > 0)
      facts.range.hi -= llvm::mod(facts.range.hi, facts.divisor);
  }
  return facts;
}

IntegerFacts IndexFacts::deriveArithmetic(Operation *op) {
  bool isInteger = llvm::all_of(op->getOperandTypes(),
                                [](Type type) { return type.isIntOrIndex(); });
  if (!isa<arith::ArithDialect>(op->getDialect()) || !isInteger)
    return {};
  SmallVector<IntegerFacts> operands;
  SmallVector<Interval> ranges;
  for (Value operand : op->getOperands()) {
    operands.push_back(of(operand));
    ranges.push_back(operands.back().range);
  }
  AffineExpr left = getAffineSymbolExpr(0, op->getContext()),
             right = getAffineSymbolExpr(1, op->getContext());
  auto rangeOf = [&](AffineExpr expr) { return tile::rangeOf(expr, ranges); };
  auto areNotNegative = [&] {
    return llvm::all_of(ranges, [](Interval range) { return range.lo >= 0; });
  };
  /// Of a division; of numbers that are not negative all roundings but the
  /// upward one agree, whatever the signedness. A divisor is not 0.
  auto divide = [&](bool upward) -> IntegerFacts {
    if (!areNotNegative())
      return {};
    ranges[1].lo = std::max<int64_t>(ranges[1].lo, 1);
    int64_t by = operands[1].range.lo;
    bool isExact =
        by == operands[1].range.hi && by > 0 && operands[0].isMultipleOf(by);
    return {isExact ? operands[0].divisor / by : 1,
            rangeOf(upward ? left.ceilDiv(right) : left.floorDiv(right))};
  };
  auto both = [&](int64_t lo, int64_t hi) -> IntegerFacts {
    return {std::gcd(operands[0].divisor, operands[1].divisor), {lo, hi}};
  };
  auto minimum = [&] {
    return both(std::min(ranges[0].lo, ranges[1].lo),
                std::min(ranges[0].hi, ranges[1].hi));
  };
  auto maximum = [&] {
    return both(std::max(ranges[0].lo, ranges[1].lo),
                std::max(ranges[0].hi, ranges[1].hi));
  };

  return llvm::TypeSwitch<Operation *, IntegerFacts>(op)
      .Case<arith::AddIOp>([&](auto) {
        Interval sum = rangeOf(left + right);
        return both(sum.lo, sum.hi);
      })
      .Case<arith::SubIOp>([&](auto) {
        Interval difference = rangeOf(left - right);
        return both(difference.lo, difference.hi);
      })
      .Case<arith::MulIOp>([&](auto) -> IntegerFacts {
        return {multiplyDivisors(operands[0].divisor, operands[1].divisor),
                rangeOf(left * right)};
      })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return divide(/*upward=*/false); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return divide(/*upward=*/true); })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) -> IntegerFacts {
        if (!areNotNegative())
          return {};
        ranges[1].lo = std::max<int64_t>(ranges[1].lo, 1);
        Interval rest = rangeOf(left % right);
        return both(rest.lo, rest.hi);
      })
      .Case<arith::MinSIOp>([&](auto) { return minimum(); })
      .Case<arith::MaxSIOp>([&](auto) { return maximum(); })
      .Case<arith::MinUIOp, arith::MaxUIOp>([&](auto) -> IntegerFacts {
        if (!areNotNegative())
          return {std::gcd(operands[0].divisor, operands[1].divisor), {}};
        return isa<arith::MinUIOp>(op) ? minimum() : maximum();
      })
      .Case<arith::SelectOp>(
          [&](auto) { return unite(operands[1], operands[2]); })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto) { return operands[0]; })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](auto) -> IntegerFacts {
        if (areNotNegative())
          return operands[0];
        return {operands[0].divisor & -operands[0].divisor, {}};
      })
      .Default([](Operation *) { return IntegerFacts(); });
}

ViewFacts IndexFacts::ofView(Value view) {
  if (auto it = views.find(view); it != views.end())
    return it->second;
  ViewFacts facts = deriveView(view);
  // What the type says counts as well: casts of views do not exist, so it is
  // never less than what the producer knows, but may be more.
  auto type = cast<tile::ViewType>(view.getType());
  SmallVector<int64_t> strides = type.getKnownStrides();
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      facts.sizes[axis] = IntegerFacts::constant(type.getShape()[axis]);
    if (!ShapedType::isDynamic(strides[axis]))
      facts.strides[axis] = IntegerFacts::constant(strides[axis]);
  }
  return views[view] = facts;
}

/// Moves the start of a view by `index` elements of an axis.
static void advance(ViewFacts &facts, IntegerFacts index, int64_t axis,
                    Type elementType) {
  int64_t elements =
      multiplyDivisors(index.divisor, facts.strides[axis].divisor);
  facts.alignment = std::gcd(
      facts.alignment, multiplyDivisors(elements, elementBytes(elementType)));
}

ViewFacts IndexFacts::deriveView(Value view) {
  auto type = cast<tile::ViewType>(view.getType());
  if (auto op = view.getDefiningOp<tile::SubviewOp>()) {
    ViewFacts facts = ofView(op.getSource());
    auto factsOf = [&](OpFoldResult number) {
      if (auto value = dyn_cast<Value>(number))
        return of(value);
      return IntegerFacts::constant(
          cast<IntegerAttr>(cast<Attribute>(number)).getInt());
    };
    Builder builder(op.getContext());
    SmallVector<OpFoldResult> offsets =
        getMixedValues(op.getStaticOffsets(), op.getOffsets(), builder);
    SmallVector<OpFoldResult> sizes =
        getMixedValues(op.getStaticSizes(), op.getSizes(), builder);
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      advance(facts, factsOf(offsets[axis]), axis, type.getElementType());
      facts.sizes[axis] = meet(factsOf(sizes[axis]), IntegerFacts::size());
    }
    return facts;
  }
  if (auto op = view.getDefiningOp<tile::SelectOp>()) {
    ViewFacts facts = ofView(op.getSource());
    for (auto [axis, index] : llvm::enumerate(op.getIndices()))
      advance(facts, of(index), axis, type.getElementType());
    size_t dropped = op.getIndices().size();
    facts.sizes.erase(facts.sizes.begin(), facts.sizes.begin() + dropped);
    facts.strides.erase(facts.strides.begin(), facts.strides.begin() + dropped);
    return facts;
  }
  if (auto op = view.getDefiningOp<tile::TransposeOp>()) {
    ViewFacts source = ofView(op.getSource()), facts = source;
    for (auto [axis, from] : llvm::enumerate(op.getPermutation())) {
      facts.sizes[axis] = source.sizes[from];
      facts.strides[axis] = source.strides[from];
    }
    return facts;
  }

  ViewFacts facts;
  facts.alignment = elementBytes(type.getElementType());
  facts.sizes.assign(type.getRank(), IntegerFacts::size());
  facts.strides.assign(type.getRank(), IntegerFacts{1, {1, plusInfinity}});
  auto argument = dyn_cast<BlockArgument>(view);
  if (argument && isa<tile::KernelOp>(argument.getOwner()->getParentOp())) {
    facts.alignment = argumentAlignment;
    facts.root = argument;
  }
  if (type.isDense()) {
    // The stride of an axis is the product of the sizes behind it.
    int64_t product = 1;
    for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
      facts.strides[axis].divisor = product;
      if (!type.isDynamicDim(axis))
        product = multiplyDivisors(product,
                                   std::max<int64_t>(type.getShape()[axis], 1));
    }
  }
  return facts;
}

bool IndexFacts::isEntry(Value index, Value view, int64_t axis) {
  IntegerFacts entry = of(index), size = ofView(view).sizes[axis];
  if (entry.range.lo < 0)
    return false;
  if (entry.range.hi < size.range.lo)
    return true;

  // A block of a grid with one block an entry.
  if (auto block = index.getDefiningOp<tile::BlockIdOp>()) {
    auto argument = dyn_cast<BlockArgument>(view);
    auto kernel = block->getParentOfType<tile::KernelOp>();
    if (!argument || argument.getOwner() != kernel.getEntryBlock() ||
        block.getAxis() >= kernel.getGrid().size())
      return false;
    auto expr = cast<tile::ExprAttr>(kernel.getGrid()[block.getAxis()]);
    auto symbol = dyn_cast<AffineSymbolExpr>(expr.getMap().getResult(0));
    if (!symbol)
      return false;
    auto place =
        dyn_cast<DenseI64ArrayAttr>(expr.getSources()[symbol.getPosition()]);
    return place && place.asArrayRef() ==
                        ArrayRef<int64_t>({argument.getArgNumber(), axis});
  }

  // A loop over the axis.
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument)
    return false;
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getInductionVar() != index)
    return false;
  if (auto dim = loop.getUpperBound().getDefiningOp<tile::DimOp>())
    return dim.getView() == view && int64_t(dim.getAxis()) == axis;
  auto tiles = loop.getUpperBound().getDefiningOp<tile::NumTilesOp>();
  return tiles && tiles.getView() == view && int64_t(tiles.getAxis()) == axis &&
         tile::knownSizes(tiles.getSizes()).front() == 1;
}

} // namespace tilegpt::tilegpu
