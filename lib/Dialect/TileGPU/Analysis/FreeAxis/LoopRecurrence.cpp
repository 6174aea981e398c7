// Matches reductions and the sums of online softmax among loop-carried values.
#include "FreeAxis/LoopRecurrence.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The operand of a chain of ops that only change the shape.
static Value throughShapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp,
             tile::SplatOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {
/// `b^(c (from - to))`.
struct Power {
  Value from, to;
  Value factor;  ///< null for 1
  bool isBinary; ///< b is 2, not e
};

class Recurrence : tile::CarriedValues {
public:
  Recurrence(scf::ForOp loop, const StreamedAxis &axis)
      : CarriedValues(loop), axis(axis) {}

  bool check(StringRef &reason) {
    SmallVector<unsigned> sums;
    for (unsigned number = 0; number < loop.getNumResults(); ++number)
      if (!isReduction(number))
        sums.push_back(number);
    for (unsigned number : sums)
      if (!isOnlineSum(number)) {
        reason = "the loop carries a value that is neither a reduction along "
                 "the axis nor a sum of an online softmax";
        return false;
      }
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!known.contains(&op) && dependsOnCarried(&op)) {
        reason = "an iteration depends on previous ones";
        return false;
      }
      // Every piece would have its own result.
      if (auto reduce = dyn_cast<tile::ReduceOp>(op);
          reduce && llvm::is_contained(axis.reductions, reduce) &&
          !known.contains(reduce)) {
        reason = "the reduction of a piece is used within the same iteration";
        return false;
      }
    }
    return true;
  }

private:
  Value argumentOf(unsigned number) { return loop.getRegionIterArg(number); }
  Value yieldOf(unsigned number) { return loop.getYieldedValues()[number]; }

  /// The reduction along the axis that a value is, without other uses; in
  /// several steps if other axes are reduced, too.
  tile::ReduceOp reductionAlong(Value value, tile::ReduceKind kind,
                                tile::NaNPolicy nan) {
    for (Value at = value; isHere(at.getDefiningOp()) && at.hasOneUse();
         at = at.getDefiningOp()->getOperand(0)) {
      Operation *op = at.getDefiningOp();
      if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
        if (reduce.getKind() != kind || reduce.getNanPolicy() != nan)
          return {};
        if (llvm::is_contained(axis.reductions, reduce))
          return reduce;
      } else if (!isa<tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp>(
                     op)) {
        return {};
      }
    }
    return {};
  }

  /// Records an op, and those that change the shape of its operand.
  void note(Operation *op) {
    known.insert(op);
    for (Value operand : op->getOperands()) {
      Value at = operand;
      while (isHere(at.getDefiningOp()) &&
             isa<tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp>(
                 at.getDefiningOp())) {
        known.insert(at.getDefiningOp());
        at = at.getDefiningOp()->getOperand(0);
      }
    }
  }

  /// carried' = combine(carried, update), for a reduction or a tile.
  bool isReduction(unsigned number) {
    Value argument = argumentOf(number), yielded = yieldOf(number);
    Operation *combine = yielded.getDefiningOp();
    if (auto sum = dyn_cast_or_null<math::FmaOp>(combine))
      return isSumOfProducts(sum, number);
    auto reduction = isHere(combine) ? reductionOf(combine) : std::nullopt;
    if (!reduction || combine->getNumOperands() != 2 ||
        !llvm::is_contained(combine->getOperands(), argument))
      return false;
    Value update = combine->getOperand(combine->getOperand(0) == argument);
    if (update == argument || isCarried(update))
      return false;
    auto [kind, nan] = *reduction;
    if (axis.axes.contains(update)) {
      if (!isReducedBehind(number, kind, nan))
        return false;
    } else {
      tile::ReduceOp reduce = reductionAlong(update, kind, nan);
      if (!reduce)
        return false;
      known.insert(reduce);
      if (kind == tile::ReduceKind::Max)
        maxima.push_back(number);
    }
    note(combine);
    return true;
  }

  /// carried' = a b + carried, for a tile.
  bool isSumOfProducts(math::FmaOp sum, unsigned number) {
    if (!isHere(sum) || sum.getC() != argumentOf(number) ||
        isCarried(sum.getA()) || isCarried(sum.getB()) ||
        !axis.axes.contains(sum.getResult()) ||
        !isReducedBehind(number, tile::ReduceKind::Add,
                         tile::NaNPolicy::Propagate))
      return false;
    note(sum);
    return true;
  }

  /// A tile that starts at the identity and is reduced by the same op after the
  /// loop.
  bool isReducedBehind(unsigned number, tile::ReduceKind kind,
                       tile::NaNPolicy nan) {
    Type element =
        cast<RankedTensorType>(yieldOf(number).getType()).getElementType();
    SplatElementsAttr init;
    Value result = loop.getResult(number);
    return argumentOf(number).hasOneUse() && yieldOf(number).hasOneUse() &&
           matchPattern(loop.getInitArgs()[number], m_Constant(&init)) &&
           init.getSplatValue<Attribute>() ==
               tile::identityOf(kind, nan, element) &&
           llvm::all_of(result.getUsers(), [&](Operation *user) {
             auto reduce = dyn_cast<tile::ReduceOp>(user);
             return reduce && llvm::is_contained(axis.reductions, reduce) &&
                    reduce.getKind() == kind && reduce.getNanPolicy() == nan;
           });
  }

  std::optional<Power> powerOf(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isHere(op) || !isa<math::ExpOp, math::Exp2Op>(op))
      return std::nullopt;
    Power power = {{}, {}, {}, isa<math::Exp2Op>(op)};
    Value exponent = op->getOperand(0);
    if (auto product = exponent.getDefiningOp<arith::MulFOp>()) {
      bool isSecond =
          loop.isDefinedOutsideOfLoop(throughShapes(product.getRhs()));
      power.factor =
          throughShapes(isSecond ? product.getRhs() : product.getLhs());
      if (!loop.isDefinedOutsideOfLoop(power.factor))
        return std::nullopt;
      exponent = isSecond ? product.getLhs() : product.getRhs();
      chain.push_back(product);
    }
    auto difference = exponent.getDefiningOp<arith::SubFOp>();
    if (!difference)
      return std::nullopt;
    power.from = difference.getLhs();
    power.to = difference.getRhs();
    chain.append({op, difference});
    return power;
  }

  /// Whether two factors are the same constant.
  static bool areEqual(Value left, Value right) {
    if (!left || !right || left == right)
      return left == right;
    auto numberOf = [](Value value) -> Attribute {
      Attribute number;
      if (!matchPattern(value, m_Constant(&number)))
        return {};
      if (auto splat = dyn_cast<SplatElementsAttr>(number))
        return splat.getSplatValue<Attribute>();
      return number;
    };
    Attribute number = numberOf(left);
    return number && number == numberOf(right);
  }

  /// s' = s b^(c (m - m')) + sum(b^(c (x - m')) w), where w is often 1.
  bool isOnlineSum(unsigned number) {
    Value argument = argumentOf(number);
    auto sum = yieldOf(number).getDefiningOp<arith::AddFOp>();
    if (!sum || !isHere(sum) || !argument.hasOneUse())
      return false;
    auto scaled = dyn_cast<arith::MulFOp>(*argument.user_begin());
    if (!scaled || !scaled->hasOneUse() || *scaled->user_begin() != sum)
      return false;
    chain.clear();
    Value factor = scaled.getOperand(scaled.getLhs() == argument),
          update = sum.getOperand(sum.getLhs() == scaled.getResult());
    std::optional<Power> shrink = powerOf(throughShapes(factor));
    unsigned maximum = 0;
    if (!shrink || !isMaximum(*shrink, maximum))
      return false;
    tile::ReduceOp reduce = reductionAlong(update, tile::ReduceKind::Add,
                                           tile::NaNPolicy::Propagate);
    if (!reduce || !isRaised(reduce.getSources().front(), *shrink, maximum))
      return false;
    for (Operation *op : chain)
      note(op);
    note(scaled);
    note(sum);
    known.insert(reduce);
    return true;
  }

  bool isMaximum(const Power &power, unsigned &number) {
    for (unsigned candidate : maxima)
      if (throughShapes(power.from) == argumentOf(candidate) &&
          throughShapes(power.to) == yieldOf(candidate)) {
        number = candidate;
        return true;
      }
    return false;
  }

  bool isRaised(Value tile, const Power &shrink, unsigned maximum) {
    std::optional<Power> power = powerOf(tile);
    if (!power)
      if (auto weighted = tile.getDefiningOp<arith::MulFOp>();
          weighted && isHere(weighted)) {
        bool isSecond = !isCarried(weighted.getLhs());
        if (isCarried(weighted.getOperand(!isSecond)))
          return false;
        chain.push_back(weighted);
        power = powerOf(weighted.getOperand(isSecond));
      }
    return power && power->isBinary == shrink.isBinary &&
           areEqual(power->factor, shrink.factor) && !isCarried(power->from) &&
           throughShapes(power->to) == yieldOf(maximum);
  }

  const StreamedAxis &axis;
  SmallVector<unsigned> maxima;
  /// Ops that may depend on loop-carried values, and the reductions of the
  /// pieces.
  llvm::SmallPtrSet<Operation *, 16> known;
  SmallVector<Operation *> chain; ///< of the powers that are looked at
};
} // namespace

bool isJoinable(scf::ForOp loop, const StreamedAxis &axis, StringRef &reason) {
  return Recurrence(loop, axis).check(reason);
}

} // namespace tilegpt::tilegpu
