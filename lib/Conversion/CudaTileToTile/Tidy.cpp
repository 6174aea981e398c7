// Forms that later passes know, where the conversion of one op does not give
// them.
#include "Stages.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// Whether a permutation exchanges the last two axes of a matrix or of a batch.
static bool isTranspose(ArrayRef<int64_t> order) {
  return order == ArrayRef<int64_t>({1, 0}) ||
         order == ArrayRef<int64_t>({0, 2, 1});
}

namespace {
/// `dot(permute(a), b)` as `dot(a, b) transpose_a`, and the same for b.
struct FoldTranspose final : OpRewritePattern<tile::DotOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tile::DotOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<tile::PermuteOp>(),
         rhs = op.getRhs().getDefiningOp<tile::PermuteOp>();
    const bool foldsLhs = lhs && isTranspose(lhs.getPermutation()),
               foldsRhs = rhs && isTranspose(rhs.getPermutation());
    if (!foldsLhs && !foldsRhs)
      return rewriter.notifyMatchFailure(op, "no operand is a transpose");
    rewriter.modifyOpInPlace(op, [&] {
      if (foldsLhs) {
        op.getLhsMutable().assign(lhs.getSource());
        op.setTransposeA(!op.getTransposeA());
      }
      if (foldsRhs) {
        op.getRhsMutable().assign(rhs.getSource());
        op.setTransposeB(!op.getTransposeB());
      }
    });
    return success();
  }
};

/// Offsets that were 32 bits wide are extended by the access itself.
template <typename Op>
struct NarrowOffsets final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto wide = op.getOffsets().template getDefiningOp<arith::ExtSIOp>();
    if (!wide || !getElementTypeOrSelf(wide.getIn()).isInteger(32))
      return rewriter.notifyMatchFailure(op, "offsets are no extended i32");
    rewriter.modifyOpInPlace(
        op, [&] { op.getOffsetsMutable().assign(wide.getIn()); });
    return success();
  }
};
} // namespace

void populateTidyPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldTranspose, NarrowOffsets<tile::LoadAtOp>,
               NarrowOffsets<tile::StoreAtOp>, NarrowOffsets<tile::AtomicRMWOp>,
               NarrowOffsets<tile::AtomicCASOp>>(patterns.getContext());
}

} // namespace tilegpt::cuda_tile
