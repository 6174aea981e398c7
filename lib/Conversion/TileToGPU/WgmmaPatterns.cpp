// Dots in flight become wgmma: descriptors of swizzled buffers, accumulators as
// the registers of one warp group.
#include "DotLayouts.h"
#include "PipeAddress.h"
#include "ThreadPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Rows of one instruction, and bytes along K that it takes.
static constexpr int64_t groupRows = 64, stepBytes = 32;

/// The wgmma name of an operand's element type.
static NVVM::WGMMATypes wgmmaType(Type type) {
  if (type.isBF16())
    return NVVM::WGMMATypes::bf16;
  return type.isF16() ? NVVM::WGMMATypes::f16 : NVVM::WGMMATypes::tf32;
}

/// The matrix descriptor of a buffer that is contiguous along K: address,
/// distance of 8 rows and swizzle, in units of 16 bytes (PTX ISA, "Matrix
/// Descriptor Format").
static Value matrixDescriptor(OpBuilder &builder, Location loc, Value address,
                              int64_t swizzle) {
  constexpr int64_t unitBytes = 16, rowsOfCore = 8;
  constexpr unsigned leadingShift = 16, strideShift = 32, swizzleShift = 62;
  const uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
  const uint64_t fields = uint64_t(1) << leadingShift |
                          uint64_t(rowsOfCore * swizzle / unitBytes)
                              << strideShift |
                          mode << swizzleShift;
  // Shared memory ends below 2¹⁸, so what is left fits its field.
  Value units = arith::ShRUIOp::create(builder, loc, address,
                                       i32Constant(builder, loc, 4));
  Value wide =
      arith::ExtUIOp::create(builder, loc, builder.getI64Type(), units);
  return arith::OrIOp::create(
      builder, loc, wide,
      arith::ConstantIntOp::create(builder, loc, int64_t(fields), 64));
}

/// A descriptor moved on by `bytes`.
static Value moveDescriptor(OpBuilder &builder, Location loc, Value descriptor,
                            int64_t bytes) {
  constexpr int64_t unitBytes = 16;
  if (bytes == 0)
    return descriptor;
  return arith::AddIOp::create(
      builder, loc, descriptor,
      arith::ConstantIntOp::create(builder, loc, bytes / unitBytes, 64));
}

namespace {
struct LowerAsyncDot : OpConversionPattern<AsyncDotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AsyncDotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType tile = op.getResult().getType().getTile();
    PlanAttr plan = PlanAttr::of(op);
    if (LayoutAttr::of(tile) !=
        accumulatorLayout(DotKind::Wgmma, tile, plan.getWarps()))
      return op.emitOpError("expected the layout of a wgmma accumulator on ")
             << plan.getWarps() << " warps, found " << tile;
    SharedType lhs = op.getLhs().getType();
    int64_t elementBytes = lhs.getElementType().getIntOrFloatBitWidth() / 8;
    int64_t swizzle = lhs.getSwizzle();
    int64_t rowBytes = lhs.getShape()[1] * elementBytes;
    int64_t rows = tile.getDimSize(0), columns = tile.getDimSize(1);
    int64_t groups = groupsOfTeam(plan);
    int64_t blocks = rows / groups / groupRows;

    // A warp group's rows of the left operand; the right one is for all.
    Value address = addressOf(rewriter, loc, adaptor.getLhs().front());
    if (groups > 1)
      address = arith::AddIOp::create(
          rewriter, loc, address,
          arith::MulIOp::create(
              rewriter, loc, groupInTeam(rewriter, loc, plan),
              i32Constant(rewriter, loc, rows / groups * swizzle)));
    Value left = matrixDescriptor(rewriter, loc, address, swizzle);
    Value right = matrixDescriptor(
        rewriter, loc, addressOf(rewriter, loc, adaptor.getRhs().front()),
        swizzle);

    int64_t count = columns / 2;
    auto accType = LLVM::LLVMStructType::getLiteral(
        rewriter.getContext(), SmallVector<Type>(count, rewriter.getF32Type()));
    SmallVector<Value> accs;
    for (int64_t block = 0; block < blocks; ++block)
      accs.push_back(pack(rewriter, loc, accType,
                          op.getAcc()
                              ? adaptor.getAcc().slice(block * count, count)
                              : ValueRange()));

    NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);
    auto shape = NVVM::MMAShapeAttr::get(rewriter.getContext(), groupRows,
                                         columns, stepBytes / elementBytes);
    NVVM::WGMMATypes type = wgmmaType(lhs.getElementType());
    for (int64_t byte = 0; byte < rowBytes; byte += stepBytes) {
      int64_t panel = byte / swizzle, within = byte % swizzle;
      bool overwrites = byte == 0 && !op.getAcc();
      for (auto [block, acc] : llvm::enumerate(accs))
        acc = NVVM::WgmmaMmaAsyncOp::create(
            rewriter, loc, accType, acc,
            moveDescriptor(rewriter, loc, left,
                           within +
                               (panel * rows + block * groupRows) * swizzle),
            moveDescriptor(rewriter, loc, right,
                           within + panel * columns * swizzle),
            shape, type, type, NVVM::WGMMATypes::f32,
            overwrites ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
            NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
            NVVM::MMALayout::row, NVVM::MMALayout::col,
            NVVM::MMAIntOverflowAttr());
    }
    NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, loc);

    SmallVector<Value> registers;
    for (Value acc : accs)
      for (int64_t reg = 0; reg < count; ++reg)
        registers.push_back(
            LLVM::ExtractValueOp::create(rewriter, loc, acc, reg));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  static Value addressOf(OpBuilder &builder, Location loc, Value pointer) {
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(),
                                    pointer);
  }

  /// Registers as a struct; undefined where there are none.
  static Value pack(OpBuilder &builder, Location loc, Type type,
                    ValueRange registers) {
    Value packed = LLVM::UndefOp::create(builder, loc, type);
    for (auto [number, reg] : llvm::enumerate(registers))
      packed = LLVM::InsertValueOp::create(builder, loc, packed, reg, number);
    return packed;
  }
};

struct LowerLimitDots : OpConversionPattern<LimitDotsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LimitDotsOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::WgmmaWaitGroupSyncOp>(op, op.getCount());
    return success();
  }
};

struct LowerFinishDot : OpConversionPattern<FinishDotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FinishDotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // The registers pass through the wait, so that no use of them moves above
    // it; nothing else in SSA form would keep it below.
    ValueRange pending = adaptor.getPending();
    std::string constraints;
    llvm::raw_string_ostream text(constraints);
    for (size_t reg = 0; reg < pending.size(); ++reg)
      text << "=f,";
    text << llvm::interleaved(llvm::seq<size_t>(0, pending.size()), ",");
    auto type = LLVM::LLVMStructType::getLiteral(
        getContext(), llvm::to_vector(pending.getTypes()));
    Value settled =
        LLVM::InlineAsmOp::create(
            rewriter, loc, type, pending, "wgmma.wait_group.sync.aligned 0;",
            constraints, /*has_side_effects=*/true, /*is_align_stack=*/false,
            LLVM::tailcallkind::TailCallKind::None,
            LLVM::AsmDialectAttr::get(getContext(), LLVM::AsmDialect::AD_ATT),
            ArrayAttr())
            .getResult(0);
    SmallVector<Value> registers;
    for (size_t reg = 0; reg < pending.size(); ++reg)
      registers.push_back(
          LLVM::ExtractValueOp::create(rewriter, loc, settled, reg));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void populateWgmmaPatterns(const ThreadTypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<LowerAsyncDot, LowerLimitDots, LowerFinishDot>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
