// C libraries have no power function with an integer exponent.
#include "TileGPT/Conversion/TileToArith/ExpandPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
struct ExpandPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value base = op.getLhs(), whole = op.getRhs();
    Type type = op.getType(), integers = whole.getType();
    if (isa<RankedTensorType>(type))
      return rewriter.notifyMatchFailure(op, "is not scalar yet");
    Value exponent = arith::SIToFPOp::create(rewriter, loc, type, whole);
    Value magnitude = math::AbsFOp::create(rewriter, loc, base);
    Value power = math::PowFOp::create(rewriter, loc, magnitude, exponent);
    TypedAttr one = rewriter.getIntegerAttr(getElementTypeOrSelf(integers), 1);
    if (auto vector = dyn_cast<VectorType>(integers))
      one = DenseElementsAttr::get(vector, Attribute(one));
    Value ones = arith::ConstantOp::create(rewriter, loc, one);
    Value last = arith::AndIOp::create(rewriter, loc, whole, ones);
    Value isOdd = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        last, ones);
    Value turned = math::CopySignOp::create(rewriter, loc, power, base);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isOdd, turned, power);
    return success();
  }
};
} // namespace

void populateExpandPowersPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandPower>(patterns.getContext());
}

} // namespace tilegpt::tile
