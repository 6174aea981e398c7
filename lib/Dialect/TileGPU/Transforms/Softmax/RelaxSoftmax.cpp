// A softmax does not depend on the value subtracted from its exponents. A loop
// with a running maximum may keep the current one as long as the exponentials
// stay in range; only if they leave it, the iteration is computed as written.
#include "Softmax/BeginAtEnd.h"
#include "Softmax/BeginSums.h"
#include "Softmax/Exponents.h"
#include "Softmax/KeptMaximum.h"
#include "Softmax/Scores.h"
#include "Softmax/SmallPowers.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXSOFTMAX
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct RelaxSoftmax : tilegpu::impl::RelaxSoftmaxBase<RelaxSoftmax> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<MainloopOp> loops;
    getOperation().walk([&](MainloopOp loop) { loops.push_back(loop); });
    for (MainloopOp loop : loops)
      keepSmallPowers(loop);
    for (MainloopOp loop : loops)
      relax(loop);
  }

private:
  void relax(MainloopOp loop) {
    SmallVector<OnlineSoftmax, 2> matches = matchSoftmaxes(loop);
    for (const OnlineSoftmax &match : matches)
      relax(loop, match.dot, /*isOnly=*/matches.size() == 1);
  }

  void relax(MainloopOp loop, tile::DotOp dot, bool isOnly) {
    std::optional<OnlineSoftmax> match = matchSoftmax(loop, dot);
    if (beginSums(*match))
      match = matchSoftmax(loop, dot);
    relaxScores(*match);
    if (match->shiftedUse) {
      explainMissed(match->shiftedUse, "softmax")
          << "the maximum is updated in every iteration: it is used for more "
             "than division by the sum and max + log(sum)";
      return;
    }
    if (hasSimpleExponents(*match))
      simplifyExponents(*matchSoftmax(loop, dot));
    relax(*matchSoftmax(loop, dot), isOnly);
    ++numLoops;
  }

  /// \param isOnly  whether the order of iterations serves this softmax alone.
  static void relax(OnlineSoftmax match, bool isOnly) {
    MainloopOp loop = match.loop;
    OpBuilder builder(match.dot);
    Location loc = match.dot.getLoc();
    Value maximum = loop.getRegionIterArgs()[match.maximum],
          sum = loop.getRegionIterArgs()[match.sum];

    // With the current maximum.
    bool isSimple = hasSimpleExponents(match);
    KeptMaximum kept = isSimple ? writeKeptMaximum(builder, match)
                                : cloneWithMaximum(builder, match);
    if (isSimple)
      contractExponents(match);
    Value keptSum = arith::AddFOp::create(builder, loc, sum, kept.total);
    Operation *large = isLarge(builder, loc, kept.total);
    // The stand-in for minus infinity may be too large for the first scores.
    bool asksMaximum = mayBeHuge(match) || match.subtracted != match.newMaximum;
    if (asksMaximum)
      large = arith::OrIOp::create(builder, loc, large->getResult(0),
                                   isHuge(builder, loc, maximum));
    Value first = loop.getInitArgs()[match.maximum];
    if (isMinusInfinity(first) || (asksMaximum && isHugeNumber(first)))
      large->setAttr(holdsAtFirstName, builder.getUnitAttr());

    // As written. The rescaling of the weighted sum may be deferred.
    SmallVector<Value> wanted = {match.newMaximum, match.newSum, match.lhs},
                       otherwise = {maximum, keptSum, kept.lhs};
    Value factor = shrinksLater(match) ? factorOf(match) : Value();
    if (factor) {
      wanted.push_back(factor);
      otherwise.push_back(splat(builder, loc, factor.getType(), 1));
    } else {
      wanted.push_back(match.newAcc);
      otherwise.push_back(match.output);
    }
    SmallVector<Operation *> exact =
        opsBetween(match, match.newMaximum, wanted);
    if (isSimple) {
      SmallVector<Operation *> weights = movableWeights(match);
      exact.insert(exact.begin(), weights.begin(), weights.end());
    }
    auto *larger = match.newMaximum.getDefiningOp();
    exact.insert(exact.begin(), larger);
    // Ops that only the new maximum depends on, and ops that only these scores
    // depend on.
    SmallVector<Operation *> front =
        opsBetween(match, match.scores, larger->getOperands());
    if (areUsedBy(front, exact)) {
      exact.insert(exact.begin(), front.begin(), front.end());
      if (isSimple) {
        SmallVector<Operation *> scores = movableScores(match);
        exact.insert(exact.begin(), scores.begin(), scores.end());
      }
    }
    bool isDescending = isOnly && shouldBeginAtEnd(match);
    scf::IfOp branch =
        writeBranch(builder, large->getResult(0), exact, wanted, otherwise);
    if (isDescending)
      beginAtEnd(match);
    if (!factor)
      return;
    factor = branch.getResults().back();
    Operation *shrinks = AnyOp::create(
        builder, loc,
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, factor,
                              splat(builder, loc, factor.getType(), 1)));
    if (large->hasAttr(holdsAtFirstName))
      shrinks->setAttr(holdsAtFirstName, builder.getUnitAttr());
    Operation *product = match.newAcc.getDefiningOp();
    SmallVector<Operation *> late = {product};
    for (Value operand : product->getOperands())
      if (Operation *op = operand.getDefiningOp(); op && op->hasOneUse())
        if (isa<tile::BroadcastOp>(op))
          late.insert(late.begin(), op);
    writeBranch(builder, shrinks->getResult(0), late, match.newAcc,
                match.output);
  }

  /// Whether only `ops` and `others` use the results of `ops`.
  static bool areUsedBy(ArrayRef<Operation *> ops,
                        ArrayRef<Operation *> others) {
    return llvm::all_of(ops, [&](Operation *op) {
      return llvm::all_of(op->getUsers(), [&](Operation *user) {
        Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
        return llvm::is_contained(ops, inBlock) ||
               llvm::is_contained(others, inBlock);
      });
    });
  }

  /// Whether the deferred dot is still running while an iteration computes.
  static bool shrinksLater(const OnlineSoftmax &match) {
    MainloopOp loop = match.loop;
    return computesUnderDots(
        loop, PlanAttr::of(loop->getParentOfType<tile::KernelOp>()));
  }

  /// The column that rescales the weighted sum; null if that is computed
  /// otherwise.
  static Value factorOf(const OnlineSoftmax &match) {
    Operation *product = match.newAcc.getDefiningOp();
    for (Value operand : product->getOperands())
      if (auto row = operand.getDefiningOp<tile::BroadcastOp>();
          row && row->hasOneUse())
        return row.getSource();
    return {};
  }

  static Value splat(OpBuilder &builder, Location loc, Type type,
                     float number) {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<RankedTensorType>(type), number));
  }

  /// Moves ops into a branch that is taken if `condition` holds; their results
  /// are replaced by `otherwise` if it does not.
  static scf::IfOp writeBranch(OpBuilder &builder, Value condition,
                               ArrayRef<Operation *> ops, ValueRange wanted,
                               ValueRange otherwise) {
    OpBuilder::InsertionGuard guard(builder);
    Location loc = condition.getLoc();
    auto branch = scf::IfOp::create(builder, loc, wanted.getTypes(), condition,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, wanted);
    for (Operation *op : ops)
      op->moveBefore(yield);
    for (auto [value, result] : llvm::zip_equal(wanted, branch.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !branch->isAncestor(use.getOwner());
      });
    return branch;
  }

  /// Whether any row of a warp has a huge maximum, or none yet.
  static Value isHuge(OpBuilder &builder, Location loc, Value maximum) {
    auto type = cast<RankedTensorType>(maximum.getType());
    Value limit = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, builder.getF32FloatAttr(leastMaximum).getValue()));
    Value isLess = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT, maximum, limit);
    return AnyOp::create(builder, loc, isLess);
  }

  /// Whether a tile is a splat of a huge number.
  static bool isHugeNumber(Value tile) {
    SplatElementsAttr numbers;
    return matchPattern(tile, m_Constant(&numbers)) &&
           numbers.getSplatValue<APFloat>().convertToDouble() < leastMaximum;
  }

  static bool isMinusInfinity(Value tile) {
    return matchPattern(tile, m_NegInfFloat());
  }

  /// Whether any sum of exponentials in a warp is out of range or NaN: the
  /// first iteration has no maximum yet.
  static Operation *isLarge(OpBuilder &builder, Location loc, Value total) {
    constexpr double most = 32768;
    auto type = cast<RankedTensorType>(total.getType());
    Value limit = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getF32FloatAttr(most).getValue()));
    Value isOut = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT,
                                        total, limit);
    return AnyOp::create(builder, loc, isOut);
  }
};
} // namespace
