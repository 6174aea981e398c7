// Computes variables that loops count up from the number of the iteration, so
// that an access they index depends on nothing that the loop carries.
#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// What an iteration adds to a loop-carried integer, in addition to that and
/// nothing else; null if it is not the same in all iterations.
static Value addedTo(BlockArgument carried, scf::ForOp loop) {
  auto sum = loop.getTiedLoopYieldedValue(carried)
                 ->get()
                 .getDefiningOp<arith::AddIOp>();
  if (!sum || sum->getBlock() != loop.getBody())
    return {};
  for (auto [term, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                             std::pair(sum.getRhs(), sum.getLhs())})
    if (term == carried && loop.isDefinedOutsideOfLoop(other))
      return other;
  return {};
}

namespace {
/// Replaces `n = n + 2`, carried by a loop, by `start + 2 * iteration`.
struct CountIterations final : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    const std::optional<int64_t> first =
                                     getConstantIntValue(loop.getLowerBound()),
                                 step = getConstantIntValue(loop.getStep());
    if (!first || !step)
      return rewriter.notifyMatchFailure(loop, "starts or steps at run time");
    bool isChanged = false;
    for (BlockArgument carried : loop.getRegionIterArgs())
      isChanged |= succeeded(replace(carried, loop, *first, *step, rewriter));
    return success(isChanged);
  }

private:
  static LogicalResult replace(BlockArgument carried, scf::ForOp loop,
                               int64_t first, int64_t step,
                               PatternRewriter &rewriter) {
    const Value added = carried.getType().isSignlessInteger()
                            ? addedTo(carried, loop)
                            : Value();
    OpOperand *next = loop.getTiedLoopYieldedValue(carried);
    if (!added || carried.hasOneUse())
      return rewriter.notifyMatchFailure(loop, "counts nothing that it uses");
    if (!loop.getTiedLoopResult(carried).use_empty())
      return rewriter.notifyMatchFailure(loop, "the last count is used");
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
    Value number = loop.getInductionVar();
    if (first != 0)
      number = arith::SubIOp::create(b, number,
                                     arith::ConstantIndexOp::create(b, first));
    if (step != 1)
      number = arith::DivUIOp::create(b, number,
                                      arith::ConstantIndexOp::create(b, step));
    // Sums that overflow do so in both forms.
    Value count = arith::AddIOp::create(
        b, loop.getTiedLoopInit(carried)->get(),
        arith::MulIOp::create(
            b, arith::IndexCastOp::create(b, carried.getType(), number),
            added));
    rewriter.replaceAllUsesWith(carried, count);
    rewriter.modifyOpInPlace(next->getOwner(), [&] { next->set(carried); });
    return success();
  }
};
} // namespace

void populateCounterPatterns(RewritePatternSet &patterns) {
  patterns.add<CountIterations>(patterns.getContext());
}

} // namespace tilegpt::cuda_tile
