// A warp group has fewer rows than its block: keys that none of them may see
// need no trip, though other groups take one.
#include "Mainloop/OnlineSoftmax.h"
#include "Mainloop/Positions.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_LIMITTRIPS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
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
    constexpr int64_t groupWarps = 4;
    std::optional<FedLoop> fed = findPlannedFedLoop(getOperation());
    if (!fed)
      return;
    int64_t groups = PlanAttr::of(getOperation()).getWarps() / groupWarps;
    std::optional<OnlineSoftmax> softmax = matchSoftmax(*fed);
    if (groups <= 1 || !softmax)
      return;
    scf::ForOp loop = softmax->loop;
    OpBuilder builder(loop);
    std::optional<CausalMask> mask = matchMask(builder, *softmax);
    if (!mask || mask->most != fed->getNumRows() - 1)
      return;
    Location loc = loop.getLoc();
    Arithmetic math(builder, loc);
    int64_t rows = fed->getNumRows() / groups;
    Value group = GroupOp::create(builder, loc);
    Value trips = countSeen(builder, *mask, math.mul(math.add(group, 1), rows));
    builder.setInsertionPointToStart(loop.getBody());
    LimitTripsOp::create(builder, loc, trips);
    ++numLoops;
  }

private:
  /// The mask of scores of which the maximum is made too: what it hides neither
  /// raises the maximum nor adds to a sum.
  static std::optional<CausalMask> matchMask(OpBuilder &builder,
                                             OnlineSoftmax &match) {
    auto mask = match.scores.getDefiningOp<arith::SelectOp>();
    auto larger = match.newMaximum.getDefiningOp<arith::MaximumFOp>();
    if (!mask || !matchPattern(mask.getFalseValue(), m_NegInfFloat()) ||
        !isPositive(match.scale))
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
    std::optional<int64_t> step = stepOf(compare.getLhs(), match.loop);
    std::optional<Largest> rows = largestOf(builder, column);
    if (!step || !rows || !rows->base ||
        !match.loop.isDefinedOutsideOfLoop(rows->base))
      return std::nullopt;
    return CausalMask{*step, rows->base, rows->most};
  }

  /// The trips whose keys the last of some rows may see, and those before it.
  static Value countSeen(OpBuilder &builder, CausalMask mask, Value rows) {
    Location loc = rows.getLoc();
    Arithmetic math(builder, loc);
    Value first = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), mask.base);
    Value seen = math.add(first, rows);
    return math.div(math.add(seen, mask.step - 1), mask.step);
  }
};
} // namespace
