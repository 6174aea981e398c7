// Rows that begin anywhere, in tiles that begin with a unit of 16 bytes: only
// the first and the last units are ever in doubt.
#include "Access/PredicatedAccess.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Elements of 16 bytes.
int64_t unitOf(Type element) {
  constexpr int64_t unitBytes = 16;
  return unitBytes / std::max<int64_t>(1, memoryBytes(element));
}

/// Which columns of a tile belong to a row that begins in column `first`, at
/// most `mostBefore`.
class RowExtent {
public:
  RowExtent(OpBuilder &builder, Location loc, const ThreadTile &tile,
            Value first, int64_t mostBefore, int64_t columns)
      : builder(builder), loc(loc), tile(tile), first(first),
        mostBefore(mostBefore), columns(columns) {}

  /// Whether `count` columns from that of a register on all belong to it in
  /// every thread, wherever it begins; or in none.
  bool isInside(int64_t column, int64_t count) const {
    return column >= mostBefore &&
           column + tile.getLargestBase(1) + count <= columns;
  }
  bool isOutside(int64_t column) const {
    return column >= columns + mostBefore;
  }
  /// The same in this thread, as i1.
  Value contains(int64_t column, int64_t count) {
    // As unsigned, a column before the first is behind the last.
    Value from = arith::SubIOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, tile.getBase(1),
                              indexConstant(builder, loc, column)),
        first);
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, from,
        indexConstant(builder, loc, columns - count + 1));
  }

private:
  OpBuilder &builder;
  Location loc;
  const ThreadTile &tile;
  Value first;
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
    RowExtent extent(rewriter, loc, tile, adaptor.getFirst().front(),
                     op.getMostBefore(), op.getColumns());
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
        element(op.getView().getType().getElementType()),
        tile(builder, loc, cast<RankedTensorType>(op.getValue().getType())),
        extent(builder, loc, tile, first, op.getMostBefore(),
               op.getView().getType().getShape()[1]),
        unit(unitOf(element)) {
    // Views may be larger than an index can count.
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
    Value stored = registers[reg];
    if (count > 1) {
      stored =
          LLVM::PoisonOp::create(builder, loc, VectorType::get(count, element));
      for (int64_t number = 0; number < count; ++number)
        stored = LLVM::InsertElementOp::create(
            builder, loc, stored, registers[reg + number],
            arith::ConstantIntOp::create(builder, loc, number, /*width=*/32));
    }
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

/// Places of a run that one thread stores.
class UnitsStore {
public:
  /// \param run  its pointer and, unless all places are inside, its size.
  UnitsStore(OpBuilder &builder, StoreUnitsOp op, ValueRange registers,
             const ViewParts &run, Value place, Value first)
      : builder(builder), loc(op.getLoc()), registers(registers),
        element(typeInMemory(op.getRun().getType().getElementType())),
        tile(builder, loc, cast<RankedTensorType>(op.getValue().getType())),
        unit(unitOf(element)), first(first) {
    from = arith::AddIOp::create(builder, loc, place, tile.getBase(1));
    Value distance = arith::SubIOp::create(builder, loc, from, first);
    distance = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          distance);
    start = move(run.pointer, distance);
    if (!op.getInside())
      length = run.size(builder, loc, 0);
  }

  void emit() {
    for (const ThreadTile::Group &group : tile.groupNeighbours(1, unit)) {
      OpBuilder::InsertionGuard guard(builder);
      Value isInside = tile.isInside(group.front());
      if (!length) {
        store(group, isInside);
        continue;
      }
      if (isInside)
        enter(isInside);
      if (group.size() == 1) {
        store(group, isInRun(group));
        continue;
      }
      auto whole = scf::IfOp::create(builder, loc, isInRun(group),
                                     /*withElseRegion=*/true);
      builder.setInsertionPointToStart(whole.thenBlock());
      store(group);
      builder.setInsertionPointToStart(whole.elseBlock());
      for (int64_t reg : group) {
        OpBuilder::InsertionGuard guard(builder);
        enter(isInRun(reg));
        store(reg);
      }
    }
  }

private:
  void enter(Value condition) {
    auto then = scf::IfOp::create(builder, loc, condition);
    builder.setInsertionPointToStart(then.thenBlock());
  }
  Value move(Value pointer, LLVM::GEPArg distance) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, ArrayRef<LLVM::GEPArg>(distance));
  }
  int64_t columnOf(int64_t reg) const { return tile.getOffset(reg)[1]; }

  /// Whether the run has all of these places. As unsigned, one before the first
  /// is behind the last.
  Value isInRun(ArrayRef<int64_t> group) {
    Value back = arith::SubIOp::create(
        builder, loc,
        arith::AddIOp::create(
            builder, loc, from,
            indexConstant(builder, loc, columnOf(group.front()))),
        first);
    auto isLess = [&](Value left) {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                   left, length);
    };
    if (group.size() == 1)
      return isLess(back);
    Value last = arith::AddIOp::create(
        builder, loc, back, indexConstant(builder, loc, group.size() - 1));
    return arith::AndIOp::create(builder, loc, isLess(back), isLess(last));
  }

  /// \param condition  of the store; null where there is none.
  void store(ArrayRef<int64_t> group, Value condition = {}) {
    int64_t count = group.size();
    Value stored = registers[group.front()];
    if (count > 1) {
      stored =
          LLVM::PoisonOp::create(builder, loc, VectorType::get(count, element));
      for (auto [number, reg] : llvm::enumerate(group))
        stored = LLVM::InsertElementOp::create(
            builder, loc, stored, registers[reg],
            arith::ConstantIntOp::create(builder, loc, number, /*width=*/32));
    }
    int64_t column = columnOf(group.front());
    if (condition)
      storeIf(builder, loc, condition, stored, start,
              column * memoryBytes(element));
    else
      LLVM::StoreOp::create(builder, loc, stored, move(start, int32_t(column)),
                            count * memoryBytes(element));
  }

  OpBuilder &builder;
  Location loc;
  ValueRange registers;
  Type element;
  ThreadTile tile;
  int64_t unit;
  Value first;
  Value from;   ///< the place of the thread's column 0
  Value start;  ///< the same in memory
  Value length; ///< of the run; null where it has all places
};

struct LowerStoreUnits : OpConversionPattern<StoreUnitsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreUnitsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    UnitsStore(rewriter, op, adaptor.getValue(),
               ViewParts(op.getRun().getType(), adaptor.getRun()),
               adaptor.getPlace().front(), adaptor.getFirst().front())
        .emit();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateCoveringPatterns(const ThreadTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LowerFillOutside, LowerStoreCovering, LowerStoreUnits>(
      converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
