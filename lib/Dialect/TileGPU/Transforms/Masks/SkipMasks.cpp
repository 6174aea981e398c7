// Masks that compare positions are true everywhere in most iterations of a
// loop: those iterations skip them.
#include "Masks/SkipMasks.h"
#include "EraseDead.h"
#include "Masks/AffineCondition.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

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
    const bool hasOneGroup = plan.getWarps() == groupWarps;
    SmallVector<arith::SelectOp> masks, branched;
    getOperation().walk([&](arith::SelectOp select) {
      if (!isa<RankedTensorType>(select.getCondition().getType()) ||
          isBeginning(select) || (hasOneGroup && isOperand(select)))
        return;
      Operation *parent = select->getParentOp();
      if (isa<MainloopOp, scf::ForOp>(parent))
        masks.push_back(select);
      else if (isa<scf::IfOp>(parent) &&
               isa<MainloopOp, scf::ForOp>(parent->getParentOp()))
        branched.push_back(select);
    });
    for (arith::SelectOp mask : masks)
      numMasks += skip(mask);
    for (arith::SelectOp mask : branched)
      skipParts(mask);
  }

  static bool skip(arith::SelectOp select) {
    Mask mask = maskOf(select);
    Operation *condition = mask.condition.getDefiningOp();
    if (!condition || condition->getBlock() != select->getBlock())
      return false;
    PositionCondition kept = conditionOf(mask.condition, mask.keepsWhere);
    auto shape = cast<RankedTensorType>(select.getType()).getShape();
    if (alwaysHolds(kept, shape, *select->getBlock())) {
      select.replaceAllUsesWith(mask.kept);
      select.erase();
      return true;
    }
    OpBuilder builder(select);
    Location loc = select.getLoc();
    Value fails = failsInWarp(builder, loc, kept);
    if (!fails)
      return false;
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
    return true;
  }

private:
  /// Whether a tile is computed from loads of the iteration, not from dots, and
  /// only dots use it as an operand: it is computed while earlier dots run, and
  /// ptxas waits for these before a branch.
  static bool isBeginning(arith::SelectOp select) {
    if (select->use_empty())
      return false;
    // Only operands of dots are computed from it.
    llvm::SetVector<Operation *> ops;
    ops.insert(select);
    for (size_t i = 0; i < ops.size(); ++i)
      for (OpOperand &use : ops[i]->getUses()) {
        Operation *user = use.getOwner();
        if (auto dot = dyn_cast<tile::DotOp>(user)) {
          if (dot.getAcc() == use.get())
            return false;
        } else if (user->getNumRegions() != 0 || !isMemoryEffectFree(user) ||
                   user->hasTrait<OpTrait::IsTerminator>()) {
          return false;
        } else {
          ops.insert(user);
        }
      }
    // No dot contributes to it.
    ops.clear();
    ops.insert(select);
    for (size_t i = 0; i < ops.size(); ++i)
      for (Value operand : ops[i]->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && maker->getBlock() == select->getBlock()) {
          if (isa<tile::DotOp>(maker))
            return false;
          ops.insert(maker);
        }
    return true;
  }

  /// Whether a dot reads a tile, converted or as it is. A single warp group
  /// computes it while an earlier dot runs; ptxas serializes dots with operands
  /// from a branch (C7513).
  static bool isOperand(Value tile) {
    return llvm::any_of(tile.getUsers(), [&](Operation *user) {
      if (auto dot = dyn_cast<tile::DotOp>(user))
        return dot.getAcc() != tile;
      return isa<tile::CastOp, arith::TruncFOp>(user) &&
             isOperand(user->getResult(0));
    });
  }

  /// Whether a warp checks each element of a tile, which costs as much as the
  /// select.
  static bool isAskedByElement(Value fails) {
    auto any = fails.getDefiningOp<AnyOp>();
    return any &&
           llvm::none_of(
               cast<RankedTensorType>(any->getOperand(0).getType()).getShape(),
               [](int64_t size) { return size == 1; });
  }

  /// Checks each condition of a mask in a branch separately: sliding windows
  /// have two bounds, and few tiles are cut by both.
  void skipParts(arith::SelectOp select) {
    Mask mask = maskOf(select);
    PositionCondition kept = conditionOf(mask.condition, mask.keepsWhere);
    Block *block = select->getBlock();
    auto isHere = [&](const PositionCondition &part) {
      Operation *op = part.tile ? part.tile.getDefiningOp() : nullptr;
      return op && op->getBlock() == block;
    };
    if (kept.kind != PositionCondition::Kind::All || kept.parts.size() < 2 ||
        !llvm::all_of(kept.parts, isHere))
      return;
    OpBuilder builder(select);
    Location loc = select.getLoc();
    Operation *last = select->getPrevNode();
    SmallVector<Value> fails;
    for (const PositionCondition &part : kept.parts) {
      Value one = failsInWarp(builder, loc, part);
      if (one && !isAskedByElement(one)) {
        fails.push_back(one);
        continue;
      }
      while (select->getPrevNode() != last)
        select->getPrevNode()->erase();
      return;
    }
    SmallVector<arith::SelectOp> parts;
    Value tile = mask.kept;
    for (auto [part, fail] : llvm::zip_equal(kept.parts, fails)) {
      auto branch = scf::IfOp::create(builder, loc, select.getType(), fail,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(builder, loc, tile);
      builder.setInsertionPointToStart(branch.thenBlock());
      parts.push_back(arith::SelectOp::create(
          builder, loc, part.tile, part.isTrue ? tile : mask.hidden,
          part.isTrue ? mask.hidden : tile));
      scf::YieldOp::create(builder, loc, parts.back().getResult());
      tile = branch.getResult(0);
    }
    select.replaceAllUsesWith(tile);
    select.erase();
    eraseDead(mask.condition.getDefiningOp());
    for (auto [part, masked] : llvm::zip_equal(kept.parts, parts))
      sinkBefore(masked, part.tile.getDefiningOp());
    ++numMasks;
  }

  /// Whether a condition holds for all elements of a tile in all iterations of
  /// a loop with known bounds: keys of whole tiles are below a bound.
  static bool alwaysHolds(const PositionCondition &condition,
                          ArrayRef<int64_t> shape, Block &body) {
    using Kind = PositionCondition::Kind;
    auto part = [&](const PositionCondition &part) {
      return alwaysHolds(part, shape, body);
    };
    switch (condition.kind) {
    case Kind::Unknown:
      return false;
    case Kind::All:
      return llvm::all_of(condition.parts, part);
    case Kind::Any:
      return llvm::any_of(condition.parts, part);
    case Kind::Comparison:
      break;
    }
    // Both kinds of loops have the iteration number as first argument and the
    // bounds as first operands.
    auto loop = cast<LoopLikeOpInterface>(body.getParentOp());
    std::optional<AffineCondition> affine =
        IterationRange(loop, body.getArgument(0))
            .affineOf(condition.comparison);
    std::optional<int64_t> from = getConstantIntValue(loop->getOperand(0)),
                           to = getConstantIntValue(loop->getOperand(1));
    if (!affine || !affine->base.empty() || !affine->rows.empty() || !from ||
        !to)
      return false;
    auto least = [](int64_t factor, int64_t first, int64_t last) {
      return factor * (factor < 0 ? last : first);
    };
    return affine->constant + least(affine->perRow, 0, shape[0] - 1) +
               least(affine->perColumn, 0, shape[1] - 1) +
               least(affine->perIteration, *from, *to - 1) >=
           0;
  }

  /// Sinks ops that only a mask needs to their first user there: its condition,
  /// and the values that replace hidden scores.
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

bool tilegpu::skipMask(arith::SelectOp select) {
  return SkipMasks::skip(select);
}
