// Unaligned rows between global memory and registers, in 16-byte units with
// bounds checks only at the ends.
#include "Access/PredicatedAccess.h"
#include "Thread/RegisterVector.h"
#include "Thread/SharedTile.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Whether the columns of some adjacent elements are known to be in bounds in
/// every thread.
bool isKnown(const ThreadTile &tile, std::optional<ArrayRef<int64_t>> known,
             ArrayRef<int64_t> group) {
  int64_t column = tile.getOffset(group.front())[1];
  return known && column >= known->front() &&
         column + tile.getLargestBase(1) + int64_t(group.size()) <=
             known->back();
}

/// Elements of a run that one thread stores.
class UnitsStore {
public:
  /// \param run  its pointer and, unless everything is in bounds, its size.
  UnitsStore(OpBuilder &builder, StoreUnitsOp op, ValueRange registers,
             const ViewParts &run, Value place, Value first)
      : builder(builder), loc(op.getLoc()), registers(registers),
        element(typeInMemory(op.getRun().getType().getElementType())),
        tile(builder, loc, cast<RankedTensorType>(op.getValue().getType())),
        unit(sharedUnitBytes / memoryBytes(element)), known(op.getKnown()),
        first(first) {
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
      if (!length || isKnown(tile, known, group)) {
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

  /// Whether the run contains all of these elements. As unsigned, an index
  /// before the first is past the last.
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

  /// \param condition  of the store; null if unconditional.
  void store(ArrayRef<int64_t> group, Value condition = {}) {
    int64_t count = group.size();
    Value stored =
        packVector(builder, loc, llvm::map_to_vector(group, [&](int64_t reg) {
                     return toMemory(builder, loc, registers[reg]);
                   }));
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
  std::optional<ArrayRef<int64_t>> known;
  Value first;
  Value from;   ///< the position of the thread's column 0
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

/// Elements of a row that one thread loads.
class UnitsLoad {
public:
  UnitsLoad(OpBuilder &builder, LoadUnitsOp op, const ViewParts &view,
            Value row, Value place, Value first)
      : builder(builder), loc(op.getLoc()), math(builder, loc),
        type(op.getView().getType().getElementType()),
        element(typeInMemory(type)),
        tile(builder, loc, cast<RankedTensorType>(op.getResult().getType())),
        unit(sharedUnitBytes / memoryBytes(element)),
        columns(view.type.getShape()[1]), known(op.getKnown()),
        pad(cast<TypedAttr>(builder.getZeroAttr(element))) {
    from = math.add(place, tile.getBase(1));
    // Views may exceed the index range.
    Value whole = arith::ConstantIntOp::create(builder, loc,
                                               builder.getI64Type(), columns);
    Value before = arith::MulIOp::create(builder, loc, wide(row), whole);
    start = move(view.pointer, before);
    start = move(start, wide(math.sub(from, first)));
    // The end of the row and, if that is closer, of the view.
    end = math.add(first, columns);
    if (columns % unit == 0)
      return;
    Value rest = arith::MulIOp::create(
        builder, loc, wide(math.sub(view.size(builder, loc, 0), row)), whole);
    Value most = arith::ConstantIntOp::create(
        builder, loc, builder.getI64Type(), columns + unit);
    Value some = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        arith::MinSIOp::create(builder, loc, rest, most));
    left = math.add(first, some);
  }

  SmallVector<Value> emit() {
    Value zero = arith::ConstantOp::create(builder, loc, pad);
    registers.assign(tile.getNumRegisters(),
                     fromMemory(builder, loc, zero, type));
    SmallVector<ThreadTile::Group> doubted;
    for (const ThreadTile::Group &group : tile.groupNeighbours(1, unit))
      if (isKnown(tile, known, group))
        set(group, load(group));
      else
        doubted.push_back(group);
    if (doubted.empty())
      return registers;
    if (left) {
      loadAtEnd(doubted);
      return registers;
    }
    for (const ThreadTile::Group &group : doubted)
      set(group, loadIf(group, contains(group, end)));
    return registers;
  }

private:
  /// Loads units that the view may contain in part. The branch yields them as
  /// they were loaded: unpacking would wait for them.
  void loadAtEnd(ArrayRef<ThreadTile::Group> doubted) {
    // Few blocks reach the end of the view.
    Value isLast = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, left, math.add(end, unit - 1));
    auto types = llvm::map_to_vector(
        doubted, [&](const ThreadTile::Group &group) { return typeOf(group); });
    auto branch =
        scf::IfOp::create(builder, loc, types, isLast, /*withElse=*/true);
    auto fill = [&](Block *block, bool isOneByOne) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(block);
      SmallVector<Value> loaded;
      for (const ThreadTile::Group &group : doubted)
        loaded.push_back(isOneByOne ? loadOneByOne(group)
                                    : loadIf(group, contains(group, end)));
      scf::YieldOp::create(builder, loc, loaded);
    };
    fill(branch.thenBlock(), /*isOneByOne=*/true);
    fill(branch.elseBlock(), /*isOneByOne=*/false);
    for (auto [group, loaded] : llvm::zip_equal(doubted, branch.getResults()))
      set(group, loaded);
  }

  Value loadOneByOne(ArrayRef<int64_t> group) {
    return packVector(builder, loc,
                      llvm::map_to_vector(group, [&](int64_t reg) {
                        return loadIf(reg, contains(reg, end));
                      }));
  }

  Value wide(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }
  Value move(Value pointer, LLVM::GEPArg distance) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, ArrayRef<LLVM::GEPArg>(distance));
  }
  Value placeOf(ArrayRef<int64_t> group) {
    return move(start, int32_t(tile.getOffset(group.front())[1]));
  }
  Type typeOf(ArrayRef<int64_t> group) const {
    return vectorOf(element, group.size());
  }

  /// Whether this thread holds the first of some elements and it is before
  /// another one.
  Value contains(ArrayRef<int64_t> group, Value behind) {
    Value column = math.add(from, tile.getOffset(group.front())[1]);
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     column, behind);
    if (Value inside = tile.isInside(group.front()))
      is = arith::AndIOp::create(builder, loc, is, inside);
    return is;
  }

  Value load(ArrayRef<int64_t> group) {
    return LLVM::LoadOp::create(builder, loc, typeOf(group), placeOf(group),
                                group.size() * memoryBytes(element));
  }
  Value loadIf(ArrayRef<int64_t> group, Value condition) {
    return tilegpu::loadIf(builder, loc, condition, placeOf(group),
                           typeOf(group), pad);
  }
  void set(ArrayRef<int64_t> group, Value loaded) {
    for (auto [reg, one] :
         llvm::zip_equal(group, unpackVector(builder, loc, loaded)))
      registers[reg] = fromMemory(builder, loc, one, type);
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  Type type, element; ///< of the tile and in memory
  ThreadTile tile;
  int64_t unit, columns;
  std::optional<ArrayRef<int64_t>> known;
  TypedAttr pad;
  Value from;  ///< the position of the thread's column 0
  Value start; ///< the same in memory
  Value end;   ///< one past the end of the row
  Value left; ///< position past the end of the view, as far as it matters; null
              ///< if the view ends with a unit
  SmallVector<Value> registers;
};

struct LowerLoadUnits : OpConversionPattern<LoadUnitsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadUnitsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    UnitsLoad load(rewriter, op,
                   ViewParts(op.getView().getType(), adaptor.getView()),
                   adaptor.getRow().front(), adaptor.getPlace().front(),
                   adaptor.getFirst().front());
    rewriter.replaceOpWithMultiple(op, {load.emit()});
    return success();
  }
};
} // namespace

void populateUnitPatterns(const ThreadTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LowerStoreUnits, LowerLoadUnits>(converter,
                                                patterns.getContext());
}

} // namespace tilegpt::tilegpu
