// Tiles that become the left operand of wgmma in registers.
#include "Thread/RegisterVector.h"
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
      Value low = registers[reg], high = registers[reg + 1];
      for (Value *half : {&low, &high})
        if (half->getType() != element)
          *half = arith::TruncFOp::create(rewriter, loc, element, *half);
      packed.push_back(packHalves(rewriter, loc, low, high));
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
