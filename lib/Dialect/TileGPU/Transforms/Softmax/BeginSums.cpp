// Moves terms that are added to scores, or masks that hide them, into the
// initial accumulator of their dot: they are computed while the dots of the
// previous iteration run, not beside the exponentials.
#include "Softmax/BeginSums.h"
#include "Masks/SkipMasks.h"
#include "Softmax/BeginAtEnd.h"
#include "Softmax/Scores.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The scores of one softmax.
class ScoreSum {
public:
  explicit ScoreSum(const OnlineSoftmax &match)
      : loop(match.loop), scores(match.scores), sum(scores), builder(loop),
        loc(match.dot->getLoc()) {}

  /// Rewrites the dot; returns whether its accumulator has changed.
  bool write() {
    bool isOpened = findMask(), isWritten = begins();
    if (isOpened && select)
      skipMask(select);
    return isWritten;
  }

private:
  bool begins() {
    if (!findDot() || (others.empty() && hiding.empty()))
      return false;
    Value unit = scalarFactor(builder, loop, product, 1.0);
    if (!unit || !findFactors(unit))
      return false;
    OpBuilder::InsertionGuard guard(builder);
    for (LinearTerm &term : others)
      placeBefore(term.tile);
    for (const PositionCondition &part : hiding)
      placeBefore(part.tile);
    builder.setInsertionPoint(dot);
    dot.getAccMutable().assign(begin());
    builder.setInsertionPointAfter(dot);
    replaceScores(
        product.factors.empty()
            ? dot.getResult()
            : arith::MulFOp::create(builder, loc, dot.getResult(), splat(unit))
                  .getResult());
    eraseUnused();
    return true;
  }

  ValueRange carried() { return loop.getRegionIterArgs(); }
  Block &body() { return *loop.getConsumeBlock(); }
  bool isEarly(Value tile) {
    return isMadeWithoutDots(tile, body(), carried());
  }

  /// Finds the mask, which may be in a branch, and splits it into conditions on
  /// loaded values and others.
  /// \returns whether it has been moved out of its branch.
  bool findMask() {
    auto branch = scores.getDefiningOp<scf::IfOp>();
    Value masked = branch ? branch.thenYield().getOperand(
                                cast<OpResult>(scores).getResultNumber())
                          : scores;
    select = masked.getDefiningOp<arith::SelectOp>();
    if (!select)
      return false;
    Mask mask = maskOf(select);
    sum = mask.kept;
    PositionCondition kept = conditionOf(mask.condition, mask.keepsWhere);
    IterationRange range(loop, loop.getIterationArg());
    if (!matchPattern(mask.hidden, m_NegInfFloat()) ||
        !mayHideAny(range, kept) ||
        (branch && (branch.getNumResults() != 1 ||
                    branch.elseYield().getOperand(0) != sum)))
      return false;
    if (branch) {
      for (Operation &op :
           llvm::make_early_inc_range(branch.thenBlock()->without_terminator()))
        op.moveBefore(branch);
      branch.getResult(0).replaceAllUsesWith(select);
      Value taken = branch.getCondition();
      branch.erase();
      eraseQuestions(taken);
      scores = select;
    }
    addParts(range, kept);
    return true;
  }
  void addParts(const IterationRange &range, const PositionCondition &kept) {
    bool isConjunction =
        kept.kind == PositionCondition::Kind::All &&
        llvm::all_of(kept.parts, [](const PositionCondition &part) {
          return part.tile != nullptr;
        });
    if (isConjunction)
      for (const PositionCondition &part : kept.parts)
        addParts(range, part);
    else if (mayHideAny(range, kept) && isEarly(kept.tile))
      hiding.push_back(kept);
    else
      staying.push_back(kept);
  }

  /// Matches the scores as a positive multiple of a dot of the loop, without
  /// other uses, plus terms that depend on no dot.
  bool findDot() {
    if (select && !llvm::all_of(sum.getUsers(), [&](Operation *user) {
          return user == select || isa<scf::YieldOp>(user);
        }))
      return false;
    auto schedule = scheduleDots(body(), carried());
    for (LinearTerm &term : linearForm(sum, {}, /*throughBroadcasts=*/false)) {
      auto made = term.tile.getDefiningOp<tile::DotOp>();
      if (!made || made->getBlock() != &body()) {
        others.push_back(term);
        continue;
      }
      if (dot || !isZeroTile(made.getAcc()) ||
          schedule.lookup(made) != DotSchedule::Leading)
        return false;
      dot = made;
      product = term;
    }
    return dot && product.isPositive() && isUsedOnce() &&
           llvm::all_of(others, [&](LinearTerm &term) {
             return term.tile.getType() == scores.getType() &&
                    isEarly(term.tile) &&
                    (isFromF16(term.tile) || isNear(term.tile));
           });
  }

  /// Whether only the sum uses the dot and the values computed from it.
  bool isUsedOnce() {
    for (Value value = dot.getResult(); value != sum;) {
      if (!value.hasOneUse())
        return false;
      Operation *user = *value.user_begin();
      if (user->getNumResults() != 1)
        return false;
      value = user->getResult(0);
    }
    return true;
  }

  /// Whether a tile is converted from f16. Others may hide scores with numbers
  /// close to the f32 maximum, which the division would turn into minus
  /// infinity: fully masked rows would become NaN.
  static bool isFromF16(Value tile) {
    auto widened = tile.getDefiningOp<tile::CastOp>();
    return widened &&
           getElementTypeOrSelf(widened.getSource().getType()).isF16();
  }

  /// Whether a tile contains positions relative to the row, or distances from
  /// it.
  bool isNear(Value tile) {
    auto number = tile.getDefiningOp<arith::SIToFPOp>();
    Value position = number ? number.getIn() : Value();
    if (auto distance =
            position ? position.getDefiningOp<math::AbsIOp>() : math::AbsIOp())
      position = distance.getOperand();
    auto difference =
        position ? position.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
    if (!difference)
      return false;
    std::optional<AffineCondition> affine =
        IterationRange(loop, loop.getIterationArg())
            .affineOf({difference.getRhs(), difference.getLhs(), false});
    return affine && affine->rows.empty() &&
           affine->perRow + affine->perColumn == 0;
  }

  /// Finds the factors of the terms; fails if one is unknown.
  bool findFactors(Value unit) {
    Value one =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
    Value inverse = arith::DivFOp::create(builder, loc, one, unit);
    for (LinearTerm &term : others) {
      Value factor = scalarFactor(builder, loop, term, 1.0);
      if (!factor)
        return false;
      factors.push_back(arith::MulFOp::create(builder, loc, factor, inverse));
    }
    return true;
  }

  /// Moves the ops that a tile depends on before the dot.
  void placeBefore(Value tile) {
    Operation *op = tile.getDefiningOp();
    if (!op || op->getBlock() != &body() || op->isBeforeInBlock(dot))
      return;
    for (Value operand : op->getOperands())
      placeBefore(operand);
    op->moveBefore(dot);
  }

  Value splat(Value scalar) {
    auto type = cast<RankedTensorType>(scores.getType());
    return tile::SplatOp::create(builder, loc, type, scalar,
                                 builder.getI64ArrayAttr(type.getShape()));
  }

  /// The dot's initial accumulator.
  Value begin() {
    using arith::FastMathFlags;
    Value terms;
    for (auto [term, factor] : llvm::zip_equal(others, factors))
      terms =
          terms ? math::FmaOp::create(builder, loc, term.tile, splat(factor),
                                      terms, FastMathFlags::contract)
                      .getResult()
                : arith::MulFOp::create(builder, loc, term.tile, splat(factor),
                                        FastMathFlags::contract)
                      .getResult();
    if (!terms)
      terms = dot.getAcc();
    for (const PositionCondition &part : hiding) {
      Value hidden = maskOf(select).hidden;
      terms = arith::SelectOp::create(builder, loc, part.tile,
                                      part.isTrue ? terms : hidden,
                                      part.isTrue ? hidden : terms);
    }
    return terms;
  }

  /// Replaces the scores by the dot, with the remaining mask.
  void replaceScores(Value made) {
    if (hiding.empty()) {
      sum.replaceAllUsesWith(made);
      return;
    }
    builder.setInsertionPoint(select);
    Value condition;
    for (const PositionCondition &part : staying) {
      Value holds = part.tile;
      if (!part.isTrue)
        holds = arith::XOrIOp::create(
            builder, loc, holds,
            arith::ConstantOp::create(
                builder, loc,
                DenseElementsAttr::get(cast<ShapedType>(holds.getType()),
                                       true)));
      condition = condition
                      ? arith::AndIOp::create(builder, loc, condition, holds)
                            .getResult()
                      : holds;
    }
    arith::SelectOp before = select;
    select = condition ? arith::SelectOp::create(builder, loc, condition, made,
                                                 maskOf(before).hidden)
                       : arith::SelectOp();
    before.replaceAllUsesWith(select ? select.getResult() : made);
  }

  /// Erases warp votes about a mask that are dead now.
  static void eraseQuestions(Value answer) {
    Operation *op = answer.getDefiningOp();
    if (!op || !op->use_empty() || !isa<AnyOp, arith::OrIOp, arith::AndIOp>(op))
      return;
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      eraseQuestions(operand);
  }

  void eraseUnused() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  MainloopOp loop;
  Value scores, sum;
  OpBuilder builder; ///< before the loop, except for ops in it
  Location loc;
  arith::SelectOp select; ///< the mask of the scores, or null
  /// Conditions applied by the initial accumulator, and the others.
  SmallVector<PositionCondition> hiding, staying;
  tile::DotOp dot;
  LinearTerm product; ///< the dot
  SmallVector<LinearTerm> others;
  SmallVector<Value> factors; ///< of these, divided by that of the dot
};
} // namespace

bool beginSums(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  // Dots that the iteration overlaps would have to wait for each other.
  return !computesUnderDots(
             loop, PlanAttr::of(loop->getParentOfType<tile::KernelOp>())) &&
         hasNarrowFactors(loop) &&
         loop.getConsumeBlock()->getOps<tile::StoreOp>().empty() &&
         ScoreSum(match).write();
}

} // namespace tilegpt::tilegpu
