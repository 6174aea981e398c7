// Arithmetic and conversions of f8, f16 and bf16 in terms of what every host
// does exactly.
#include "TileGPT/Conversion/TileToArith/ExpandF8.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_EXPANDFLOATS
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

static Type withElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

static Value integerConstant(OpBuilder &builder, Location loc, Type type,
                             int64_t value) {
  TypedAttr attribute =
      builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// Whether a type is one of those that are expanded.
static bool isNarrow(Type type, bool onlyF8) {
  Type element = getElementTypeOrSelf(type);
  return onlyF8
             ? tilegpt::tile::isF8(element)
             : isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
}

/// f64 to f32, rounded to odd: a later rounding to fewer digits then gives what
/// one rounding would have given.
static Value truncateToOdd(OpBuilder &builder, Location loc, Value value) {
  Type wide = value.getType();
  Type narrow = withElement(wide, builder.getF32Type());
  Type bits = withElement(wide, builder.getI32Type());
  Value nearest = arith::TruncFOp::create(builder, loc, narrow, value);
  Value back = arith::ExtFOp::create(builder, loc, wide, nearest);
  Value exact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UEQ,
                                      back, value);
  // In units of the last digit: one less where rounding went away from zero,
  // then the digit made odd.
  auto magnitude = [&](Value x) {
    Type integer = withElement(wide, builder.getI64Type());
    Value raw = arith::BitcastOp::create(builder, loc, integer, x);
    return arith::AndIOp::create(
        builder, loc, raw,
        integerConstant(builder, loc, integer, 0x7FFFFFFFFFFFFFFF));
  };
  Value away = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                     magnitude(back), magnitude(value));
  Value step = arith::ExtUIOp::create(builder, loc, bits, away);
  Value raw = arith::BitcastOp::create(builder, loc, bits, nearest);
  Value towardsZero = arith::SubIOp::create(builder, loc, raw, step);
  Value odd = arith::OrIOp::create(builder, loc, towardsZero,
                                   integerConstant(builder, loc, bits, 1));
  Value chosen = arith::SelectOp::create(builder, loc, exact, raw, odd);
  return arith::BitcastOp::create(builder, loc, narrow, chosen);
}

namespace {
/// A pattern for ops on the types that are expanded.
template <typename Op>
struct NarrowPattern : OpRewritePattern<Op> {
  NarrowPattern(MLIRContext *context, bool onlyF8)
      : OpRewritePattern<Op>(context), onlyF8(onlyF8) {}

protected:
  bool isNarrow(Type type) const { return ::isNarrow(type, onlyF8); }

private:
  bool onlyF8;
};

struct TruncateF64 : NarrowPattern<arith::TruncFOp> {
  using NarrowPattern::NarrowPattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF64() || !isNarrow(op.getType()))
      return rewriter.notifyMatchFailure(op, "rounds once as it is");
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, op.getType(), truncateToOdd(rewriter, op.getLoc(), op.getIn()));
    return success();
  }
};

struct ExtendToF64 : NarrowPattern<arith::ExtFOp> {
  using NarrowPattern::NarrowPattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getIn().getType()) ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "is one step");
    Value middle = arith::ExtFOp::create(
        rewriter, op.getLoc(), withElement(op.getType(), rewriter.getF32Type()),
        op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), middle);
    return success();
  }
};

/// Integers reach a narrow float through a float that holds them: f32 up to 16
/// bits, f64 beyond.
template <typename Op>
struct IntegerToNarrow : NarrowPattern<Op> {
  using NarrowPattern<Op>::NarrowPattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!this->isNarrow(op.getType()))
      return rewriter.notifyMatchFailure(op, "rounds once as it is");
    unsigned width =
        getElementTypeOrSelf(op.getIn().getType()).getIntOrFloatBitWidth();
    Type wide = withElement(op.getType(), width <= 16 ? rewriter.getF32Type()
                                                      : rewriter.getF64Type());
    Value value = Op::create(rewriter, op.getLoc(), wide, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), value);
    return success();
  }
};

/// Upstream takes a fused multiply-add for what any host has.
struct WidenFma : NarrowPattern<math::FmaOp> {
  using NarrowPattern::NarrowPattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getType()))
      return rewriter.notifyMatchFailure(op, "is wide");
    Type wide = withElement(op.getType(), rewriter.getF32Type());
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(
          arith::ExtFOp::create(rewriter, op.getLoc(), wide, operand));
    Value result = math::FmaOp::create(rewriter, op.getLoc(), operands[0],
                                       operands[1], operands[2]);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
};

struct ExpandFloats : tilegpt::cpu::impl::ExpandFloatsBase<ExpandFloats> {
  using ExpandFloatsBase::ExpandFloatsBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet conversions(context);
    conversions.add<WidenFma, TruncateF64, ExtendToF64,
                    IntegerToNarrow<arith::SIToFPOp>,
                    IntegerToNarrow<arith::UIToFPOp>>(context, onlyF8);
    if (failed(applyPatternsGreedily(getOperation(), std::move(conversions))))
      return signalPassFailure();

    Builder builder(context);
    SmallVector<Type> types = {builder.getType<Float8E4M3FNType>(),
                               builder.getType<Float8E5M2Type>()};
    if (!onlyF8)
      types.append({builder.getF16Type(), builder.getBF16Type()});
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(converter, types,
                                                       builder.getF32Type());
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    // Choosing rounds nothing.
    target.addLegalOp<arith::SelectOp>();
    RewritePatternSet arithmetic(context);
    arith::populateEmulateUnsupportedFloatsPatterns(arithmetic, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(arithmetic))))
      return signalPassFailure();

    RewritePatternSet expansions(context);
    tilegpt::tile::populateExpandF8Patterns(expansions);
    if (!onlyF8)
      arith::populateExpandBFloat16Patterns(expansions);
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      return signalPassFailure();
  }
};
} // namespace
