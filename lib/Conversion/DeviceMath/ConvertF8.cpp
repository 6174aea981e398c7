// Conversions of f8 types by `cvt`, one element at a time: of the pair that the
// instruction takes the other one is 0.
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Conversion/TileToArith/ExpandF8.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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

namespace {
struct ExtendF8 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType(),
         half = rewriter.getF16Type();
    if (!tile::isF8(from))
      return rewriter.notifyMatchFailure(op, "extends no f8");
    Location loc = op.getLoc();
    Type byte = rewriter.getI8Type();
    Value pair = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(VectorType::get(2, byte)));
    pair = LLVM::InsertElementOp::create(
        rewriter, loc, pair,
        arith::BitcastOp::create(rewriter, loc, byte, op.getIn()),
        i32(rewriter, loc, 0));
    Value wide = NVVM::ConvertF8x2ToF16x2Op::create(
        rewriter, loc, VectorType::get(2, half), pair, /*relu=*/false, from);
    Value result = LLVM::ExtractElementOp::create(rewriter, loc, wide,
                                                  i32(rewriter, loc, 0));
    if (to.isBF16()) {
      // Holds every value of an f8 type as well.
      Value single =
          arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(), result);
      result = arith::TruncFOp::create(rewriter, loc, to, single);
    } else if (!to.isF16()) {
      result = arith::ExtFOp::create(rewriter, loc, to, result);
    }
    rewriter.replaceOp(op, result);
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
      return rewriter.notifyMatchFailure(op, "makes no f8, or of f64");
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
    // The instruction stops at the largest number. The bits that follow it are
    // infinity in f8E5M2 and NaN in f8E4M3FN.
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
    auto target = target::GpuTarget::find(plan.getTarget());
    if (!target) {
      getOperation().emitOpError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    if (!target->hasFp8)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<ExtendF8, TruncateToF8>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
