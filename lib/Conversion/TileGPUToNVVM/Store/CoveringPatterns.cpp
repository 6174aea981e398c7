// Rows that begin anywhere, in tiles that begin with a unit of 16 bytes: only
// the first and the last units are ever in doubt.
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Elements per 16 bytes.
int64_t unitOf(Type element) {
  constexpr int64_t unitBytes = 16;
  return unitBytes / std::max<int64_t>(1, memoryBytes(element));
}

/// Which columns of a tile belong to a row that starts in column `first`, at
/// most `mostBefore`.
class RowExtent {
public:
  /// \param length  columns of the row, at least `columns`; null if exactly
  /// that.
  RowExtent(OpBuilder &builder, Location loc, const ThreadTile &tile,
            Value first, int64_t mostBefore, int64_t columns, Value length = {})
      : builder(builder), loc(loc), tile(tile), first(first), length(length),
        mostBefore(mostBefore), columns(columns) {}

  /// Whether `count` columns from a register's on all belong to it in every
  /// thread, for any alignment; or in none.
  bool isInside(int64_t column, int64_t count) const {
    return column >= mostBefore &&
           column + tile.getLargestBase(1) + count <= columns;
  }
  bool isOutside(int64_t column) const {
    return column >= columns + mostBefore;
  }
  /// The same in this thread, as i1.
  Value contains(int64_t column, int64_t count) {
    // As unsigned, a column before the first is past the last.
    Value from = arith::SubIOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, tile.getBase(1),
                              indexConstant(builder, loc, column)),
        first);
    Value end = indexConstant(builder, loc, columns - count + 1);
    if (length)
      end = arith::SubIOp::create(builder, loc, length,
                                  indexConstant(builder, loc, count - 1));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, from,
                                 end);
  }

private:
  OpBuilder &builder;
  Location loc;
  const ThreadTile &tile;
  Value first, length;
  int64_t mostBefore, columns;
};

struct LowerFillOutside : OpConversionPattern<FillOutsideOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(FillOutsideOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ThreadTile tile(rewriter, loc,
                    cast<RankedTensorType>(op.getValue().getType()));
    ValueRange length = adaptor.getLength();
    RowExtent extent(rewriter, loc, tile, adaptor.getFirst().front(),
                     op.getMostBefore(), op.getColumns(),
                     length.empty() ? Value() : length.front());
    SmallVector<Value> registers(adaptor.getValue());
    for (auto [reg, value] : llvm::enumerate(registers)) {
      int64_t column = tile.getOffset(reg)[1];
      if (!extent.isInside(column, 1))
        value =
            arith::SelectOp::create(rewriter, loc, extent.contains(column, 1),
                                    value, adaptor.getPad().front());
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// The store of one thread.
class CoveringStore {
public:
  CoveringStore(OpBuilder &builder, StoreCoveringOp op, ValueRange registers,
                const ViewParts &view, Value first, Value row)
      : builder(builder), loc(op.getLoc()), registers(registers),
        element(typeInMemory(op.getView().getType().getElementType())),
        tile(builder, loc, cast<RankedTensorType>(op.getValue().getType())),
        extent(builder, loc, tile, first, op.getMostBefore(),
               op.getView().getType().getShape()[1]),
        unit(unitOf(element)) {
    // Views may exceed the index range.
    Value distance = arith::MulIOp::create(builder, loc, wide(row),
                                           wide(view.stride(builder, loc, 0)));
    start = move(view.pointer, distance);
    start =
        move(start,
             wide(arith::SubIOp::create(builder, loc, tile.getBase(1), first)));
  }

  void emit() {
    for (int64_t reg = 0; reg < tile.getNumRegisters(); reg += unit) {
      int64_t column = tile.getOffset(reg)[1];
      if (extent.isInside(column, unit))
        store(reg, unit);
      else if (!extent.isOutside(column))
        storeInPart(reg, column);
    }
  }

private:
  Value wide(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }
  Value move(Value pointer, LLVM::GEPArg distance) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, ArrayRef<LLVM::GEPArg>(distance));
  }

  void store(int64_t reg, int64_t count) {
    Value pointer = move(start, int32_t(tile.getOffset(reg)[1]));
    Value stored = packVector(
        builder, loc,
        llvm::map_to_vector(registers.slice(reg, count), [&](Value held) {
          return toMemory(builder, loc, held);
        }));
    LLVM::StoreOp::create(builder, loc, stored, pointer,
                          count * memoryBytes(element));
  }

  void storeInPart(int64_t reg, int64_t column) {
    OpBuilder::InsertionGuard guard(builder);
    auto whole = scf::IfOp::create(builder, loc, extent.contains(column, unit),
                                   /*withElseRegion=*/true);
    builder.setInsertionPointToStart(whole.thenBlock());
    store(reg, unit);
    builder.setInsertionPointToStart(whole.elseBlock());
    for (int64_t number = 0; number < unit; ++number) {
      OpBuilder::InsertionGuard guard(builder);
      auto one =
          scf::IfOp::create(builder, loc, extent.contains(column + number, 1));
      builder.setInsertionPointToStart(one.thenBlock());
      store(reg + number, 1);
    }
  }

  OpBuilder &builder;
  Location loc;
  ValueRange registers;
  Type element;
  ThreadTile tile;
  RowExtent extent;
  int64_t unit;
  Value start; ///< of the thread's column 0
};

struct LowerStoreCovering : OpConversionPattern<StoreCoveringOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreCoveringOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getValue().getType());
    int64_t unit = unitOf(type.getElementType());
    LayoutAttr layout = LayoutAttr::of(type);
    if (layout.getVectorSize(1) % unit != 0)
      return op.emitOpError("expected threads to hold units of ")
             << unit << " columns, found " << type;
    ViewParts view(op.getView().getType(), adaptor.getView());
    Value row = adaptor.getRow().front();
    OpBuilder::InsertionGuard guard(rewriter);
    Value exists;
    if (!op.getInside())
      exists = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult,
                                     row, view.size(rewriter, loc, 0));
    if (exists) {
      auto then = scf::IfOp::create(rewriter, loc, exists);
      rewriter.setInsertionPointToStart(then.thenBlock());
    }
    CoveringStore(rewriter, op, adaptor.getValue(), view,
                  adaptor.getFirst().front(), row)
        .emit();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateCoveringPatterns(const ThreadTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LowerFillOutside, LowerStoreCovering>(converter,
                                                     patterns.getContext());
}

} // namespace tilegpt::tilegpu
