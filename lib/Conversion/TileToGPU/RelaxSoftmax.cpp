// Softmax does not care what is subtracted from its exponents. A loop that
// brings a maximum along may keep the one it has while the exponentials stay in
// range; only where they leave it is the trip computed as it is written.
#include "FedLoops.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXSOFTMAX
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// `x` of `x·c`, c the same scalar for every element; null c is 1.
struct Scaled {
  Value factor;
  OpFoldResult scalar;
};

/// The recurrence of an online softmax in a fed loop:
///   m' = max(m, max X), e = 2^(x·y - c·m'), a = 2^(c·(m - m')),
///   l' = l·a + Σ e, acc = o·a to which the last dot adds e·V.
struct OnlineSoftmax {
  scf::ForOp loop;
  tile::DotOp dot;
  unsigned maximum, sum;
  Value lhs;          ///< of the dot: e, rounded
  Value exponentials; ///< e
  Value newMaximum, newSum, newAcc, output;
  tile::ReduceOp reduce; ///< Σ e
};
} // namespace

static Scaled scaledOf(Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    for (auto [factor, other] :
         {std::pair(product.getLhs(), product.getRhs()),
          std::pair(product.getRhs(), product.getLhs())}) {
      if (auto splat = other.getDefiningOp<tile::SplatOp>())
        return {factor, splat.getValue()};
      else if (SplatElementsAttr constant;
               matchPattern(other, m_Constant(&constant)))
        return {factor, constant.getSplatValue<Attribute>()};
    }
  return {value, {}};
}

/// The factor beside `known` in a product of two; null when there is none.
static Value factorBeside(Value product, Value known) {
  auto op = product.getDefiningOp<arith::MulFOp>();
  if (!op)
    return {};
  if (op.getLhs() == known)
    return op.getRhs();
  return op.getRhs() == known ? op.getLhs() : Value();
}

static Value throughBroadcast(Value value) {
  auto broadcast = value ? value.getDefiningOp<tile::BroadcastOp>() : nullptr;
  return broadcast ? broadcast.getSource() : value;
}

/// The exponent of a power of two; null when a value is none.
static Value exponentOf(Value value) {
  auto power = value ? value.getDefiningOp<math::Exp2Op>() : nullptr;
  return power ? power.getOperand() : Value();
}

/// Whether behind the loop only quotients of the weighted sum and the sum are
/// used: numbers that do not change when both are scaled.
static bool onlyQuotientsAreUsed(const OnlineSoftmax &match, unsigned output) {
  scf::ForOp loop = match.loop;
  if (!loop.getResult(match.maximum).use_empty())
    return false;
  Value sum = loop.getResult(match.sum), weighted = loop.getResult(output);
  auto isQuotient = [&](Operation *user, Value divisor) {
    auto quotient = dyn_cast<arith::DivFOp>(user);
    return quotient && quotient.getLhs() == weighted &&
           quotient.getRhs() == divisor;
  };
  return llvm::all_of(sum.getUsers(),
                      [&](Operation *user) {
                        auto broadcast = dyn_cast<tile::BroadcastOp>(user);
                        return broadcast &&
                               llvm::all_of(broadcast->getUsers(),
                                            [&](Operation *other) {
                                              return isQuotient(
                                                  other, broadcast.getResult());
                                            });
                      }) &&
         llvm::all_of(weighted.getUsers(), [&](Operation *user) {
           auto quotient = dyn_cast<arith::DivFOp>(user);
           return quotient && quotient.getLhs() == weighted &&
                  throughBroadcast(quotient.getRhs()) == sum;
         });
}

static std::optional<OnlineSoftmax> matchSoftmax(FedLoop fed) {
  if (fed.trailing.size() != 1)
    return std::nullopt;
  scf::ForOp loop = fed.loop;
  OnlineSoftmax match{};
  match.loop = loop;
  match.dot = fed.trailing.front().dot;
  unsigned output = fed.trailing.front().number;
  match.output = loop.getRegionIterArg(output);
  match.lhs = match.dot.getLhs();
  match.newAcc = match.dot.getAcc();
  auto rounded = match.lhs.getDefiningOp<tile::CastOp>();
  match.exponentials = rounded ? rounded.getSource() : match.lhs;
  Value exponent = exponentOf(match.exponentials);
  auto difference = exponent ? exponent.getDefiningOp<math::FmaOp>() : nullptr;
  Value alpha = throughBroadcast(factorBeside(match.newAcc, match.output));
  if (!difference || !exponentOf(alpha))
    return std::nullopt;

  // The maximum, and what both exponents subtract of it.
  auto negated =
      throughBroadcast(difference.getC()).getDefiningOp<arith::NegFOp>();
  if (!negated)
    return std::nullopt;
  Scaled subtracted = scaledOf(negated.getOperand());
  match.newMaximum = subtracted.factor;
  auto larger = match.newMaximum.getDefiningOp<arith::MaximumFOp>();
  if (!larger)
    return std::nullopt;
  bool hasMaximum = false, hasSum = false;
  for (auto [number, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    if (yielded == match.newMaximum) {
      match.maximum = number;
      hasMaximum = true;
    }
    auto add = yielded.getDefiningOp<arith::AddFOp>();
    if (!add)
      continue;
    for (auto [older, newer] : {std::pair(add.getLhs(), add.getRhs()),
                                std::pair(add.getRhs(), add.getLhs())}) {
      auto reduce = newer.getDefiningOp<tile::ReduceOp>();
      if (factorBeside(older, loop.getRegionIterArg(number)) == alpha &&
          reduce && reduce.getSources().front() == match.exponentials) {
        match.sum = number;
        match.newSum = yielded;
        match.reduce = reduce;
        hasSum = true;
      }
    }
  }
  if (!hasMaximum || !hasSum)
    return std::nullopt;
  Value maximum = loop.getRegionIterArg(match.maximum);
  Scaled shrink = scaledOf(exponentOf(alpha));
  auto fall = shrink.factor.getDefiningOp<arith::SubFOp>();
  bool isShift = fall && fall.getLhs() == maximum &&
                 fall.getRhs() == match.newMaximum &&
                 shrink.scalar == subtracted.scalar &&
                 (larger.getLhs() == maximum || larger.getRhs() == maximum);
  if (!isShift || !onlyQuotientsAreUsed(match, output))
    return std::nullopt;
  return match;
}

namespace {
struct RelaxSoftmax : tilegpu::impl::RelaxSoftmaxBase<RelaxSoftmax> {
  void runOnOperation() override {
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan || !plan.getProducer())
      return;
    std::optional<FedLoop> fed = findFedLoop(getOperation());
    if (!fed)
      return;
    if (std::optional<OnlineSoftmax> match = matchSoftmax(*fed)) {
      relax(*match);
      ++numLoops;
    }
  }

private:
  /// The ops of the trip on which some values depend and which depend on the
  /// new maximum themselves, in their order.
  static SmallVector<Operation *> exactSlice(OnlineSoftmax &match,
                                             ArrayRef<Value> wanted) {
    llvm::SetVector<Operation *> reached;
    Operation *larger = match.newMaximum.getDefiningOp();
    auto reach = [&](auto &reach, Value value) -> bool {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != match.loop.getBody())
        return false;
      if (op == larger || reached.contains(op))
        return true;
      bool depends = false;
      for (Value operand : op->getOperands())
        depends |= reach(reach, operand);
      if (depends)
        reached.insert(op);
      return depends;
    };
    for (Value value : wanted)
      reach(reach, value);
    SmallVector<Operation *> ops(reached.begin(), reached.end());
    llvm::sort(ops, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
    return ops;
  }

  static void relax(OnlineSoftmax match) {
    scf::ForOp loop = match.loop;
    OpBuilder builder(match.dot);
    Location loc = match.dot.getLoc();
    Value maximum = loop.getRegionIterArg(match.maximum),
          sum = loop.getRegionIterArg(match.sum);

    // With the maximum that is there.
    IRMapping kept;
    kept.map(match.newMaximum, maximum);
    for (Operation *op :
         exactSlice(match, {match.lhs, match.reduce.getResults().front()}))
      builder.clone(*op, kept);
    Value total = kept.lookup(match.reduce.getResults().front());
    Value keptSum = arith::AddFOp::create(builder, loc, sum, total);
    Operation *large = isLarge(builder, loc, total);
    if (isMinusInfinity(loop.getInits()[match.maximum]))
      large->setAttr(holdsAtFirstName, builder.getUnitAttr());

    // As it is written.
    SmallVector<Value> wanted = {match.newMaximum, match.newSum, match.newAcc,
                                 match.lhs};
    auto branch =
        scf::IfOp::create(builder, loc, TypeRange(ValueRange(wanted)),
                          large->getResult(0), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(
        builder, loc,
        ValueRange{maximum, keptSum, match.output, kept.lookup(match.lhs)});
    SmallVector<Operation *> exact = exactSlice(match, wanted);
    auto *larger = match.newMaximum.getDefiningOp();
    exact.insert(exact.begin(), larger);
    // What only the new maximum is made of.
    for (Value operand : larger->getOperands())
      if (auto reduce = operand.getDefiningOp<tile::ReduceOp>();
          reduce && reduce->hasOneUse())
        exact.insert(exact.begin(), reduce);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, wanted);
    for (Operation *op : exact)
      op->moveBefore(yield);
    for (auto [value, result] : llvm::zip_equal(wanted, branch.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !branch->isAncestor(use.getOwner());
      });
  }

  static bool isMinusInfinity(Value tile) {
    return matchPattern(tile, m_NegInfFloat());
  }

  /// Whether any sum of exponentials in a warp is out of range, or no number:
  /// the first trip has no maximum yet.
  static Operation *isLarge(OpBuilder &builder, Location loc, Value total) {
    constexpr double most = 32768;
    auto type = cast<RankedTensorType>(total.getType());
    Value limit = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getF32FloatAttr(most).getValue()));
    Value isOut = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT,
                                        total, limit);
    return AnyOp::create(builder, loc, builder.getI1Type(), isOut);
  }
};
} // namespace
