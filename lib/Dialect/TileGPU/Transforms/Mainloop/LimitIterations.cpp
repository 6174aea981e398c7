// A warp group has fewer rows than its block: keys that none of them may see
// need no iteration, though other groups take one.
#include "Mainloop/MaskConditions.h"
#include "Mainloop/OnlineSoftmax.h"
#include "Mainloop/Positions.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_LIMITITERATIONS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Position number `iteration` · `step` and up, compared with those of rows.
struct CausalMask {
  int64_t step;
  /// Positions behind the first one of the block that its last row may see.
  Value base;
  int64_t most;
  /// Whether a row does not see its own position.
  bool isStrict;
};

struct LimitIterations : tilegpu::impl::LimitIterationsBase<LimitIterations> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    constexpr int64_t groupWarps = 4;
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan || !plan.getProducer())
      return;
    int64_t groups = plan.getWarps() / groupWarps;
    if (groups <= 1)
      return;
    getOperation().walk([&](MainloopOp loop) { limit(loop, groups); });
  }

private:
  void limit(MainloopOp loop, int64_t groups) {
    // Warp groups that write operands for each other have equal iterations.
    if (!findStaged(*loop.getConsumeBlock(), loop.getRegionIterArgs()).empty())
      return;
    std::optional<OnlineSoftmax> softmax = matchSoftmax(loop);
    if (!softmax)
      return;
    OpBuilder builder(loop);
    std::optional<CausalMask> mask = matchMask(builder, *softmax);
    int64_t allRows = softmax->dot.getAcc().getType().getDimSize(0);
    if (!mask || mask->most != allRows - 1)
      return;
    Location loc = loop.getLoc();
    Arithmetic math(builder, loc);
    int64_t rows = allRows / groups;
    Value group = GroupOp::create(builder, loc);
    Value iterations =
        countSeen(builder, *mask, math.mul(math.add(group, 1), rows));
    builder.setInsertionPointToStart(loop.getConsumeBlock());
    LimitIterationsOp::create(builder, loc, iterations);
    ++numLoops;
  }

  /// The mask of scores of which the maximum is made too: what it hides neither
  /// raises the maximum nor adds to a sum.
  static std::optional<CausalMask> matchMask(OpBuilder &builder,
                                             OnlineSoftmax &match) {
    auto select = match.scores.getDefiningOp<arith::SelectOp>();
    if (!select || !match.isIncreasing)
      return std::nullopt;
    Mask mask = maskOf(select);
    std::optional<SmallVector<Comparison>> comparisons =
        comparisonsOf(mask.condition, mask.keepsWhere);
    if (!comparisons || !matchPattern(mask.hidden, m_NegInfFloat()))
      return std::nullopt;
    for (Comparison comparison : *comparisons)
      if (std::optional<CausalMask> found =
              matchComparison(builder, match, comparison))
        return found;
    return std::nullopt;
  }

  /// `column number <= row number`.
  static std::optional<CausalMask> matchComparison(OpBuilder &builder,
                                                   OnlineSoftmax &match,
                                                   Comparison comparison) {
    Value column = columnOf(comparison.rhs);
    if (!column)
      return std::nullopt;
    std::optional<int64_t> step =
        stepOf(comparison.lhs, match.loop.getIterationArg());
    std::optional<Largest> rows = largestOf(builder, column);
    if (!step || !rows || !rows->base ||
        !match.loop.isDefinedOutsideOfLoop(rows->base))
      return std::nullopt;
    return CausalMask{*step, rows->base, rows->most, comparison.isStrict};
  }

  /// The iterations whose keys the last of some rows may see, and those before
  /// it.
  static Value countSeen(OpBuilder &builder, CausalMask mask, Value rows) {
    Location loc = rows.getLoc();
    Arithmetic math(builder, loc);
    Value first = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), mask.base);
    Value seen = math.add(first, rows);
    if (mask.isStrict)
      seen = math.sub(seen, 1);
    return math.div(math.add(seen, mask.step - 1), mask.step);
  }
};
} // namespace
