// Elementwise ops are applied to every register; splat and iota fill registers
// by their coordinates.
#include "Thread/ThreadPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Any op with upstream's ElementwiseMappable trait, tile.cast and the like:
/// its scalar form, register by register. Operands that are not tiles (the
/// condition of a select) are shared.
struct LowerElementwise : ConversionPattern {
  LowerElementwise(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "is not elementwise");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    LayoutAttr layout = LayoutAttr::of(type);
    if (!layout)
      return rewriter.notifyMatchFailure(op, "has no layout");
    SmallVector<SmallVector<Value>> registers(op->getNumResults());
    for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
      OperationState state(op->getLoc(), op->getName());
      for (auto [operand, parts] : llvm::zip_equal(op->getOperands(), operands))
        state.addOperands(isa<RankedTensorType>(operand.getType())
                              ? parts[reg]
                              : parts.front());
      for (Type result : op->getResultTypes())
        state.addTypes(getElementTypeOrSelf(result));
      state.addAttributes(op->getAttrs());
      for (auto [parts, result] :
           llvm::zip_equal(registers, rewriter.create(state)->getResults()))
        parts.push_back(result);
    }
    rewriter.replaceOpWithMultiple(op, std::move(registers));
    return success();
  }
};

struct LowerCast : OpConversionPattern<tile::CastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::CastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getElementTypeOrSelf(op.getType());
    unsigned from =
        getElementTypeOrSelf(op.getSource().getType()).getIntOrFloatBitWidth();
    SmallVector<Value> registers;
    for (Value source : adaptor.getSource())
      registers.push_back(
          convertFloat(rewriter, op.getLoc(), source, from, type));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  static Value convertFloat(OpBuilder &builder, Location loc, Value value,
                            unsigned from, Type type) {
    unsigned to = type.getIntOrFloatBitWidth();
    if (value.getType() == type)
      return value;
    if (from < to)
      return arith::ExtFOp::create(builder, loc, type, value);
    if (from > to)
      return arith::TruncFOp::create(builder, loc, type, value);
    // Types of equal width are converted through f32.
    Value wide =
        arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    return arith::TruncFOp::create(builder, loc, type, wide);
  }
};

struct LowerSplat : OpConversionPattern<tile::SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LayoutAttr layout = LayoutAttr::of(op.getType());
    rewriter.replaceOpWithMultiple(
        op, {SmallVector<Value>(layout.getNumRegisters(), adaptor.getValue())});
    return success();
  }
};

struct LowerIota : OpConversionPattern<tile::IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::IotaOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    ThreadTile tile(rewriter, op.getLoc(), type);
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg)
      registers.push_back(arith::IndexCastOp::create(
          rewriter, op.getLoc(), type.getElementType(),
          tile.getCoordinate(reg, 0)));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void populateElementwisePatterns(const ThreadTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerElementwise, LowerCast, LowerSplat, LowerIota>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
