// Canonicalizes the sums and maxima of an online softmax.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Folds a reduction and the re-added axis into a reduction that keeps it.
struct KeptAxis : OpRewritePattern<tile::ExpandDimsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::ExpandDimsOp expand,
                                PatternRewriter &rewriter) const override {
    auto reduce = expand.getSource().getDefiningOp<tile::ReduceOp>();
    if (!reduce || reduce.getKeepdims() || reduce.getNumResults() != 1 ||
        !reduce->hasOneUse() || reduce.getAxis() != expand.getAxis())
      return rewriter.notifyMatchFailure(expand,
                                         "does not restore a reduced axis");
    rewriter.setInsertionPoint(reduce);
    auto kept = cast<tile::ReduceOp>(rewriter.clone(*reduce));
    kept.setKeepdims(true);
    kept.getResult(0).setType(expand.getType());
    rewriter.replaceOp(expand, kept);
    rewriter.eraseOp(reduce);
    return success();
  }
};

/// Splits an fma of a loop-carried value into a product and a sum, which may be
/// contracted again.
struct UnfuseCarriedSum : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp fma,
                                PatternRewriter &rewriter) const override {
    auto loop = dyn_cast<scf::ForOp>(fma->getParentOp());
    Value carried[] = {fma.getA(), fma.getB()};
    auto reduce = fma.getC().getDefiningOp<tile::ReduceOp>();
    if (!loop || !reduce || reduce.getKind() != tile::ReduceKind::Add ||
        llvm::none_of(loop.getRegionIterArgs(), [&](Value argument) {
          return llvm::is_contained(carried, argument);
        }))
      return rewriter.notifyMatchFailure(fma, "not a loop-carried sum");
    auto flags = fma.getFastmath() | arith::FastMathFlags::contract;
    Value product = arith::MulFOp::create(rewriter, fma.getLoc(), fma.getA(),
                                          fma.getB(), flags);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(fma, product, fma.getC(), flags);
    return success();
  }
};
} // namespace

void populateSumPatterns(RewritePatternSet &patterns) {
  patterns.add<KeptAxis, UnfuseCarriedSum>(patterns.getContext());
}

} // namespace tilegpt::tilegpu
