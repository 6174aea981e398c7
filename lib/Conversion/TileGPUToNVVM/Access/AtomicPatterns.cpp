// tile.atomic_rmw and atomic_cas: one atomic instruction per element, by the
// thread with the primary copy, whose result is broadcast to threads with
// replicas. Float additions with unused results are vectorized where the target
// supports it.
#include "Access/BinPatterns.h"
#include "Access/OffsetPlace.h"
#include "Thread/InlinePtx.h"
#include "TileGPT/Conversion/TileToArith/AtomicUpdate.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

// Memory order is implemented by fences (OrderedAccess.h), so that one form
// serves all targets; each access itself is relaxed.
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
    Value isFirstCopy = tile.isFirstCopy();
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    bool isRead = !op->use_empty();
    SmallVector<Value> registers(tile.getNumRegisters(), zero);
    emitRelease(rewriter, loc, op.getOrder(), op.getScope());
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      if (tile.isPadding(reg))
        continue;
      auto [guard, pointer] =
          placeOf(rewriter, op, adaptor, tile, reg, isFirstCopy);
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

/// "red.global.add.v4.f32", at most 16 bytes: only for floats on sm_90.
struct LowerVectorSum : OpConversionPattern<tile::AtomicRMWOp> {
  LowerVectorSum(const TypeConverter &converter, MLIRContext *context,
                 const OffsetTable &table)
      : OpConversionPattern(converter, context, /*benefit=*/2), table(table) {}

  LogicalResult
  matchAndRewrite(tile::AtomicRMWOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getResult().getType();
    Type element = type.getElementType();
    const OffsetFacts &facts = table.at(op);
    if (op.getKind() != tile::AtomicKind::Add || !op->use_empty() ||
        !(element.isF32() || element.isF16() || element.isBF16()) ||
        facts.vectorSize == 1 || !targetHasVectorSums(op))
      return failure();
    ThreadTile tile(rewriter, loc, type);
    ValueRange values = adaptor.getValue();
    Value isFirstCopy = tile.isFirstCopy();
    emitRelease(rewriter, loc, op.getOrder(), op.getScope());
    for (const ThreadTile::Group &group :
         tile.groupNeighbours(facts.vectorAxis, facts.vectorSize)) {
      int64_t first = group.front();
      auto [guard, pointer] =
          placeOf(rewriter, op, adaptor, tile, first, isFirstCopy);
      SmallVector<Value> added;
      for (int64_t reg : group)
        added.push_back(values[reg]);
      emitSum(rewriter, op, guard, pointer, added);
    }
    emitAcquire(rewriter, loc, op.getOrder(), op.getScope());
    rewriter.eraseOp(op);
    return success();
  }

private:
  static bool targetHasVectorSums(Operation *op) {
    constexpr unsigned oldest = 90;
    PlanAttr plan = PlanAttr::of(op);
    if (!plan)
      return false;
    const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
    return target && target->capability >= oldest;
  }

  static StringRef scopeOf(tile::MemoryScope scope) {
    switch (scope) {
    case tile::MemoryScope::Block:
      return ".cta";
    case tile::MemoryScope::Device:
      return ".gpu";
    case tile::MemoryScope::System:
      return ".sys";
    }
    llvm_unreachable("all scopes are handled");
  }

  /// "@$0 red.relaxed.gpu.global.add.v2.f32 [$1], {$2, $3};"
  static void emitSum(OpBuilder &builder, tile::AtomicRMWOp op, Value guard,
                      Value pointer, ArrayRef<Value> added) {
    Location loc = op.getLoc();
    Type element = added.front().getType();
    bool isWide = element.isF32();
    SmallVector<Value> operands;
    std::string text, constraints;
    llvm::raw_string_ostream os(text);
    if (guard) {
      os << "@$0 ";
      constraints += "b,";
      operands.push_back(guard);
    }
    constraints += "l";
    os << "red.relaxed" << scopeOf(op.getScope()) << ".global.add"
       << (isWide ? "" : ".noftz");
    // Elements next to padding may be alone.
    const bool isVector = added.size() > 1;
    if (isVector)
      os << ".v" << added.size();
    os << "."
       << (isWide            ? "f32"
           : element.isF16() ? "f16"
                             : "bf16")
       << " [$" << operands.size() << "], " << (isVector ? "{" : "");
    operands.push_back(pointer);
    for (auto [number, value] : llvm::enumerate(added)) {
      os << (number ? ", $" : "$") << operands.size();
      constraints += isWide ? ",f" : ",h";
      operands.push_back(isWide ? value
                                : builder.createOrFold<LLVM::BitcastOp>(
                                      loc, builder.getI16Type(), value));
    }
    os << (isVector ? "};" : ";");
    inlinePtx(builder, loc, TypeRange(), operands, text, constraints);
  }

  const OffsetTable &table;
};
} // namespace

void populateAtomicPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns,
                            const OffsetTable &table) {
  patterns.add<LowerAtomic<tile::AtomicRMWOp>, LowerAtomic<tile::AtomicCASOp>>(
      converter, patterns.getContext());
  patterns.add<LowerVectorSum>(converter, patterns.getContext(), table);
  populateBinPatterns(converter, patterns);
}

} // namespace tilegpt::tilegpu
