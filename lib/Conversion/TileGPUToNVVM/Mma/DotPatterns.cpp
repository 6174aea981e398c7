// tile_gpu.dot: the layout of the accumulator determines the instruction.
#include "Mma/DotPatterns.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static DotOperand operandOf(Value source, Value buffer, bool isSumFirst,
                            bool isUnsigned) {
  auto type = cast<SharedType>(source.getType());
  int64_t first = type.getRank() - 2, second = first + 1;
  return {type, buffer, isSumFirst ? second : first,
          isSumFirst ? first : second, isUnsigned};
}

DotOperand DotOperand::lhsOf(DotOp op, Value buffer) {
  return operandOf(op.getLhs(), buffer, op.getTransposeA(),
                   op.getUnsignedLhs());
}

DotOperand DotOperand::rhsOf(DotOp op, Value buffer) {
  return operandOf(op.getRhs(), buffer, !op.getTransposeB(),
                   op.getUnsignedRhs());
}

SmallVector<int64_t> offsetsAlong(LayoutAttr layout, int64_t rank,
                                  int64_t axis) {
  SmallVector<int64_t> offsets;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
    offsets.push_back(layout.getRegisterOffset(reg, rank)[axis]);
  llvm::sort(offsets);
  offsets.erase(llvm::unique(offsets), offsets.end());
  return offsets;
}

namespace {
struct LowerDot : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto acc = cast<RankedTensorType>(op.getAcc().getType());
    LayoutAttr layout = LayoutAttr::of(acc);
    DotOperand rhs = DotOperand::rhsOf(op, adaptor.getRhs().front());
    std::optional<DotOperand> lhs;
    ValueRange registers;
    if (auto tile = dyn_cast<RankedTensorType>(op.getLhs().getType())) {
      if (op.getTransposeA() || !isMmaLhs(tile, layout))
        return op.emitOpError("expected lhs in shared memory, or in registers "
                              "as mma.sync takes it, found ")
               << tile;
      registers = adaptor.getLhs();
    } else {
      lhs = DotOperand::lhsOf(op, adaptor.getLhs().front());
    }
    rewriter.replaceOpWithMultiple(
        op, {isMmaFragment(layout, acc.getRank())
                 ? multiplyMatrices(rewriter, op, lhs, registers, rhs,
                                    adaptor.getAcc())
                 : multiplyAdd(rewriter, op, *lhs, rhs, adaptor.getAcc())});
    return success();
  }
};
} // namespace

void populateDotPatterns(const ThreadTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerDot>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
