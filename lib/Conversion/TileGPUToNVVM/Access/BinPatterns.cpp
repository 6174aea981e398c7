// tile.atomic_rmw on few integers: a block accumulates updates in shared
// memory, then updates each element of global memory once. Elements without a
// bin are updated in global memory.
#include "Access/BinPatterns.h"
#include "Access/OrderedAccess.h"
#include "Thread/WarpShuffle.h"
#include "TileGPT/Conversion/TileToArith/AtomicUpdate.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The identity of an update.
static APInt identityOf(tile::AtomicKind kind, unsigned width) {
  switch (kind) {
  case tile::AtomicKind::Add:
  case tile::AtomicKind::Or:
  case tile::AtomicKind::Xor:
  case tile::AtomicKind::UMax:
    return APInt::getZero(width);
  case tile::AtomicKind::And:
  case tile::AtomicKind::UMin:
    return APInt::getAllOnes(width);
  case tile::AtomicKind::Max:
    return APInt::getSignedMinValue(width);
  case tile::AtomicKind::Min:
    return APInt::getSignedMaxValue(width);
  case tile::AtomicKind::Xchg:
    break;
  }
  llvm_unreachable("bins are updated in any order");
}

namespace {
class LowerBins : public OpConversionPattern<tile::AtomicRMWOp> {
public:
  LowerBins(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/3) {}

  LogicalResult
  matchAndRewrite(tile::AtomicRMWOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto bins = op->getAttrOfType<IntegerAttr>(binsName);
    if (!bins)
      return rewriter.notifyMatchFailure(op, "has no bins");
    Location loc = op.getLoc();
    Type element = op.getValue().getType().getElementType();
    Value buffer = scratchPointer(rewriter, op);
    Value identity = arith::ConstantOp::create(
        rewriter, loc,
        rewriter.getIntegerAttr(
            element,
            identityOf(op.getKind(), element.getIntOrFloatBitWidth())));
    auto binAt = [&](Value number) -> Value {
      return LLVM::GEPOp::create(rewriter, loc, buffer.getType(), element,
                                 buffer, ArrayRef<LLVM::GEPArg>{number});
    };
    ThreadTile tile(rewriter, loc, op.getValue().getType());

    emitBarrier(rewriter, loc);
    forEachBin(rewriter, op, tile, bins.getInt(), [&](Value number) {
      LLVM::StoreOp::create(rewriter, loc, identity, binAt(number));
    });
    emitBarrier(rewriter, loc);
    ValueRange mask = adaptor.getMask();
    Value base = adaptor.getBase().front();
    Value isFirstCopy = tile.isFirstCopy();
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      if (tile.isPadding(reg))
        continue;
      OpBuilder::InsertionGuard insertion(rewriter);
      enterIf(rewriter, loc,
              allOf(rewriter, loc,
                    {mask.empty() ? Value() : mask[reg], tile.isInside(reg),
                     isFirstCopy}));
      Value offset = adaptor.getOffsets()[reg];
      Value value = adaptor.getValue()[reg];
      if (op->hasAttr(firstBinsName)) {
        Value hasBin = arith::CmpIOp::create(
            rewriter, loc, arith::CmpIPredicate::ult, offset,
            arith::ConstantOp::create(
                rewriter, loc,
                rewriter.getIntegerAttr(offset.getType(), bins.getInt())));
        auto branch = scf::IfOp::create(rewriter, loc, hasBin,
                                        /*withElseRegion=*/true);
        rewriter.setInsertionPointToStart(branch.elseBlock());
        update(
            rewriter, op,
            offsetPointer(rewriter, loc, base, op.getBase().getType(), offset),
            value, op.getScope());
        rewriter.setInsertionPointToStart(branch.thenBlock());
      }
      update(rewriter, op, binAt(offset), value, tile::MemoryScope::Block);
    }
    emitBarrier(rewriter, loc);
    forEachBin(rewriter, op, tile, bins.getInt(), [&](Value number) {
      Value own = LLVM::LoadOp::create(rewriter, loc, element, binAt(number));
      enterIf(rewriter, loc,
              arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                    own, identity));
      update(rewriter, op,
             offsetPointer(rewriter, loc, base, op.getBase().getType(), number),
             own, op.getScope());
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Puts the following code into a branch, unless there is no condition.
  static void enterIf(OpBuilder &builder, Location loc, Value condition) {
    if (condition)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false)
              .thenBlock());
  }

  static void update(OpBuilder &builder, tile::AtomicRMWOp op, Value pointer,
                     Value value, tile::MemoryScope scope) {
    LLVM::AtomicRMWOp::create(
        builder, op.getLoc(), tile::binOpOf(op.getKind(), value.getType()),
        pointer, value, LLVM::AtomicOrdering::monotonic, syncScope(scope));
  }

  /// A loop over the indices (i32) of the bins assigned to a thread: adjacent
  /// threads have adjacent bins.
  static void forEachBin(OpBuilder &builder, tile::AtomicRMWOp op,
                         const ThreadTile &tile, int64_t bins,
                         function_ref<void(Value)> body) {
    constexpr int64_t lanes = 32;
    Location loc = op.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value thread = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, warpNumber(builder, loc),
                              constant(lanes)),
        laneNumber(builder, loc));
    OpBuilder::InsertionGuard insertion(builder);
    auto loop =
        scf::ForOp::create(builder, loc, thread, constant(bins),
                           constant(tile.getLayout().getNumWarps() * lanes));
    builder.setInsertionPointToStart(loop.getBody());
    body(arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                    loop.getInductionVar()));
  }
};
} // namespace

void populateBinPatterns(const ThreadTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerBins>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
