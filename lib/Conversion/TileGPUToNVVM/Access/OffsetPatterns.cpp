// tile.load_at and store_at: vectorized where elements are adjacent in memory,
// predicated if masked; ordered accesses are per element.
#include "Access/OffsetPlace.h"
#include "Access/PredicatedAccess.h"
#include "Thread/RegisterVector.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Conversion/TileToArith/PadValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using tilegpt::tile::MemoryOrder;

namespace tilegpt::tilegpu {

/// As an integer, which is what LLVM moves in one piece.
static Type bitsOf(Builder &builder, Type memory) {
  return builder.getIntegerType(memory.getIntOrFloatBitWidth());
}

namespace {
template <typename OpT>
struct OffsetPattern : OpConversionPattern<OpT> {
  OffsetPattern(const TypeConverter &converter, MLIRContext *context,
                const OffsetTable &table)
      : OpConversionPattern<OpT>(converter, context), table(table) {}

protected:
  const OffsetTable &table;
};

struct LowerLoadAt : OffsetPattern<tile::LoadAtOp> {
  using OffsetPattern::OffsetPattern;
  LogicalResult
  matchAndRewrite(tile::LoadAtOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getResult().getType();
    Type element = type.getElementType(), memory = typeInMemory(element);
    ThreadTile tile(rewriter, loc, type);
    TypedAttr pad = tile::padValue(op.getPad(), element);
    // Elements that no thread loads are undefined, but need a value.
    SmallVector<Value> registers(
        tile.getNumRegisters(),
        arith::ConstantOp::create(rewriter, loc, pad).getResult());
    bool isWeak = op.getOrder() == MemoryOrder::Weak;
    Value isFirstCopy = isWeak ? Value() : tile.isFirstCopy();
    const OffsetFacts &facts = table.at(op);
    for (const ThreadTile::Group &group : tile.groupNeighbours(
             facts.vectorAxis, isWeak ? facts.vectorSize : 1)) {
      int64_t first = group.front();
      auto [guard, pointer] =
          placeOf(rewriter, op, adaptor, tile, first, isFirstCopy);
      Type loadedType = vectorOf(memory, group.size());
      Value loaded =
          !isWeak
              ? loadOrdered(rewriter, op, guard, pointer, memory, inMemory(pad))
          : guard
              ? loadIf(rewriter, loc, guard, pointer, loadedType, inMemory(pad))
              : LLVM::LoadOp::create(rewriter, loc, loadedType, pointer,
                                     group.size() * memoryBytes(memory))
                    .getResult();
      for (auto [reg, one] :
           llvm::zip_equal(group, unpackVector(rewriter, loc, loaded)))
        registers[reg] = fromMemory(rewriter, loc, one, element);
    }
    emitAcquire(rewriter, loc, op.getOrder(), op.getScope());
    if (!isWeak)
      shareCopies(rewriter, op, tile, registers);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  static Value loadOrdered(OpBuilder &builder, tile::LoadAtOp op, Value guard,
                           Value pointer, Type memory, TypedAttr pad) {
    Location loc = op.getLoc();
    auto load = [&](OpBuilder &nested) -> Value {
      // Memory order is implemented by fences.
      Value bits = LLVM::LoadOp::create(
          nested, loc, bitsOf(nested, memory), pointer, memoryBytes(memory),
          /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
          /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic,
          syncScope(op.getScope()));
      return nested.createOrFold<LLVM::BitcastOp>(loc, memory, bits);
    };
    if (!guard)
      return load(builder);
    auto branch = scf::IfOp::create(
        builder, loc, guard,
        [&](OpBuilder &nested, Location loc) {
          scf::YieldOp::create(nested, loc, load(nested));
        },
        [&](OpBuilder &nested, Location loc) {
          scf::YieldOp::create(
              nested, loc,
              arith::ConstantOp::create(nested, loc, pad).getResult());
        });
    return branch.getResult(0);
  }
};

struct LowerStoreAt : OffsetPattern<tile::StoreAtOp> {
  using OffsetPattern::OffsetPattern;
  LogicalResult
  matchAndRewrite(tile::StoreAtOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ThreadTile tile(rewriter, loc, op.getValue().getType());
    Type memory = typeInMemory(op.getValue().getType().getElementType());
    ValueRange values = adaptor.getValue();
    Value isFirstCopy = tile.isFirstCopy();
    bool isWeak = op.getOrder() == MemoryOrder::Weak;
    const OffsetFacts &facts = table.at(op);
    emitRelease(rewriter, loc, op.getOrder(), op.getScope());
    for (const ThreadTile::Group &group : tile.groupNeighbours(
             facts.vectorAxis, isWeak ? facts.vectorSize : 1)) {
      int64_t first = group.front();
      auto [guard, pointer] =
          placeOf(rewriter, op, adaptor, tile, first, isFirstCopy);
      Value stored = packVector(rewriter, loc,
                                llvm::map_to_vector(group, [&](int64_t reg) {
                                  return toMemory(rewriter, loc, values[reg]);
                                }));
      int64_t bytes = group.size() * memoryBytes(memory);
      if (!isWeak)
        storeOrdered(rewriter, op, guard, stored, pointer);
      else if (guard)
        storeIf(rewriter, loc, guard, stored, pointer, /*offset=*/0);
      else
        LLVM::StoreOp::create(rewriter, loc, stored, pointer, bytes);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void storeOrdered(OpBuilder &builder, tile::StoreAtOp op, Value guard,
                           Value stored, Value pointer) {
    Location loc = op.getLoc();
    OpBuilder::InsertionGuard insertion(builder);
    if (guard) {
      auto branch = scf::IfOp::create(builder, loc, guard);
      builder.setInsertionPointToStart(&branch.getThenRegion().front());
    }
    Type memory = stored.getType();
    Value bits = builder.createOrFold<LLVM::BitcastOp>(
        loc, bitsOf(builder, memory), stored);
    LLVM::StoreOp::create(builder, loc, bits, pointer, memoryBytes(memory),
                          /*isVolatile=*/false, /*isNonTemporal=*/false,
                          /*isInvariantGroup=*/false,
                          LLVM::AtomicOrdering::monotonic,
                          syncScope(op.getScope()));
  }
};
} // namespace

void populateOffsetPatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns,
                            const OffsetTable &table) {
  patterns.add<LowerLoadAt, LowerStoreAt>(converter, patterns.getContext(),
                                          table);
}

} // namespace tilegpt::tilegpu
