// A warp group has fewer rows than its block: keys that none of them may see
// need no trip, though other groups take one.
#include "Arithmetic.h"
#include "OnlineSoftmax.h"
#include "Positions.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_LIMITTRIPS
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether a tile or scalar of floats is greater than 0 everywhere.
static bool isPositive(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number.isFinite() && !number.isZero() && !number.isNegative();
  if (isa<tile::SplatOp, math::RsqrtOp>(op))
    return isPositive(op->getOperand(0));
  return isa<arith::MulFOp>(op) && isPositive(op->getOperand(0)) &&
         isPositive(op->getOperand(1));
}

namespace {
/// Position number `trip` · `step` and up, compared with those of rows.
struct CausalMask {
  int64_t step;
  /// Positions behind the first one of the block that its last row may see.
  Value base;
  int64_t most;
};

struct LimitTrips : tilegpu::impl::LimitTripsBase<LimitTrips> {
  void runOnOperation() override {
    PlanAttr plan = PlanAttr::of(getOperation());
    constexpr int64_t groupWarps = 4;
    if (!plan || !plan.getProducer() || plan.getWarps() <= groupWarps)
      return;
    std::optional<FedLoop> fed = findFedLoop(getOperation());
    std::optional<OnlineSoftmax> softmax;
    if (fed)
      softmax = matchSoftmax(*fed);
    if (!softmax || !isPositive(softmax->scale))
      return;
    std::optional<CausalMask> mask = matchMask(*softmax);
    if (!mask || mask->most != fed->getNumRows() - 1)
      return;
    limit(softmax->loop, *mask,
          fed->getNumRows() / (plan.getWarps() / groupWarps));
    ++numLoops;
  }

private:
  /// The mask of scores of which the maximum is made too: what it hides neither
  /// raises the maximum nor adds to a sum.
  static std::optional<CausalMask> matchMask(OnlineSoftmax &match) {
    auto mask = match.scores.getDefiningOp<arith::SelectOp>();
    auto larger = match.newMaximum.getDefiningOp<arith::MaximumFOp>();
    if (!mask || !matchPattern(mask.getFalseValue(), m_NegInfFloat()))
      return std::nullopt;
    auto isMaximum = [&](Value value) {
      auto reduce = value.getDefiningOp<tile::ReduceOp>();
      return reduce && reduce.getKind() == tile::ReduceKind::Max &&
             reduce.getSources().front() == match.scores;
    };
    Value maximum = match.loop.getRegionIterArg(match.maximum);
    auto compare = mask.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::sle ||
        !((larger.getLhs() == maximum && isMaximum(larger.getRhs())) ||
          (larger.getRhs() == maximum && isMaximum(larger.getLhs()))))
      return std::nullopt;
    Value column = columnOf(compare.getRhs());
    if (!column)
      return std::nullopt;
    OpBuilder builder(match.loop);
    std::optional<int64_t> step = stepOf(compare.getLhs(), match.loop);
    std::optional<Largest> rows = largestOf(builder, column);
    if (!step || !rows || !rows->base ||
        !match.loop.isDefinedOutsideOfLoop(rows->base))
      return std::nullopt;
    return CausalMask{*step, rows->base, rows->most};
  }

  /// How far the positions of a trip are from those of the one before: they are
  /// the number of the trip times that, and what counts up from there.
  static std::optional<int64_t> stepOf(Value keys, scf::ForOp loop) {
    if (auto broadcast = keys.getDefiningOp<tile::BroadcastOp>())
      keys = broadcast.getSource();
    auto sum = keys.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return std::nullopt;
    for (auto [first, count] : {std::pair(sum.getLhs(), sum.getRhs()),
                                std::pair(sum.getRhs(), sum.getLhs())}) {
      auto splat = first.getDefiningOp<tile::SplatOp>();
      if (!splat || !count.getDefiningOp<tile::IotaOp>())
        continue;
      Value scalar = splat.getValue();
      if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
        scalar = cast.getIn();
      auto product = scalar.getDefiningOp<arith::MulIOp>();
      APInt step;
      if (product && product.getLhs() == loop.getInductionVar() &&
          matchPattern(product.getRhs(), m_ConstantInt(&step)) &&
          step.isStrictlyPositive())
        return step.getSExtValue();
    }
    return std::nullopt;
  }

  static void limit(scf::ForOp loop, CausalMask mask, int64_t groupRows) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Arithmetic math(builder, loc);
    // Of the last row of group g: base + (g + 1)·rows - 1, and those before it.
    Value first = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), mask.base);
    Value group = GroupOp::create(builder, loc);
    Value seen = math.add(first, math.mul(math.add(group, 1), groupRows));
    Value trips = math.div(math.add(seen, mask.step - 1), mask.step);
    builder.setInsertionPointToStart(loop.getBody());
    LimitTripsOp::create(builder, loc, trips);
  }
};
} // namespace
