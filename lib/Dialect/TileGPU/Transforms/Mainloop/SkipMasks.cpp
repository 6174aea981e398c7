// Masks that compare positions are all true in most iterations of a loop: those
// iterations pass them by.
#include "Mainloop/MaskConditions.h"
#include "Mainloop/Positions.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SKIPMASKS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct SkipMasks : tilegpu::impl::SkipMasksBase<SkipMasks> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan || !plan.getProducer())
      return;
    SmallVector<arith::SelectOp> masks;
    getOperation().walk([&](arith::SelectOp select) {
      if (isa<MainloopOp, scf::ForOp>(select->getParentOp()) &&
          isa<RankedTensorType>(select.getCondition().getType()))
        masks.push_back(select);
    });
    for (arith::SelectOp mask : masks)
      skip(mask);
  }

private:
  void skip(arith::SelectOp select) {
    Mask mask = maskOf(select);
    Operation *condition = mask.condition.getDefiningOp();
    if (!condition || condition->getBlock() != select->getBlock())
      return;
    std::optional<SmallVector<Comparison>> comparisons =
        comparisonsOf(mask.condition, mask.keepsWhere);
    if (!comparisons)
      return;
    if (llvm::all_of(*comparisons, [&](Comparison comparison) {
          return neverFails(comparison, *select->getBlock());
        })) {
      select.replaceAllUsesWith(mask.kept);
      select.erase();
      ++numMasks;
      return;
    }
    OpBuilder builder(select);
    Location loc = select.getLoc();
    Value fails;
    for (Comparison comparison : *comparisons) {
      Value failed = failsInWarp(builder, loc, comparison);
      if (!failed)
        return;
      fails =
          fails ? arith::OrIOp::create(builder, loc, fails, failed).getResult()
                : failed;
    }
    auto branch = scf::IfOp::create(builder, loc, select.getType(), fails,
                                    /*withElseRegion=*/true);
    select.replaceAllUsesWith(branch.getResult(0));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, mask.kept);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, select.getResult());
    select->moveBefore(yield);
    sinkBefore(select, condition);
    sinkBefore(select, mask.hidden.getDefiningOp());
    ++numMasks;
  }

  /// Whether the positions of all iterations of a loop are known, and lie
  /// before a number: keys of whole tiles, say.
  static bool neverFails(Comparison comparison, Block &body) {
    // Both kinds of loop have the number of the iteration as first argument and
    // the bounds as first operands.
    Value end = body.getParentOp()->getOperand(1);
    std::optional<int64_t> step = stepOf(comparison.lhs, body.getArgument(0)),
                           iterations = getConstantIntValue(end);
    SplatElementsAttr bound;
    if (!step || !iterations ||
        !matchPattern(comparison.rhs, m_Constant(&bound)))
      return false;
    auto keys = cast<RankedTensorType>(comparison.lhs.getType());
    int64_t last = (*iterations - 1) * *step + keys.getShape().back() - 1,
            limit = bound.getSplatValue<APInt>().getSExtValue();
    return comparison.isStrict ? last < limit : last <= limit;
  }

  /// Moves what only a mask needs in front of its first user there: its
  /// condition, and what stands where it does not keep a score.
  static void sinkBefore(Operation *user, Operation *op) {
    Block *branch = user->getBlock();
    if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
        isa<tile::DotOp>(op) ||
        op->getBlock() != branch->getParentOp()->getBlock())
      return;
    for (Operation *other : op->getUsers()) {
      if (other->getBlock() != branch)
        return;
      if (other->isBeforeInBlock(user))
        user = other;
    }
    op->moveBefore(user);
    for (Value operand : op->getOperands())
      sinkBefore(op, operand.getDefiningOp());
  }
};
} // namespace
