// Tiles that become the left operand of wgmma in registers.
#include "Thread/ThreadPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
struct LowerPack : OpConversionPattern<PackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PackOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getResult().getType().getTile().getElementType();
    Type pair = VectorType::get(2, element);
    auto position = [&](int32_t number) {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getI32IntegerAttr(number));
    };
    ValueRange registers = adaptor.getValue();
    SmallVector<Value> packed;
    if (element.isF32()) {
      for (Value value : registers)
        packed.push_back(LLVM::BitcastOp::create(rewriter, loc,
                                                 rewriter.getI32Type(), value));
      rewriter.replaceOpWithMultiple(op, {packed});
      return success();
    }
    for (size_t reg = 0; reg + 1 < registers.size(); reg += 2) {
      Value both = LLVM::PoisonOp::create(rewriter, loc, pair);
      for (int32_t number = 0; number < 2; ++number) {
        Value value = registers[reg + number];
        if (value.getType() != element)
          value = arith::TruncFOp::create(rewriter, loc, element, value);
        both = LLVM::InsertElementOp::create(rewriter, loc, both, value,
                                             position(number));
      }
      packed.push_back(
          LLVM::BitcastOp::create(rewriter, loc, rewriter.getI32Type(), both));
    }
    rewriter.replaceOpWithMultiple(op, {packed});
    return success();
  }
};
} // namespace

void populatePackPatterns(const ThreadTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LowerPack>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
