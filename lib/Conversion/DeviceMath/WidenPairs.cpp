// A bf16 is the upper half of the f32 of the same value. Of two in a word, one
// is already in place, and the other needs a shift: one instruction each, and
// one register for both until then. A byte below the upper bytes of a power of
// two is that power plus the byte: a permutation and a difference.
#include "NarrowTypes.h"
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

template <typename Convert>
struct ConvertByte : OpRewritePattern<Convert> {
  using OpRewritePattern<Convert>::OpRewritePattern;

  LogicalResult matchAndRewrite(Convert op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isSigned = std::is_same_v<Convert, arith::SIToFPOp>;
    constexpr int64_t signs = 0x8080;
    auto byte = op.getIn().template getDefiningOp<LLVM::ExtractElementOp>();
    auto bytes =
        byte ? dyn_cast<VectorType>(byte.getVector().getType()) : VectorType();
    Type to = op.getType();
    APInt number;
    if (!bytes || !bytes.getElementType().isInteger(8) ||
        bytes.getNumElements() % 2 != 0 || (!to.isF16() && !to.isF32()) ||
        !matchPattern(byte.getPosition(), m_ConstantInt(&number)))
      return rewriter.notifyMatchFailure(op, "converts no byte of a pair");
    // Those are converted to f16 (populateNarrowArithmetic).
    bool isRounded = llvm::all_of(op->getUsers(), [](Operation *user) {
      auto narrow = dyn_cast<arith::TruncFOp>(user);
      return narrow && narrow.getType().isF16();
    });
    if (to.isF32() && isRounded)
      return rewriter.notifyMatchFailure(op, "is rounded to f16");
    Location loc = op.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(rewriter, loc, value, /*width=*/32);
    };
    int64_t place = number.getSExtValue();
    Value pairs = LLVM::BitcastOp::create(
        rewriter, loc,
        VectorType::get(bytes.getNumElements() / 2, rewriter.getI16Type()),
        byte.getVector());
    Value pair = LLVM::ExtractElementOp::create(rewriter, loc, pairs,
                                                constant(place / 2));
    pair = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), pair);
    // Signed bytes plus 128 are unsigned.
    if (isSigned)
      pair = arith::XOrIOp::create(rewriter, loc, pair, constant(signs));
    Value value = to.isF16()
                      ? halfOf(rewriter, loc, pair, place % 2, isSigned)
                      : singleOf(rewriter, loc, pair, place % 2, isSigned);
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  static constexpr double signedBase = 128;

  /// The bytes of a word and of `upper` that the digits of `selector` number,
  /// lowest first.
  static Value permute(OpBuilder &builder, Location loc, Value word,
                       int64_t upper, int64_t selector) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
    };
    return LLVM::CallIntrinsicOp::create(
               builder, loc, builder.getI32Type(),
               builder.getStringAttr("llvm.nvvm.prmt"),
               ValueRange{word, constant(upper), constant(selector)})
        .getResult(0);
  }

  /// Both bytes are converted at once, and one of them is extracted.
  static Value halfOf(OpBuilder &builder, Location loc, Value pair,
                      int64_t number, bool isSigned) {
    constexpr double base = 1024;
    constexpr int64_t upperBytes = 0x6464, selector = 0x4140;
    auto type = VectorType::get(2, builder.getF16Type());
    Value sums = LLVM::BitcastOp::create(
              builder, loc, type,
              permute(builder, loc, pair, upperBytes, selector)),
          bases = arith::ConstantOp::create(
              builder, loc,
              DenseElementsAttr::get(
                  type, builder
                            .getF16FloatAttr(
                                float(base + (isSigned ? signedBase : 0)))
                            .getValue()));
    Value values = arith::SubFOp::create(builder, loc, sums, bases);
    return LLVM::ExtractElementOp::create(
        builder, loc, values,
        arith::ConstantIntOp::create(builder, loc, number, /*width=*/32));
  }

  static Value singleOf(OpBuilder &builder, Location loc, Value pair,
                        int64_t number, bool isSigned) {
    constexpr double base = 1 << 23;
    constexpr int64_t bitsOfBase = 0x4B000000, selector = 0x7440;
    Value sum = arith::BitcastOp::create(
        builder, loc, builder.getF32Type(),
        permute(builder, loc, pair, bitsOfBase, selector | number));
    return arith::SubFOp::create(
        builder, loc, sum,
        arith::ConstantOp::create(builder, loc,
                                  builder.getF32FloatAttr(float(
                                      base + (isSigned ? signedBase : 0)))));
  }
};

/// Bits of a word, such as a 4-bit weight, below the exponent of 2^23: the mask
/// and the exponent are one instruction.
template <typename Convert>
struct ConvertBits : OpRewritePattern<Convert> {
  using OpRewritePattern<Convert>::OpRewritePattern;

  LogicalResult matchAndRewrite(Convert op,
                                PatternRewriter &rewriter) const override {
    constexpr double base = 1 << 23;
    constexpr int64_t bitsOfBase = 0x4B000000;
    auto bits = op.getIn().template getDefiningOp<arith::AndIOp>();
    APInt mask;
    if (!bits || !op.getIn().getType().isInteger(32) || !op.getType().isF32() ||
        !matchPattern(bits.getRhs(), m_ConstantInt(&mask)) ||
        mask.uge(uint64_t(base)))
      return rewriter.notifyMatchFailure(op, "converts no low bits of a word");
    Location loc = op.getLoc();
    Value sum = arith::OrIOp::create(
        rewriter, loc, bits,
        arith::ConstantIntOp::create(rewriter, loc, bitsOfBase, /*width=*/32));
    rewriter.replaceOpWithNewOp<arith::SubFOp>(
        op, arith::BitcastOp::create(rewriter, loc, rewriter.getF32Type(), sum),
        arith::ConstantOp::create(rewriter, loc,
                                  rewriter.getF32FloatAttr(float(base))));
    return success();
  }
};
} // namespace

void tilegpt::tilegpu::populateWidenPairs(RewritePatternSet &patterns) {
  patterns.add<WidenHalf, ConvertByte<arith::SIToFPOp>,
               ConvertByte<arith::UIToFPOp>, ConvertBits<arith::SIToFPOp>,
               ConvertBits<arith::UIToFPOp>>(patterns.getContext());
}
