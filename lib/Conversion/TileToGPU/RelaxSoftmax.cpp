// Softmax does not care what is subtracted from its exponents. A loop that
// brings a maximum along may keep the one it has while the exponentials stay in
// range; only where they leave it is the trip computed as it is written.
#include "OnlineSoftmax.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXSOFTMAX
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct RelaxSoftmax : tilegpu::impl::RelaxSoftmaxBase<RelaxSoftmax> {
  void runOnOperation() override {
    SmallVector<MainloopOp> loops;
    getOperation().walk([&](MainloopOp loop) { loops.push_back(loop); });
    for (MainloopOp loop : loops)
      if (std::optional<OnlineSoftmax> match = matchSoftmax(loop)) {
        relax(*match);
        ++numLoops;
      }
  }

private:
  /// The ops of the trip on which some values depend and which depend on the
  /// new maximum themselves, in their order.
  static SmallVector<Operation *> exactSlice(OnlineSoftmax &match,
                                             ArrayRef<Value> wanted) {
    llvm::SetVector<Operation *> reached;
    Operation *larger = match.newMaximum.getDefiningOp();
    auto reach = [&](auto &reach, Value value) -> bool {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != match.loop.getConsumeBlock())
        return false;
      if (op == larger || reached.contains(op))
        return true;
      bool depends = false;
      for (Value operand : op->getOperands())
        depends |= reach(reach, operand);
      if (depends)
        reached.insert(op);
      return depends;
    };
    for (Value value : wanted)
      reach(reach, value);
    SmallVector<Operation *> ops(reached.begin(), reached.end());
    llvm::sort(ops, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
    return ops;
  }

  static void relax(OnlineSoftmax match) {
    MainloopOp loop = match.loop;
    OpBuilder builder(match.dot);
    Location loc = match.dot.getLoc();
    Value maximum = loop.getRegionIterArgs()[match.maximum],
          sum = loop.getRegionIterArgs()[match.sum];

    // With the maximum that is there.
    IRMapping kept;
    kept.map(match.newMaximum, maximum);
    for (Operation *op : exactSlice(match, {match.lhs, match.total}))
      builder.clone(*op, kept);
    Value total = kept.lookup(match.total);
    Value keptSum = arith::AddFOp::create(builder, loc, sum, total);
    Operation *large = isLarge(builder, loc, total);
    if (isMinusInfinity(loop.getInitArgs()[match.maximum]))
      large->setAttr(holdsAtFirstName, builder.getUnitAttr());

    // As it is written.
    SmallVector<Value> wanted = {match.newMaximum, match.newSum, match.newAcc,
                                 match.lhs};
    auto branch =
        scf::IfOp::create(builder, loc, TypeRange(ValueRange(wanted)),
                          large->getResult(0), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(
        builder, loc,
        ValueRange{maximum, keptSum, match.output, kept.lookup(match.lhs)});
    SmallVector<Operation *> exact = exactSlice(match, wanted);
    auto *larger = match.newMaximum.getDefiningOp();
    exact.insert(exact.begin(), larger);
    // What only the new maximum is made of.
    for (Value operand : larger->getOperands())
      if (auto reduce = operand.getDefiningOp<tile::ReduceOp>();
          reduce && reduce->hasOneUse())
        exact.insert(exact.begin(), reduce);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, wanted);
    for (Operation *op : exact)
      op->moveBefore(yield);
    for (auto [value, result] : llvm::zip_equal(wanted, branch.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !branch->isAncestor(use.getOwner());
      });
  }

  static bool isMinusInfinity(Value tile) {
    return matchPattern(tile, m_NegInfFloat());
  }

  /// Whether any sum of exponentials in a warp is out of range, or no number:
  /// the first trip has no maximum yet.
  static Operation *isLarge(OpBuilder &builder, Location loc, Value total) {
    constexpr double most = 32768;
    auto type = cast<RankedTensorType>(total.getType());
    Value limit = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getF32FloatAttr(most).getValue()));
    Value isOut = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT,
                                        total, limit);
    return AnyOp::create(builder, loc, builder.getI1Type(), isOut);
  }
};
} // namespace
