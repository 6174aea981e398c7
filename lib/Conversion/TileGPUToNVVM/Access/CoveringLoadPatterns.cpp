// Tiles of unaligned rows, loaded in the 16-byte units that cover them.
#include "Access/PredicatedAccess.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// The units that one thread loads.
class CoveringLoad {
public:
  CoveringLoad(OpBuilder &builder, LoadCoveringOp op, const ViewParts &view,
               Value row, Value column)
      : builder(builder), loc(op.getLoc()), math(builder, loc),
        type(cast<RankedTensorType>(op.getResult().getType())),
        element(typeInMemory(type.getElementType())), tile(builder, loc, type),
        view(view), row(row), column(column), columns(view.type.getShape()[1]),
        unit(maxAccessBytes / memoryBytes(element)),
        period(unit / std::gcd(unit, columns)),
        pad(cast<TypedAttr>(builder.getZeroAttr(element))) {
    firstRow = math.add(row, tile.getBase(0));
    firstColumn = math.add(column, tile.getBase(1));
    // Views may exceed the index range.
    first = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, wide(firstRow), number(columns)),
        wide(firstColumn));
    rowsLeft = math.sub(view.size(builder, loc, 0), firstRow);
    // The last unit of a row may start behind the end of the others.
    columnsLeft =
        math.sub(indexConstant(builder, loc, columns + unit - 1), firstColumn);
  }

  SmallVector<Value> emit() {
    groups = tile.groupNeighbours(1, unit);
    for (const ThreadTile::Group &group : groups)
      addressOf(group);
    SmallVector<Type> types;
    for (const ThreadTile::Group &group : groups)
      types.append(group.size(), element);
    // Loads of every other tile have no branch between them.
    auto branch = scf::IfOp::create(builder, loc, types, mayReachEnd(),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, loadElements());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, loadUnits());
    builder.setInsertionPointAfter(branch);

    Value zero = arith::ConstantOp::create(builder, loc, pad);
    SmallVector<Value> registers(tile.getNumRegisters(), hold(zero));
    auto loaded = branch.getResults().begin();
    for (const ThreadTile::Group &group : groups)
      for (int64_t reg : group)
        registers[reg] = hold(*loaded++);
    return registers;
  }

private:
  /// An aligned unit of the first rows of a thread, and the number of its
  /// elements before the row's own.
  struct Unit {
    Value pointer, before;
  };

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(),
                                        value);
  }
  Value wide(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }
  Value hold(Value loaded) {
    return fromMemory(builder, loc, loaded, type.getElementType());
  }
  Value isLess(Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left,
                                 right);
  }
  Value both(Value left, Value right) {
    return right ? arith::AndIOp::create(builder, loc, left, right).getResult()
                 : left;
  }
  Value move(Value pointer, LLVM::GEPArg elements) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, ArrayRef<LLVM::GEPArg>(elements));
  }

  /// The address of a thread's unit in a row of a certain alignment; created
  /// before the branches.
  const Unit &unitOf(int64_t ofPeriod) {
    auto [it, isNew] = units.try_emplace(ofPeriod);
    if (isNew) {
      Value place = arith::AddIOp::create(builder, loc, first,
                                          number(ofPeriod * columns));
      Value start = move(view.pointer, place);
      Value address =
          LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), start);
      Value bytes = math.bitAnd(address, maxAccessBytes - 1);
      Value before = arith::ShRUIOp::create(
          builder, loc, bytes, number(llvm::Log2_64(memoryBytes(element))));
      Value back = arith::SubIOp::create(builder, loc, number(0), before);
      it->second = {move(start, back), before};
    }
    return it->second;
  }
  Value addressOf(ArrayRef<int64_t> group) {
    SmallVector<int64_t> offset = tile.getOffset(group.front());
    const int64_t ofPeriod = offset[0] % period;
    const int64_t distance = (offset[0] - ofPeriod) * columns + offset[1];
    return LLVM::GEPOp::create(builder, loc, view.pointer.getType(), element,
                               unitOf(ofPeriod).pointer, number(distance));
  }

  /// Whether a row exists, and this thread has elements of it.
  Value rowExists(ArrayRef<int64_t> group) {
    return both(
        isLess(indexConstant(builder, loc, tile.getOffset(group.front())[0]),
               rowsLeft),
        tile.isInside(group.front()));
  }

  /// Whether units of the tile may be partly behind the view: those of its last
  /// rows, in the last tile of a row. Uniform across threads.
  Value mayReachEnd() {
    const int64_t margin = llvm::divideCeil(2 * unit, columns);
    Value lastRow = math.add(row, type.getDimSize(0) + margin),
          lastColumn = math.add(column, type.getDimSize(1));
    auto reaches = [&](Value last, Value size) {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                   last, size);
    };
    return both(reaches(lastRow, view.size(builder, loc, 0)),
                reaches(lastColumn, view.size(builder, loc, 1)));
  }

  SmallVector<Value> loadUnits() {
    SmallVector<Value> loaded;
    for (const ThreadTile::Group &group : groups) {
      Value column =
          indexConstant(builder, loc, tile.getOffset(group.front())[1]);
      Value exists = both(rowExists(group), isLess(column, columnsLeft));
      Value values = loadIf(builder, loc, exists, addressOf(group),
                            vectorOf(element, int64_t(group.size())), pad);
      llvm::append_range(loaded, unpackVector(builder, loc, values));
    }
    return loaded;
  }

  SmallVector<Value> loadElements() {
    SmallVector<Value> loaded;
    Value size = arith::MulIOp::create(
        builder, loc, wide(view.size(builder, loc, 0)), number(columns));
    for (const ThreadTile::Group &group : groups) {
      SmallVector<int64_t> offset = tile.getOffset(group.front());
      Value place = arith::SubIOp::create(builder, loc, first,
                                          unitOf(offset[0] % period).before);
      // Elements of the view behind the first one of the group.
      Value left = arith::SubIOp::create(
          builder, loc, size,
          arith::AddIOp::create(builder, loc, place,
                                number(offset[0] * columns + offset[1])));
      Value address = addressOf(group), exists = rowExists(group);
      for (size_t number = 0; number < group.size(); ++number) {
        Value isInside = isLess(this->number(int64_t(number)), left);
        loaded.push_back(loadIf(builder, loc, both(isInside, exists),
                                move(address, int32_t(number)), element, pad));
      }
    }
    return loaded;
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  RankedTensorType type;
  Type element; ///< in memory
  ThreadTile tile;
  const ViewParts &view;
  Value row, column;
  int64_t columns, unit, period;
  TypedAttr pad;
  Value firstRow, firstColumn;   ///< of the thread
  Value first;                   ///< their element in the view, i64
  Value rowsLeft, columnsLeft;   ///< from there, the latter in units
  std::map<int64_t, Unit> units; ///< by row of a period
  SmallVector<ThreadTile::Group> groups;
};

struct LowerLoadCovering : OpConversionPattern<LoadCoveringOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadCoveringOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewParts view(op.getView().getType(), adaptor.getView());
    CoveringLoad load(rewriter, op, view, adaptor.getRow().front(),
                      adaptor.getColumn().front());
    rewriter.replaceOpWithMultiple(op, {load.emit()});
    return success();
  }
};
} // namespace

void populateCoveringLoadPatterns(const ThreadTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<LowerLoadCovering>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
