// tile.atomic_rmw and atomic_cas: one atomic instruction an element, by the one
// thread whose copy counts, and the old value shared with those that hold
// copies.
#include "Access/OrderedAccess.h"
#include "TileGPT/Conversion/TileToArith/AtomicUpdate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

// The order is made by fences (OrderedAccess.h), so that one form serves all
// targets; each step by itself is relaxed.
static constexpr auto relaxed = LLVM::AtomicOrdering::monotonic;

static Value
emitStep(OpBuilder &builder, tile::AtomicRMWOp op,
         tile::AtomicRMWOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
         int64_t reg, Value pointer) {
  Value value = adaptor.getValue()[reg];
  return LLVM::AtomicRMWOp::create(
      builder, op.getLoc(), tile::binOpOf(op.getKind(), value.getType()),
      pointer, value, relaxed, syncScope(op.getScope()));
}

static Value
emitStep(OpBuilder &builder, tile::AtomicCASOp op,
         tile::AtomicCASOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
         int64_t reg, Value pointer) {
  Location loc = op.getLoc();
  Value expected = adaptor.getExpected()[reg], value = adaptor.getValue()[reg];
  Type type = value.getType(),
       bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  auto asBits = [&](Value number) {
    return builder.createOrFold<LLVM::BitcastOp>(loc, bits, number);
  };
  Value pair = LLVM::AtomicCmpXchgOp::create(
      builder, loc, pointer, asBits(expected), asBits(value), relaxed, relaxed,
      syncScope(op.getScope()));
  Value old = LLVM::ExtractValueOp::create(builder, loc, pair, 0);
  return builder.createOrFold<LLVM::BitcastOp>(loc, type, old);
}

namespace {
template <typename OpT>
struct LowerAtomic : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(OpT op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getResult().getType();
    ThreadTile tile(rewriter, loc, type);
    ValueRange offsets = adaptor.getOffsets(), mask = adaptor.getMask();
    Value base = adaptor.getBase().front(), isFirstCopy = tile.isFirstCopy();
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    bool isRead = !op->use_empty();
    SmallVector<Value> registers(tile.getNumRegisters(), zero);
    emitRelease(rewriter, loc, op.getOrder(), op.getScope());
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      if (tile.isPadding(reg))
        continue;
      Value guard = allOf(rewriter, loc,
                          {mask.empty() ? Value() : mask[reg],
                           tile.isInside(reg), isFirstCopy});
      Value pointer = offsetPointer(rewriter, loc, base, op.getBase().getType(),
                                    offsets[reg]);
      if (!guard) {
        registers[reg] = emitStep(rewriter, op, adaptor, reg, pointer);
        continue;
      }
      auto branch = scf::IfOp::create(
          rewriter, loc, isRead ? TypeRange(zero.getType()) : TypeRange(),
          guard, /*withElseRegion=*/isRead);
      OpBuilder::InsertionGuard insertion(rewriter);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      Value old = emitStep(rewriter, op, adaptor, reg, pointer);
      if (!isRead)
        continue;
      scf::YieldOp::create(rewriter, loc, old);
      rewriter.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(rewriter, loc, zero);
      registers[reg] = branch.getResult(0);
    }
    emitAcquire(rewriter, loc, op.getOrder(), op.getScope());
    if (isRead)
      shareCopies(rewriter, op, tile, registers);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void populateAtomicPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<LowerAtomic<tile::AtomicRMWOp>, LowerAtomic<tile::AtomicCASOp>>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
