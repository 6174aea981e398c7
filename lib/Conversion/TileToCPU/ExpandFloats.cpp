// Arithmetic and conversions of f8, f16 and bf16 by exact host operations.
#include "NewCasts.h"
#include "TileGPT/Conversion/TileToArith/ExpandF8.h"
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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

/// Whether a type is expanded.
static bool isNarrow(Type type, bool onlyF8) {
  Type element = getElementTypeOrSelf(type);
  return onlyF8
             ? tilegpt::tile::isF8(element)
             : isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
}

/// f64 to f32, rounded to odd, so that rounding to fewer digits gives the same
/// result as a single rounding.
static Value truncateToOdd(OpBuilder &builder, Location loc, Value value) {
  Type wide = value.getType();
  Type narrow = withElement(wide, builder.getF32Type());
  Type bits = withElement(wide, builder.getI32Type());
  Value nearest = arith::TruncFOp::create(builder, loc, narrow, value);
  Value back = arith::ExtFOp::create(builder, loc, wide, nearest);
  Value exact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UEQ,
                                      back, value);
  // In units in the last place: one less if rounding increased the magnitude,
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
/// A pattern for ops on expanded types.
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
      return rewriter.notifyMatchFailure(op, "already rounds once");
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
      return rewriter.notifyMatchFailure(op, "is a single step");
    Value middle = arith::ExtFOp::create(
        rewriter, op.getLoc(), withElement(op.getType(), rewriter.getF32Type()),
        op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), middle);
    return success();
  }
};

/// Integers are converted to a narrow float through a float that represents
/// them: f32 up to 16 bits, f64 beyond.
template <typename Op>
struct IntegerToNarrow : NarrowPattern<Op> {
  using NarrowPattern<Op>::NarrowPattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!this->isNarrow(op.getType()))
      return rewriter.notifyMatchFailure(op, "already rounds once");
    unsigned width =
        getElementTypeOrSelf(op.getIn().getType()).getIntOrFloatBitWidth();
    Type wide = withElement(op.getType(), width <= 16 ? rewriter.getF32Type()
                                                      : rewriter.getF64Type());
    Value value = Op::create(rewriter, op.getLoc(), wide, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), value);
    return success();
  }
};

/// A sum of f64 rounded to odd, by the error of the rounded one (Knuth's
/// TwoSum): NaN and infinity have none.
static Value addToOdd(OpBuilder &builder, Location loc, Value a, Value b) {
  auto add = [&](Value x, Value y) {
    return arith::AddFOp::create(builder, loc, x, y);
  };
  auto subtract = [&](Value x, Value y) {
    return arith::SubFOp::create(builder, loc, x, y);
  };
  Value sum = add(a, b);
  Value second = subtract(sum, a);
  Value first = subtract(sum, second);
  Value error = add(subtract(a, first), subtract(b, second));

  Type bits = withElement(sum.getType(), builder.getI64Type());
  auto constant = [&](int64_t value) {
    return integerConstant(builder, loc, bits, value);
  };
  Value raw = arith::BitcastOp::create(builder, loc, bits, sum);
  Value other = arith::BitcastOp::create(builder, loc, bits, error);
  // Rounding increased the magnitude if the error has the opposite sign.
  Value away = arith::ShRUIOp::create(
      builder, loc, arith::XOrIOp::create(builder, loc, raw, other),
      constant(63));
  Value odd = arith::OrIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, raw, away),
      constant(1));
  Value zero = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(sum.getType())));
  Value isRounded = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ONE, error, zero);
  return arith::BitcastOp::create(
      builder, loc, sum.getType(),
      arith::SelectOp::create(builder, loc, isRounded, odd, raw));
}

/// Upstream assumes that every host has FMA. The product of two narrow numbers
/// is exact in f64.
struct WidenFma : NarrowPattern<math::FmaOp> {
  using NarrowPattern::NarrowPattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrow(op.getType()))
      return rewriter.notifyMatchFailure(op, "is not a narrow type");
    Type wide = withElement(op.getType(), rewriter.getF64Type());
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(
          arith::ExtFOp::create(rewriter, op.getLoc(), wide, operand));
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), operands[0], operands[1]);
    Value sum = addToOdd(rewriter, op.getLoc(), product, operands[2]);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), sum);
    return success();
  }
};

/// The maximum of two zeros is the positive one, the minimum the negative one.
/// Hosts return either; GPUs order only zeros of f32, so 16-bit numbers are
/// compared as f32 there. Equal numbers have the same bits except for the sign
/// of zero.
template <typename Op, typename Combine>
struct OrderZeros : OpRewritePattern<Op> {
  OrderZeros(MLIRContext *context, bool ordersF32)
      : OpRewritePattern<Op>(context), ordersF32(ordersF32) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (ordersF32 && getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "the instruction orders zeros");
    // Padding: poison, whose bits the folders cannot handle.
    if (op.getLhs().template getDefiningOp<LLVM::PoisonOp>() ||
        op.getRhs().template getDefiningOp<LLVM::PoisonOp>())
      return rewriter.notifyMatchFailure(op, "has a poison operand");
    auto noSignedZeros = arith::FastMathFlags::nsz;
    if (arith::bitEnumContainsAny(op.getFastmath(), noSignedZeros))
      return rewriter.notifyMatchFailure(op, "the sign of zeros is irrelevant");
    auto isNoZero = [](Value value) {
      APFloat constant(0.0);
      return matchPattern(value, m_ConstantFloat(&constant)) &&
             !constant.isZero();
    };
    if (isNoZero(op.getLhs()) || isNoZero(op.getRhs()))
      return rewriter.notifyMatchFailure(op,
                                         "an operand is a nonzero constant");
    Location loc = op.getLoc();
    Type type = op.getType();
    Type element = getElementTypeOrSelf(type);
    if (ordersF32 && (element.isF16() || element.isBF16())) {
      Type wide = withElement(type, rewriter.getF32Type());
      Value lhs = arith::ExtFOp::create(rewriter, loc, wide, op.getLhs());
      Value rhs = arith::ExtFOp::create(rewriter, loc, wide, op.getRhs());
      Value chosen = Op::create(rewriter, loc, lhs, rhs, op.getFastmath());
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, chosen);
      return success();
    }
    Type bits = withElement(
        type, rewriter.getIntegerType(
                  getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
    Value chosen = Op::create(rewriter, loc, op.getLhs(), op.getRhs(),
                              op.getFastmath() | noSignedZeros);
    Value equal = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OEQ, op.getLhs(), op.getRhs());
    Value both = Combine::create(
        rewriter, loc,
        arith::BitcastOp::create(rewriter, loc, bits, op.getLhs()),
        arith::BitcastOp::create(rewriter, loc, bits, op.getRhs()));
    Value zero = arith::BitcastOp::create(rewriter, loc, type, both);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, equal, zero, chosen);
    return success();
  }

  bool ordersF32; ///< the target does
};

struct ExpandFloats : tilegpt::cpu::impl::ExpandFloatsBase<ExpandFloats> {
  using ExpandFloatsBase::ExpandFloatsBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet conversions(context);
    conversions.add<WidenFma, TruncateF64, ExtendToF64,
                    IntegerToNarrow<arith::SIToFPOp>,
                    IntegerToNarrow<arith::UIToFPOp>>(context, onlyF8);
    conversions.add<OrderZeros<arith::MaxNumFOp, arith::AndIOp>,
                    OrderZeros<arith::MinNumFOp, arith::OrIOp>,
                    OrderZeros<arith::MaximumFOp, arith::AndIOp>,
                    OrderZeros<arith::MinimumFOp, arith::OrIOp>>(
        context, /*ordersF32=*/onlyF8);
    if (failed(tilegpt::tile::expandGreedily(getOperation(),
                                             std::move(conversions))))
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
    // A select does not round.
    target.addLegalOp<arith::SelectOp>();
    tilegpt::cpu::NewCasts casts(getOperation());
    RewritePatternSet arithmetic(context);
    arith::populateEmulateUnsupportedFloatsPatterns(arithmetic, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(arithmetic))))
      return signalPassFailure();
    casts.round();

    RewritePatternSet expansions(context);
    tilegpt::tile::populateExpandF8Patterns(expansions);
    if (!onlyF8)
      arith::populateExpandBFloat16Patterns(expansions);
    if (failed(tilegpt::tile::expandGreedily(getOperation(),
                                             std::move(expansions))))
      return signalPassFailure();
  }
};
} // namespace
