// Iterations of an online softmax in which a mask hides all scores of a block
// are not run: those before the first key that any row sees, and those behind
// the last.
#include "Mainloop/AffineCondition.h"
#include "Mainloop/OnlineSoftmax.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_BOUNDITERATIONS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// What hides scores.
struct ScoreMask {
  SmallVector<AffineCondition> conditions;
  bool hidesByInfinity = true; ///< and by no finite number
};

class Bounds {
public:
  Bounds(scf::ForOp loop, OnlineSoftmax &softmax)
      : loop(loop), softmax(softmax), builder(loop), loc(loop.getLoc()) {
    auto scores = cast<RankedTensorType>(softmax.scores.getType());
    rows = scores.getDimSize(0);
    columns = scores.getDimSize(1);
  }

  /// Whether a bound was moved.
  bool write() {
    std::optional<ScoreMask> mask = findMask();
    if (!mask)
      return false;
    SmallVector<AffineCondition> ends, begins;
    for (AffineCondition &condition : mask->conditions)
      if (condition.perIteration < 0)
        ends.push_back(condition);
      else if (condition.perIteration > 0)
        begins.push_back(condition);
    // Rows that see nothing at first become NaN in the text, unless something
    // stands in for their maximum, or it begins with a number.
    bool isGuarded = softmax.subtracted != softmax.newMaximum || beginsFinite();
    if (mask->hidesByInfinity && !isGuarded && !begins.empty()) {
      explainMissed(softmax.scores.getDefiningOp(), "mask")
          << "iterations before the first visible key are not skipped, since "
             "they make the sum NaN; mask scores with a large negative number "
             "instead of -inf, or start the maximum at one";
      begins.clear();
    }
    if (ends.empty() && begins.empty())
      return false;
    Value from = loop.getLowerBound(), to = loop.getUpperBound();
    Value first = from, end = to;
    for (AffineCondition &condition : begins)
      first =
          builder.createOrFold<arith::MaxSIOp>(loc, first, firstOf(condition));
    for (AffineCondition &condition : ends)
      end = builder.createOrFold<arith::MinSIOp>(loc, end, endOf(condition));
    Value holds = isPositive();
    if (!mask->hidesByInfinity) {
      Value seesSome = everyRowSees(mask->conditions);
      if (!seesSome)
        return false;
      holds = conjunction(holds, seesSome);
    }
    auto choose = [&](Value bound, Value otherwise) -> Value {
      return !holds || bound == otherwise
                 ? bound
                 : builder.createOrFold<arith::SelectOp>(loc, holds, bound,
                                                         otherwise);
    };
    first = choose(first, from);
    end = choose(end, to);
    if (!canReproduce(first) || !canReproduce(end)) {
      explainMissed(loop, "mask")
          << "fully masked iterations are not skipped: the mask depends on "
             "more than sizes and single elements of inputs";
      return false;
    }
    loop.setLowerBound(first);
    loop.setUpperBound(end);
    return true;
  }

private:
  bool beginsFinite() {
    FloatAttr number = splatNumberOf(loop.getInitArgs()[softmax.maximum]);
    return number && number.getValue().isFinite();
  }

  /// The comparisons by which scores are hidden, where all are affine.
  std::optional<ScoreMask> findMask() {
    ScoreMask found;
    SmallVector<Value> tiles = {softmax.scores};
    while (!tiles.empty()) {
      Value tile = tiles.pop_back_val();
      if (auto select = tile.getDefiningOp<arith::SelectOp>()) {
        Mask mask = maskOf(select);
        std::optional<SmallVector<Comparison>> comparisons =
            comparisonsOf(mask.condition, mask.keepsWhere);
        if (!comparisons || !hidesScore(mask.hidden, mask.kept))
          continue;
        SmallVector<AffineCondition> conditions;
        for (Comparison comparison : *comparisons)
          if (std::optional<AffineCondition> condition = affineCondition(
                  comparison, loop.getInductionVar(), [&](Value value) {
                    return loop.isDefinedOutsideOfLoop(value);
                  }))
            conditions.push_back(*condition);
          else
            isAffine = false;
        llvm::append_range(found.conditions, conditions);
        found.hidesByInfinity &= matchPattern(mask.hidden, m_NegInfFloat());
        tiles.push_back(mask.kept);
      } else if (auto sum = tile.getDefiningOp<arith::AddFOp>()) {
        tiles.append({sum.getLhs(), sum.getRhs()});
      }
    }
    APInt step;
    bool isPlain =
        matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isOne();
    return isPlain && !found.conditions.empty() ? std::optional(found)
                                                : std::nullopt;
  }

  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value divideUp0(Value value, int64_t by) {
    value = builder.createOrFold<arith::MaxSIOp>(loc, value, index(0));
    return builder.createOrFold<arith::DivUIOp>(loc, value, index(by));
  }
  Value conjunction(Value a, Value b) {
    return a && b ? builder.createOrFold<arith::AndIOp>(loc, a, b) : a ? a : b;
  }

  /// The row of the block for which a condition holds longest, and what the
  /// columns of an iteration add at most.
  Value mostOf(const AffineCondition &condition, int64_t more) {
    int64_t columnMost =
        condition.perColumn > 0 ? condition.perColumn * (columns - 1) : 0;
    return condition.evaluate(builder, loc, condition.perRow > 0 ? rows - 1 : 0,
                              columnMost + more);
  }
  /// The first iteration in which a condition holds anywhere:
  /// ⌈-most / perIteration⌉.
  Value firstOf(const AffineCondition &condition) {
    int64_t step = condition.perIteration;
    Value least = builder.createOrFold<arith::SubIOp>(loc, index(step - 1),
                                                      mostOf(condition, 0));
    return divideUp0(least, step);
  }
  /// The iteration behind the last one: ⌊most / -perIteration⌋ + 1.
  Value endOf(const AffineCondition &condition) {
    int64_t step = -condition.perIteration;
    return divideUp0(mostOf(condition, step), step);
  }

  /// Whether hidden scores are the smallest: null where that is known.
  Value isPositive() {
    if (softmax.isIncreasing)
      return {};
    Value factor = scalarFactor(builder, loop, softmax.scale, 1);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
    return factor
               ? builder.createOrFold<arith::CmpFOp>(
                     loc, arith::CmpFPredicate::OGT, factor, zero)
               : arith::ConstantIntOp::create(builder, loc, 0, 1).getResult();
  }

  /// Whether every row of the block sees a key in the loop. What a row sees is
  /// an interval whose length is concave in the row: the first and the last
  /// row decide. Null where it is no interval.
  Value everyRowSees(ArrayRef<AffineCondition> conditions) {
    if (!isAffine)
      return {};
    Value all;
    for (int64_t row : {int64_t(0), rows - 1}) {
      Value width = index(columns);
      Value low = builder.createOrFold<arith::MulIOp>(loc, loop.getLowerBound(),
                                                      width),
            high = builder.createOrFold<arith::SubIOp>(
                loc,
                builder.createOrFold<arith::MulIOp>(loc, loop.getUpperBound(),
                                                    width),
                index(1));
      for (const AffineCondition &condition : conditions) {
        Value rest = condition.evaluate(builder, loc, row, 0);
        int64_t step = condition.perColumn;
        if (condition.perIteration != step * columns || std::abs(step) > 1)
          return {};
        if (step < 0) {
          high = builder.createOrFold<arith::MinSIOp>(loc, high, rest);
        } else if (step > 0) {
          Value least =
              builder.createOrFold<arith::SubIOp>(loc, index(0), rest);
          low = builder.createOrFold<arith::MaxSIOp>(loc, low, least);
        } else {
          all = conjunction(
              all, builder.createOrFold<arith::CmpIOp>(
                       loc, arith::CmpIPredicate::sge, rest, index(0)));
        }
      }
      all = conjunction(all, builder.createOrFold<arith::CmpIOp>(
                                 loc, arith::CmpIPredicate::sle, low, high));
    }
    return all;
  }

  scf::ForOp loop;
  OnlineSoftmax &softmax;
  OpBuilder builder;
  Location loc;
  int64_t rows, columns;
  bool isAffine = true; ///< all that hides scores
};

struct BoundIterations : tilegpu::impl::BoundIterationsBase<BoundIterations> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (std::optional<OnlineSoftmax> softmax = matchSoftmax(loop))
        numLoops += Bounds(loop, *softmax).write();
  }
};
} // namespace
