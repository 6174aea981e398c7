// Produces forms that later passes match but single-op conversions do not.
#include "Addresses.h"
#include "Stages.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// Whether a permutation swaps the last two axes of a matrix or batch.
static bool isTranspose(ArrayRef<int64_t> order) {
  return order == ArrayRef<int64_t>({1, 0}) ||
         order == ArrayRef<int64_t>({0, 2, 1});
}

namespace {
/// Folds `dot(permute(a), b)` to `dot(a, b) transpose_a`, and the same for b.
struct FoldTranspose final : OpRewritePattern<tile::DotOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tile::DotOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<tile::PermuteOp>(),
         rhs = op.getRhs().getDefiningOp<tile::PermuteOp>();
    const bool foldsLhs = lhs && isTranspose(lhs.getPermutation()),
               foldsRhs = rhs && isTranspose(rhs.getPermutation());
    if (!foldsLhs && !foldsRhs)
      return rewriter.notifyMatchFailure(op, "neither operand is a transpose");
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

/// Turns a reshape that inserts a unit axis into `expand_dims`.
struct InsertAxis final : OpRewritePattern<tile::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tile::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> from = op.getSource().getType().getShape(),
                      to = op.getType().getShape();
    if (to.size() != from.size() + 1)
      return rewriter.notifyMatchFailure(op, "does not add an axis");
    const size_t axis =
        std::mismatch(from.begin(), from.end(), to.begin()).first -
        from.begin();
    if (to[axis] != 1 || from.drop_front(axis) != to.drop_front(axis + 1))
      return rewriter.notifyMatchFailure(op, "does not only add a unit axis");
    rewriter.replaceOpWithNewOp<tile::ExpandDimsOp>(op, op.getType(),
                                                    op.getSource(), axis);
    return success();
  }
};

/// Folds reshapes and broadcasts of splats.
template <typename Op>
struct SplatOfSplat final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<tile::SplatOp>();
    auto type = cast<RankedTensorType>(op.getType());
    if (!splat)
      return rewriter.notifyMatchFailure(op, "the source is not a splat");
    rewriter.replaceOpWithNewOp<tile::SplatOp>(
        op, type, splat.getValue(), rewriter.getI64ArrayAttr(type.getShape()));
    return success();
  }
};

/// Drops the extension of 32-bit offsets, which accesses extend themselves.
template <typename Op>
struct NarrowOffsets final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto wide = op.getOffsets().template getDefiningOp<arith::ExtSIOp>();
    if (!wide || !getElementTypeOrSelf(wide.getIn()).isInteger(32))
      return rewriter.notifyMatchFailure(op,
                                         "offsets are not sign-extended i32");
    rewriter.modifyOpInPlace(
        op, [&] { op.getOffsetsMutable().assign(wide.getIn()); });
    return success();
  }
};
/// Computes an address before a pointer, where no view of its memory begins.
struct AddressBefore final : OpRewritePattern<tile::BaseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tile::BaseOp op,
                                PatternRewriter &rewriter) const override {
    auto place = op.getView().getDefiningOp<tile::SubviewOp>();
    auto memory = place ? place.getSource().getDefiningOp<tile::ViewAtOp>()
                        : tile::ViewAtOp();
    if (!memory || place.getOffsets().size() != 1)
      return rewriter.notifyMatchFailure(op, "not an offset pointer");
    const std::optional<int64_t> distance =
        getConstantIntValue(place.getOffsets().front());
    if (!distance || *distance >= 0)
      return rewriter.notifyMatchFailure(op, "not before its pointer");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value elements = arith::ConstantIntOp::create(b, *distance, /*width=*/64);
    const Type pointee = cast<tile::PtrType>(op.getType()).getPointee();
    rewriter.replaceOp(
        op, pointersAt(b, addressesOf(b, {memory.getBase(), elements}),
                       pointee)[0]);
    return success();
  }
};
} // namespace

void populateTidyPatterns(RewritePatternSet &patterns) {
  patterns
      .add<AddressBefore, InsertAxis, SplatOfSplat<tile::ReshapeOp>,
           SplatOfSplat<tile::BroadcastOp>, SplatOfSplat<tile::ExpandDimsOp>,
           FoldTranspose, NarrowOffsets<tile::LoadAtOp>,
           NarrowOffsets<tile::StoreAtOp>, NarrowOffsets<tile::AtomicRMWOp>,
           NarrowOffsets<tile::AtomicCASOp>>(patterns.getContext());
}

} // namespace tilegpt::cuda_tile
