// Global memory of a kernel's own, and the counters by which its blocks find
// out who comes last.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Zeroed global memory of the kernel around an op, by the name of the kernel
/// and what it is for.
static Value addressOf(OpBuilder &builder, Operation *op, const Twine &purpose,
                       Type element, int64_t count) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = (function.getSymName() + purpose).str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    constexpr unsigned lineBytes = 128;
    LLVM::GlobalOp::create(
        builder, op->getLoc(), LLVM::LLVMArrayType::get(element, count),
        /*isConstant=*/false, LLVM::Linkage::Internal, name,
        LLVM::ZeroAttr::get(builder.getContext()), lineBytes, globalSpace);
  }
  return LLVM::AddressOfOp::create(
      builder, op->getLoc(),
      LLVM::LLVMPointerType::get(builder.getContext(), globalSpace), name);
}

namespace {
struct LowerWorkspace : OpConversionPattern<WorkspaceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WorkspaceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::ViewType view = op.getResult().getType();
    SmallVector<Value> parts = {
        addressOf(rewriter, op, llvm::formatv("_workspace_{0}", op.getNumber()),
                  rewriter.getI8Type(),
                  ShapedType::getNumElements(view.getShape()) *
                      memoryBytes(view.getElementType()))};
    for (int64_t size : view.getShape())
      parts.push_back(indexConstant(rewriter, loc, size));
    for (int64_t stride : view.getKnownStrides())
      parts.push_back(indexConstant(rewriter, loc, stride));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// The last increment brings a counter round to 0.
struct LowerMeetBlocks : OpConversionPattern<MeetBlocksOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MeetBlocksOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value last = i32Constant(rewriter, loc, op.getParts() - 1);
    Value counters =
        addressOf(rewriter, op, "_blocks_met", i32, op.getGroups());
    Value group = arith::IndexCastOp::create(rewriter, loc, i32,
                                             adaptor.getGroup().front());
    Value counter =
        LLVM::GEPOp::create(rewriter, loc, counters.getType(), i32, counters,
                            ArrayRef<LLVM::GEPArg>(group));
    // What all threads of the block wrote is there before it counts.
    emitBarrier(rewriter, loc);
    auto leader =
        scf::IfOp::create(rewriter, loc, i32, isThread(rewriter, loc, 0),
                          /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(leader.thenBlock());
      Value before = inlinePtx(rewriter, loc, i32, ValueRange{counter, last},
                               "fence.acq_rel.gpu;\n"
                               "atom.relaxed.gpu.global.inc.u32 $0, [$1], $2;\n"
                               "fence.acq_rel.gpu;",
                               "=r,l,r,~{memory}")
                         .getResult(0);
      Value isLast = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, before, last);
      scf::YieldOp::create(
          rewriter, loc,
          arith::ExtUIOp::create(rewriter, loc, i32, isLast).getResult());
      rewriter.setInsertionPointToStart(leader.elseBlock());
      scf::YieldOp::create(rewriter, loc, i32Constant(rewriter, loc, 0));
    }
    auto any = NVVM::BarrierOp::create(
        rewriter, loc, i32, /*barrierId=*/Value(), /*numberOfThreads=*/Value(),
        NVVM::BarrierReductionAttr::get(getContext(),
                                        NVVM::BarrierReduction::OR),
        leader.getResult(0));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::ne,
                                               any.getResult(0),
                                               i32Constant(rewriter, loc, 0));
    return success();
  }
};
} // namespace

void populateWorkspacePatterns(const ThreadTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<LowerWorkspace, LowerMeetBlocks>(converter,
                                                patterns.getContext());
}

} // namespace tilegpt::tilegpu
