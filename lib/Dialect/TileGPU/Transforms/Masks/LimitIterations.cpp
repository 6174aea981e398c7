// Limits the iterations of a warp group, which has fewer rows than its block,
// to keys that its rows may see.
#include "Mainloop/OnlineSoftmax.h"
#include "Masks/AffineCondition.h"
#include "Masks/IdleIterations.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
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

/// Whether some rows see fewer iterations of a loop than others.
static bool differsByRow(const IterationRange &range,
                         const PositionCondition &condition) {
  if (condition.kind == PositionCondition::Kind::Comparison) {
    std::optional<AffineCondition> affine =
        range.affineOf(condition.comparison);
    return affine && affine->perIteration < 0 && affine->dependsOnRow();
  }
  return llvm::any_of(condition.parts, [&](const PositionCondition &part) {
    return differsByRow(range, part);
  });
}

namespace {
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
    Block &body = *loop.getConsumeBlock();
    // Warp groups that write operands for each other run the same iterations.
    if (!findStaged(body, loop.getRegionIterArgs()).empty())
      return;
    // Groups whose dots overlap the next iteration take turns.
    auto schedule = scheduleDots(body, loop.getRegionIterArgs());
    auto *deferred = llvm::find_if(schedule, [](auto &entry) {
      return entry.second == DotSchedule::Deferred;
    });
    if (deferred == schedule.end())
      return;
    tile::DotOp dot = deferred->first;
    IdleMask mask = findMask(loop, body);
    int64_t allRows = dot.getAcc().getType().getDimSize(0);
    if (!mask.type || mask.type.getRank() != 2 ||
        mask.type.getDimSize(0) != allRows)
      return;
    IterationRange range(loop, loop.getIterationArg());
    if (!range.ends(mask.condition) || !differsByRow(range, mask.condition))
      return;
    OpBuilder builder(loop);
    Arithmetic math(builder, loop.getLoc());
    int64_t rows = allRows / groups;
    Value group = GroupOp::create(builder, loop.getLoc());
    Value first = math.mul(group, rows),
          behind = math.mul(math.add(group, 1), rows);
    Value iterations =
        range.endOf(builder, mask.condition,
                    {first, math.sub(behind, 1), mask.type.getDimSize(1)});
    builder.setInsertionPointToStart(&body);
    LimitIterationsOp::create(builder, loop.getLoc(), iterations);
    ++numLoops;
  }

  /// For online softmaxes, their common mask that hides scores by minus
  /// infinity, which neither raises a maximum nor adds to a sum. For other
  /// loops, a mask that makes iterations idle. Without a type if there is none.
  static IdleMask findMask(MainloopOp loop, Block &body) {
    IdleMask common;
    SmallVector<OnlineSoftmax, 2> softmaxes = matchSoftmaxes(loop);
    for (const OnlineSoftmax &softmax : softmaxes) {
      IdleMask mask = findMask(softmax);
      if (!mask.type ||
          (common.type &&
           (mask.type != common.type || !(mask.condition == common.condition))))
        return {};
      common = mask;
    }
    if (!softmaxes.empty())
      return hasOnlySoftmaxes(loop, body, softmaxes) ? common : IdleMask();
    SmallVector<IdleMask> masks = findIdleMasks(loop, body);
    return masks.empty() ? IdleMask() : masks.front();
  }

  static IdleMask findMask(const OnlineSoftmax &softmax) {
    auto select = softmax.scores.getDefiningOp<arith::SelectOp>();
    if (!select || !softmax.isIncreasing)
      return {};
    Mask mask = maskOf(select);
    if (!matchPattern(mask.hidden, m_NegInfFloat()))
      return {};
    return {conditionOf(mask.condition, mask.keepsWhere),
            cast<RankedTensorType>(select.getType())};
  }
};
} // namespace
