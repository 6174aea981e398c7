// A bf16 is the upper half of the f32 of the same value. Of two in a word, one
// is already in place, and the other needs a shift: one instruction each, and
// one register for both until then.
#include "WidenPairs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
struct WidenHalf : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    constexpr int64_t halfBits = 16, upperHalf = 0xFFFF0000;
    auto half = op.getIn().getDefiningOp<LLVM::ExtractElementOp>();
    auto pair =
        half ? dyn_cast<VectorType>(half.getVector().getType()) : VectorType();
    APInt number;
    if (!pair || !pair.getElementType().isBF16() ||
        pair.getNumElements() % 2 != 0 || !op.getType().isF32() ||
        !matchPattern(half.getPosition(), m_ConstantInt(&number)))
      return rewriter.notifyMatchFailure(op, "is not half of a word");
    Location loc = op.getLoc();
    auto wordType = rewriter.getI32Type();
    const int64_t words = pair.getNumElements() / 2;
    Value word = LLVM::BitcastOp::create(
        rewriter, loc,
        words == 1 ? Type(wordType) : VectorType::get(words, wordType),
        half.getVector());
    if (words > 1) {
      Value position = arith::ConstantOp::create(
          rewriter, loc,
          rewriter.getIntegerAttr(wordType, number.getZExtValue() / 2));
      word = LLVM::ExtractElementOp::create(rewriter, loc, wordType, word,
                                            position);
    }
    auto constant = [&](int64_t bits) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getIntegerAttr(wordType, bits));
    };
    Value bits =
        !number[0]
            ? arith::ShLIOp::create(rewriter, loc, word, constant(halfBits))
                  .getResult()
            : arith::AndIOp::create(rewriter, loc, word, constant(upperHalf))
                  .getResult();
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), bits);
    return success();
  }
};
} // namespace

void tilegpt::tilegpu::populateWidenPairs(RewritePatternSet &patterns) {
  patterns.add<WidenHalf>(patterns.getContext());
}
