// Replaces carried integers that advance evenly.
#include "Normalize/Loops/CountProgressions.h"
#include "Normalize/Loops/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace tilegpt::tile {

/// The scalar that all elements of an integer or a tile of integers are equal
/// to, at the builder's insertion point; null if it is not known.
static Value scalarOf(OpBuilder &builder, Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  Operation *op = value.getDefiningOp();
  if (auto splat = dyn_cast_or_null<SplatOp>(op))
    return splat.getValue();
  if (isa_and_nonnull<BroadcastOp, ExpandDimsOp>(op))
    return scalarOf(builder, op->getOperand(0));
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    Value lhs = scalarOf(builder, op->getOperand(0)),
          rhs = lhs ? scalarOf(builder, op->getOperand(1)) : Value();
    if (!rhs)
      return {};
    OperationState scalar(op->getLoc(), op->getName(), {lhs, rhs},
                          {lhs.getType()});
    return builder.create(scalar)->getResult(0);
  }
  DenseIntElementsAttr number;
  if (!matchPattern(value, m_Constant(&number)) || !number.isSplat())
    return {};
  return arith::ConstantOp::create(
      builder, value.getLoc(),
      builder.getIntegerAttr(number.getElementType(),
                             number.getSplatValue<APInt>()));
}

namespace {
/// How a carried value advances.
struct Progression {
  Value amount;    ///< a value like the carried one
  bool isNegative; ///< whether it is subtracted
};

/// `distance`, a multiple of the step of a loop, times `amount` / step.
class Multiples {
public:
  Multiples(OpBuilder &builder, scf::ForOp loop)
      : builder(builder), loop(loop) {}

  Value of(Value distance, Value amount) {
    Location loc = loop.getLoc();
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (step && *step != 1)
      if (Value part = divide(amount, *step))
        return multiply(distance, part);
    if (step != 1)
      distance =
          builder.createOrFold<arith::DivSIOp>(loc, distance, loop.getStep());
    return multiply(distance, amount);
  }

private:
  /// A number that, times a multiple of `by`, is `number` times that multiple
  /// divided by `by`, also where it wraps; null if none is known.
  Value divide(Value number, int64_t by) {
    if (std::optional<int64_t> known = getConstantIntValue(number)) {
      if (*known % by != 0)
        return {};
      return arith::ConstantOp::create(
          builder, number.getLoc(),
          builder.getIntegerAttr(number.getType(), *known / by));
    }
    auto product = number.getDefiningOp<arith::MulIOp>();
    if (!product)
      return {};
    for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())})
      if (getConstantIntValue(factor))
        if (Value part = divide(factor, by))
          return builder.createOrFold<arith::MulIOp>(number.getLoc(), other,
                                                     part);
    return {};
  }

  Value multiply(Value distance, Value amount) {
    Location loc = loop.getLoc();
    if (!amount.getType().isIndex())
      distance = builder.createOrFold<arith::IndexCastOp>(loc, amount.getType(),
                                                          distance);
    return builder.createOrFold<arith::MulIOp>(loc, distance, amount);
  }

  OpBuilder &builder;
  scf::ForOp loop;
};
} // namespace

static std::optional<Progression> progressionOf(scf::ForOp loop,
                                                unsigned number) {
  Value argument = loop.getRegionIterArg(number);
  if (!getElementTypeOrSelf(argument.getType()).isIntOrIndex() ||
      getElementTypeOrSelf(argument.getType()).isInteger(1))
    return std::nullopt;
  Operation *next = loop.getYieldedValues()[number].getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(next))
    return std::nullopt;
  bool isNegative = isa<arith::SubIOp>(next),
       isSecond = next->getOperand(0) != argument;
  if (isSecond && (isNegative || next->getOperand(1) != argument))
    return std::nullopt;
  Value amount = next->getOperand(isSecond ? 0 : 1);
  if (!isInvariant(amount, loop))
    return std::nullopt;
  return Progression{amount, isNegative};
}

/// The carried value after `distance`, a multiple of the step of its loop.
static Value valueAfter(OpBuilder &builder, scf::ForOp loop, unsigned number,
                        Value distance, Value amount, bool isNegative) {
  Location loc = loop.getLoc();
  Value first = loop.getInitArgs()[number];
  Value ahead = Multiples(builder, loop).of(distance, amount);
  if (auto tile = dyn_cast<RankedTensorType>(first.getType()))
    ahead = SplatOp::create(builder, loc, tile, ahead,
                            builder.getI64ArrayAttr(tile.getShape()));
  if (isNegative)
    return builder.createOrFold<arith::SubIOp>(loc, first, ahead);
  return builder.createOrFold<arith::AddIOp>(loc, first, ahead);
}

static void countProgressions(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return;
  llvm::BitVector isDropped(loop.getNumResults());
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    std::optional<Progression> progression = progressionOf(loop, number);
    if (!progression)
      continue;
    hoist(progression->amount, loop);
    OpBuilder builder(loop);
    Value amount = scalarOf(builder, progression->amount);
    if (!amount)
      continue;
    Location loc = loop.getLoc();
    builder.setInsertionPointToStart(loop.getBody());
    Value distance = builder.createOrFold<arith::SubIOp>(
        loc, loop.getInductionVar(), loop.getLowerBound());
    loop.getRegionIterArg(number).replaceAllUsesWith(valueAfter(
        builder, loop, number, distance, amount, progression->isNegative));
    if (Value last = loop.getResult(number); !last.use_empty()) {
      builder.setInsertionPointAfter(loop);
      Value whole = builder.createOrFold<arith::MulIOp>(
          loc, countIterations(builder, loop), loop.getStep());
      last.replaceAllUsesWith(valueAfter(builder, loop, number, whole, amount,
                                         progression->isNegative));
    }
    isDropped.set(number);
  }
  if (isDropped.any())
    dropCarried(loop, isDropped);
}

void countProgressions(KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    countProgressions(loop);
}

} // namespace tilegpt::tile
