// Conversions of f8 types by `cvt`, which takes pairs: adjacent vector elements
// that are both extended, or single elements paired with 0.
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/TileToArith/ExpandF8.h"
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_CONVERTF8
#include "TileGPT/Conversion/DeviceMath/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

static Value i32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
}

/// Two bytes as f16.
static Value extendPair(OpBuilder &builder, Location loc, Value pair,
                        Type from) {
  return NVVM::ConvertF8x2ToF16x2Op::create(
      builder, loc, VectorType::get(2, builder.getF16Type()), pair,
      /*relu=*/false, from);
}

/// An element of a pair of f16, which represents every value of an f8 type,
/// converted to another such type.
static Value elementAs(OpBuilder &builder, Location loc, Value pair,
                       int64_t number, Type to) {
  Value half = LLVM::ExtractElementOp::create(builder, loc, pair,
                                              i32(builder, loc, number));
  if (to.isF16())
    return half;
  if (!to.isBF16())
    return arith::ExtFOp::create(builder, loc, to, half);
  Value single =
      arith::ExtFOp::create(builder, loc, builder.getF32Type(), half);
  return arith::TruncFOp::create(builder, loc, to, single);
}

namespace {
/// The source of an f8: a byte of a vector.
struct ByteOfVector {
  Value vector;
  int64_t number;

  static std::optional<ByteOfVector> of(Value element) {
    auto bits = element.getDefiningOp<arith::BitcastOp>();
    auto byte = bits ? bits.getIn().getDefiningOp<LLVM::ExtractElementOp>()
                     : LLVM::ExtractElementOp();
    APInt number;
    if (!byte || !matchPattern(byte.getPosition(), m_ConstantInt(&number)))
      return std::nullopt;
    return ByteOfVector{byte.getVector(), number.getSExtValue()};
  }
};

struct ExtendF8Pair : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    std::optional<ByteOfVector> byte = ByteOfVector::of(op.getIn());
    auto type = byte ? cast<VectorType>(byte->vector.getType()) : VectorType();
    if (!tile::isF8(from) || !type || type.getNumElements() % 2 != 0)
      return rewriter.notifyMatchFailure(op,
                                         "does not extend one byte of a pair");
    arith::ExtFOp other = findOther(op, *byte);
    if (!other)
      return rewriter.notifyMatchFailure(op, "the other byte is not extended");
    Location loc = op.getLoc();
    rewriter.setInsertionPointAfterValue(byte->vector);
    Value pairs = LLVM::BitcastOp::create(
        rewriter, loc,
        VectorType::get(type.getNumElements() / 2, rewriter.getI16Type()),
        byte->vector);
    Value pair = LLVM::ExtractElementOp::create(
        rewriter, loc, pairs, i32(rewriter, loc, byte->number / 2));
    pair = LLVM::BitcastOp::create(
        rewriter, loc, VectorType::get(2, rewriter.getI8Type()), pair);
    Value wide = extendPair(rewriter, loc, pair, from);
    for (auto [extended, number] : {std::pair(op, byte->number % 2),
                                    std::pair(other, 1 - byte->number % 2)})
      rewriter.replaceOp(
          extended, elementAs(rewriter, loc, wide, number, extended.getType()));
    return success();
  }

private:
  /// The extension of the byte paired with this one.
  static arith::ExtFOp findOther(arith::ExtFOp op, const ByteOfVector &byte) {
    for (Operation *extract : byte.vector.getUsers())
      for (Operation *bits : extract->getUsers())
        for (Operation *user : bits->getUsers()) {
          auto other = dyn_cast<arith::ExtFOp>(user);
          if (!other || other.getIn().getType() != op.getIn().getType())
            continue;
          std::optional<ByteOfVector> found = ByteOfVector::of(other.getIn());
          if (found && found->vector == byte.vector &&
              found->number == (byte.number ^ 1))
            return other;
        }
    return {};
  }
};

struct ExtendF8 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    if (!tile::isF8(from))
      return rewriter.notifyMatchFailure(op, "does not extend f8");
    Location loc = op.getLoc();
    Type byte = rewriter.getI8Type();
    Value pair = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(VectorType::get(2, byte)));
    pair = LLVM::InsertElementOp::create(
        rewriter, loc, pair,
        arith::BitcastOp::create(rewriter, loc, byte, op.getIn()),
        i32(rewriter, loc, 0));
    Value wide = extendPair(rewriter, loc, pair, from);
    rewriter.replaceOp(op, elementAs(rewriter, loc, wide, 0, op.getType()));
    return success();
  }
};

struct TruncateToF8 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType(),
         single = rewriter.getF32Type();
    if (!tile::isF8(to) || from.isF64())
      return rewriter.notifyMatchFailure(
          op, "does not truncate to f8, or truncates f64");
    Location loc = op.getLoc();
    Value value = op.getIn();
    if (from != single)
      value = arith::ExtFOp::create(rewriter, loc, single, value);
    auto constant = [&](float number) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getF32FloatAttr(number));
    };
    Type byte = rewriter.getI8Type();
    Value pair = NVVM::ConvertF32x2ToF8x2Op::create(
        rewriter, loc, rewriter.getI16Type(), constant(/*number=*/0), value,
        NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
        /*relu=*/false, to);
    Value bits = arith::TruncIOp::create(rewriter, loc, byte, pair);
    // The instruction saturates. The next bit pattern is infinity in f8E5M2 and
    // NaN in f8E4M3FN.
    Value magnitude = math::AbsFOp::create(rewriter, loc, value);
    Value isTooLarge = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OGT, magnitude,
        constant(tile::largestRoundedToF8(to)));
    Value over = arith::AddIOp::create(
        rewriter, loc, bits,
        arith::ConstantIntOp::create(rewriter, loc, byte, 1));
    bits = arith::SelectOp::create(rewriter, loc, isTooLarge, over, bits);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, to, bits);
    return success();
  }
};

struct ConvertF8 : tilegpu::impl::ConvertF8Base<ConvertF8> {
  void runOnOperation() override {
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan)
      return;
    const target::GpuTarget *target =
        target::findTarget(getOperation(), plan.getTarget());
    if (!target)
      return signalPassFailure();
    if (!target->hasFp8)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<ExtendF8Pair>(&getContext(), /*benefit=*/2);
    patterns.add<ExtendF8, TruncateToF8>(&getContext());
    if (failed(
            tilegpt::tile::expandGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
