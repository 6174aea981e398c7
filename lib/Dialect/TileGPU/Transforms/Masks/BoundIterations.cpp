// Skips iterations in which a mask hides all scores of a block: those before
// the first key that any row sees, those after the last, and those between the
// first keys and a window.
#include "Mainloop/OnlineSoftmax.h"
#include "Masks/AffineCondition.h"
#include "Masks/ComparePositions.h"
#include "Masks/EmptyWindows.h"
#include "Masks/EqualNumbers.h"
#include "Masks/HiddenGap.h"
#include "Masks/IdleIterations.h"
#include "Masks/MergeMasks.h"
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
/// The bounds of a loop under a mask.
class LoopBounds {
public:
  LoopBounds(scf::ForOp loop)
      : range(loop, loop.getInductionVar()), loop(loop), builder(loop),
        loc(loop.getLoc()), from(loop.getLowerBound()),
        to(loop.getUpperBound()) {}

  /// Skips iterations in which the condition of a tile's mask holds nowhere.
  void narrow(const PositionCondition &condition, RankedTensorType tile) {
    TilePart whole = wholeOf(tile);
    if (range.begins(condition))
      from = builder.createOrFold<arith::MaxSIOp>(
          loc, from, range.beginOf(builder, condition, whole));
    if (range.ends(condition))
      to = builder.createOrFold<arith::MinSIOp>(
          loc, to, range.endOf(builder, condition, whole));
  }
  void keepBegin() { from = loop.getLowerBound(); }
  /// Skips iterations between two parts of a mask if a condition holds; null
  /// always holds.
  bool leaveOut(const HiddenGap &gap, RankedTensorType tile, Value condition) {
    Value begin = range.endOf(builder, gap.front, wholeOf(tile)),
          end = range.beginOf(builder, gap.back, wholeOf(tile));
    if (condition)
      end = builder.createOrFold<arith::SelectOp>(loc, condition, end, begin);
    if (!canReproduce(begin) || !canReproduce(end))
      return false;
    leaveOutGap(loop, begin, end);
    return true;
  }
  /// Runs no iteration unless a condition holds.
  void keepIf(Value condition) {
    to = builder.createOrFold<arith::SelectOp>(loc, condition, to, from);
  }

  /// Skips leading iterations whose keys match no row, and trailing ones unless
  /// `keepsEnd`.
  void narrow(EqualNumbers numbers, bool keepsEnd) {
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    auto times = [&](Value index, int64_t size) {
      return builder.createOrFold<arith::MulIOp>(loc, index, constant(size));
    };
    int64_t numRows = numbers.rows.getType().getDimSize(0),
            numKeys = numbers.keys.getType().getDimSize(0);
    Value row = times(numbers.rows.getIndices().front(), numRows);
    Value behind =
        builder.createOrFold<arith::AddIOp>(loc, row, constant(numRows));
    auto keys = MatchRangeOp::create(builder, loc, numbers.keys.getView(),
                                     times(from, numKeys), times(to, numKeys),
                                     numbers.rows.getView(), row, behind);
    from = arith::DivUIOp::create(builder, loc, keys.getFirst(),
                                  constant(numKeys));
    if (!keepsEnd)
      to = arith::CeilDivUIOp::create(builder, loc, keys.getEnd(),
                                      constant(numKeys));
  }

  /// Moves the bounds if a condition holds; null always holds.
  bool write(Value condition) {
    auto choose = [&](Value bound, Value otherwise) -> Value {
      return !condition || bound == otherwise
                 ? bound
                 : builder.createOrFold<arith::SelectOp>(loc, condition, bound,
                                                         otherwise);
    };
    from = choose(from, loop.getLowerBound());
    to = choose(to, loop.getUpperBound());
    if (from == loop.getLowerBound() && to == loop.getUpperBound())
      return false;
    if (!canReproduce(from) || !canReproduce(to)) {
      explainMissed(loop, "mask")
          << "fully masked iterations are not skipped: the mask depends on "
             "more than sizes and single elements of inputs";
      return false;
    }
    loop.setLowerBound(from);
    loop.setUpperBound(to);
    return true;
  }

  const IterationRange range;

private:
  TilePart wholeOf(RankedTensorType tile) {
    return {builder.getIndexAttr(0),
            builder.getIndexAttr(tile.getDimSize(0) - 1), tile.getDimSize(1)};
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Value from, to;
};

/// The bounds of the loop of online softmaxes under the same mask.
class SoftmaxBounds {
public:
  /// \param softmaxes  at least one.
  SoftmaxBounds(scf::ForOp loop, ArrayRef<OnlineSoftmax> softmaxes)
      : loop(loop), softmaxes(softmaxes), softmax(softmaxes.front()),
        bounds(loop), builder(loop), loc(loop.getLoc()),
        tile(cast<RankedTensorType>(softmax.scores.getType())) {}

  /// Whether a bound has moved.
  bool write() {
    SoftmaxMask found = findSoftmaxMask(softmax);
    mask = std::move(found.condition);
    hidesByInfinity = found.hidesByInfinity;
    for (const OnlineSoftmax &other : softmaxes.drop_front())
      if (other.scores.getType() != tile ||
          !llvm::equal(findSoftmaxMask(other).condition.parts, mask.parts))
        return false;
    std::optional<EqualNumbers> numbers = findEqualNumbers(mask, loop, tile);
    if (numbers && !hidesByInfinity) {
      explainMissed(softmax.scores.getDefiningOp(), "mask")
          << "iterations whose keys match no row are not skipped: masked "
             "scores are finite; mask them with -inf";
      numbers.reset();
    }
    bool hasBegin = bounds.range.begins(mask) || numbers;
    std::optional<HiddenGap> gap = findHiddenGap(bounds.range, mask);
    if (!hasBegin && !gap && !bounds.range.ends(mask))
      return false;
    if (!hasOnlySoftmaxes(loop, *loop.getBody(), softmaxes)) {
      explainMissed(loop, "mask")
          << "fully masked iterations are not skipped: the loop carries values "
             "other than maximum, sum and output, or has side effects";
      return false;
    }
    Value holds;
    for (const OnlineSoftmax &each : softmaxes)
      holds = conjunction(holds, isPositive(each));
    if (!hidesByInfinity) {
      Value seesSome = everyRowSees(mask);
      if (!seesSome)
        return false;
      holds = conjunction(holds, seesSome);
    }
    bounds.narrow(mask, tile);
    if (numbers)
      bounds.narrow(*numbers, bounds.range.ends(mask));
    // Rows that see no key at first become NaN in the original kernel, unless
    // their maximum is guarded or starts with a finite number.
    bool isGuarded = llvm::all_of(softmaxes, [&](const OnlineSoftmax &each) {
      return isGuardedMaximum(loop, each);
    });
    if (hidesByInfinity && !isGuarded && hasBegin) {
      explainMissed(softmax.scores.getDefiningOp(), "mask")
          << "iterations before the first unmasked key are not skipped, since "
             "they make the sum NaN; mask scores with a large negative number "
             "instead of -inf, or start the maximum at such a number";
      bounds.keepBegin();
    }
    // In the gap, too, unless they have seen one before it.
    Value seesFront;
    if (gap && hidesByInfinity && !isGuarded) {
      seesFront = everyRowSees(gap->front);
      if (!seesFront)
        gap.reset();
    }
    bool isNarrow = bounds.write(holds);
    return (gap &&
            bounds.leaveOut(*gap, tile, conjunction(holds, seesFront))) ||
           isNarrow;
  }

private:
  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value conjunction(Value a, Value b) {
    return a && b ? builder.createOrFold<arith::AndIOp>(loc, a, b) : a ? a : b;
  }

  /// Whether hidden scores are the smallest: null if that is known.
  Value isPositive(const OnlineSoftmax &softmax) {
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

  using Conditions = SmallVector<AffineCondition>;

  /// A condition as a disjunction of conjunctions of affine conditions; nullopt
  /// if parts of it are not affine.
  std::optional<SmallVector<Conditions>>
  waysOf(const PositionCondition &condition) {
    using Kind = PositionCondition::Kind;
    constexpr size_t most = 8;
    if (condition.kind == Kind::Unknown)
      return std::nullopt;
    if (condition.kind == Kind::Comparison) {
      std::optional<AffineCondition> affine =
          bounds.range.affineOf(condition.comparison);
      return affine ? std::optional(SmallVector<Conditions>{{*affine}})
                    : std::nullopt;
    }
    SmallVector<Conditions> ways;
    if (condition.kind == Kind::All)
      ways.push_back({});
    for (const PositionCondition &part : condition.parts) {
      std::optional<SmallVector<Conditions>> more = waysOf(part);
      if (!more)
        return std::nullopt;
      if (condition.kind == Kind::Any) {
        llvm::append_range(ways, *more);
        continue;
      }
      SmallVector<Conditions> both;
      for (const Conditions &first : ways)
        for (const Conditions &second : *more) {
          both.push_back(first);
          llvm::append_range(both.back(), second);
        }
      ways = std::move(both);
      if (ways.size() > most)
        return std::nullopt;
    }
    return ways;
  }

  /// Whether a condition lets every row of the block see a key in the loop,
  /// within one conjunction. Null if unknown.
  Value everyRowSees(const PositionCondition &condition) {
    std::optional<SmallVector<Conditions>> ways = waysOf(condition);
    if (!ways)
      return {};
    Value any;
    for (const Conditions &way : *ways)
      if (Value all = everyRowSees(way))
        any = any ? builder.createOrFold<arith::OrIOp>(loc, any, all) : all;
    return any;
  }

  /// Whether every row sees a key if all of the conditions must hold. The keys
  /// that a row sees are an interval whose length is concave in the row, so the
  /// first and the last row decide. Null if they are no interval, or not known
  /// to be concave.
  Value everyRowSees(ArrayRef<AffineCondition> conditions) {
    int64_t rows = tile.getDimSize(0), columns = tile.getDimSize(1);
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
        Value rest =
            condition.evaluate(builder, loc, builder.getIndexAttr(row), 0);
        int64_t step = condition.perColumn;
        if (!condition.rows.empty() ||
            condition.perIteration != step * columns || std::abs(step) > 1)
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
  ArrayRef<OnlineSoftmax> softmaxes;
  const OnlineSoftmax &softmax; ///< the first one
  LoopBounds bounds;
  OpBuilder builder;
  Location loc;
  RankedTensorType tile;
  PositionCondition mask;
  bool hidesByInfinity = true;
};

struct BoundIterations : tilegpu::impl::BoundIterationsBase<BoundIterations> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (matchPattern(loop.getStep(), m_One()))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      if (!loop.getBody()->getOps<tile::DotOp>().empty()) {
        numMasks += mergeMasks(*loop.getBody());
        numComparisons += comparePositions(loop);
      }
      SmallVector<OnlineSoftmax, 2> softmaxes = matchSoftmaxes(loop);
      numLoops += softmaxes.empty() ? leaveOutIdle(loop)
                                    : SoftmaxBounds(loop, softmaxes).write();
      if (!loop.getBody()->getOps<tile::DotOp>().empty())
        numLoops += leaveOutUnused(loop);
    }
  }

private:
  /// Bounds any loop by the masks that make its iterations idle.
  static bool leaveOutIdle(scf::ForOp loop) {
    LoopBounds bounds(loop);
    for (const IdleMask &mask : findIdleMasks(loop, *loop.getBody()))
      bounds.narrow(mask.condition, mask.type);
    return bounds.write(/*condition=*/{});
  }

  /// Runs a loop not at all in blocks that store none of its results.
  static bool leaveOutUnused(scf::ForOp loop) {
    Value keeps = guardResults(loop);
    if (!keeps)
      return false;
    LoopBounds bounds(loop);
    bounds.keepIf(keeps);
    return bounds.write(/*condition=*/{});
  }
};
} // namespace
