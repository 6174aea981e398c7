// Rows that begin anywhere leave through shared memory: every warp lays its
// rows out as they lie in memory, up to a multiple of 16 bytes, and its lanes
// write whole units; what is left at the ends goes one by one.
#include "Arithmetic.h"
#include "DotLayouts.h"
#include "PipeAddress.h"
#include "RowStores.h"
#include "ThreadPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A warp has 16 of the 64 rows of its group, as two fragments of 8; four lanes
/// share a row of a fragment of 8 columns.
constexpr int64_t groupRows = 64, groupThreads = 128, warpRows = 16,
                  fragmentColumns = 8, wordBytes = 4,
                  unitBytes = rowUnit * wordBytes;

/// Lanes that write a row together; two rows at a time.
constexpr int64_t rowLanes = 16, rowsApart = storedRows / 2;

/// Writes the part of a tile that one warp holds.
class WarpStore {
public:
  /// \param start  row and column of the tile, index.
  WarpStore(OpBuilder &builder, RowStoreOp op, ValueRange registers,
            const ViewParts &view, Value buffer, ArrayRef<Value> start)
      : builder(builder), loc(op.getLoc()), math(builder, loc),
        registers(registers), view(view), isAligned(op.getAligned()) {
    RankedTensorType tile = op.getValue().getType();
    SharedType bufferType = op.getBuffer().getType();
    PlanAttr plan = PlanAttr::of(op);
    columns = tile.getDimSize(1);
    width = bufferType.getShape().back();
    rowBytes = (width + bufferType.getPadding()) * wordBytes;
    blocks = tile.getDimSize(0) / (groupsOfTeam(plan) * groupRows);

    Value thread = blockThread(builder, loc);
    lane = math.bitAnd(thread, 31);
    Value part = offset(
        buffer, math.mul(math.shiftRight(thread, 5), storedRows * rowBytes));
    firstColumn = toI32(start[1]);
    Value warp = math.shiftRight(math.bitAnd(thread, groupThreads - 1), 5);
    Value firstRow = math.add(
        math.add(toI32(start[0]),
                 math.mul(groupInTeam(builder, loc, plan), blocks * groupRows)),
        math.mul(warp, warpRows));
    // Rows of other fragments are a multiple of eight away, so they lie alike.
    Value row = math.shiftRight(lane, 2);
    Value shift = shiftOf(addressOf(math.add(firstRow, row)));
    place = offset(
        part, math.add(math.add(math.mul(row, rowBytes),
                                math.mul(math.bitAnd(lane, 3), 2 * wordBytes)),
                       math.mul(shift, wordBytes)));
    row = math.mul(math.shiftRight(lane, 4), rowsApart);
    baseRow = math.add(firstRow, row);
    source = offset(part, math.mul(row, rowBytes));
    pointer = addressOf(baseRow);
    lane = math.bitAnd(lane, rowLanes - 1);
  }

  void write() {
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t half = 0; half < 2; ++half)
        for (int64_t column = 0; column < columns; column += width)
          writePart(block, half, column);
  }

private:
  Value constant(int64_t value) { return i32Constant(builder, loc, value); }
  Value toI32(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                      index);
  }
  /// Views may be larger than 32 bits can count.
  Value toI64(Value integer) {
    Type i64 = builder.getI64Type();
    if (integer.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, i64, integer);
    return arith::ExtSIOp::create(builder, loc, i64, integer);
  }
  Value offset(Value pointer, Value bytes) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                               builder.getI8Type(), pointer,
                               ArrayRef<LLVM::GEPArg>(bytes));
  }
  Value isGreater(Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, left,
                                 right);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  void when(Value condition, llvm::function_ref<void()> emit) {
    auto branch = scf::IfOp::create(builder, loc, condition);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emit();
  }
  void synchronizeWarp() {
    NVVM::SyncWarpOp::create(builder, loc, constant(-1));
  }

  /// Elements between a multiple of 16 bytes and an address.
  Value shiftOf(Value address) {
    if (isAligned)
      return constant(0);
    Value bytes = arith::TruncIOp::create(
        builder, loc, builder.getI32Type(),
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), address));
    return math.bitAnd(math.shiftRight(bytes, 2), rowUnit - 1);
  }

  /// The address of the tile's first element in a row of the view.
  Value addressOf(Value row) {
    Value elements =
        math.add(math.mul(toI64(row), toI64(view.stride(builder, loc, 0))),
                 toI64(firstColumn));
    return offset(view.pointer, math.mul(elements, wordBytes));
  }

  /// 8 rows, `width` columns from `column` on.
  void writePart(int64_t block, int64_t half, int64_t column) {
    synchronizeWarp(); // behind the reads of the part before
    for (int64_t fragment = 0; fragment < width; fragment += fragmentColumns)
      writeFragment(block, half, column + fragment,
                    bytesBehind(builder, loc, place, fragment * wordBytes));
    synchronizeWarp();

    Value left = arith::MaxSIOp::create(
        builder, loc,
        arith::MinSIOp::create(builder, loc,
                               math.sub(toI32(view.size(builder, loc, 1)),
                                        math.add(firstColumn, column)),
                               constant(width)),
        constant(0));
    for (int64_t row = 0; row < rowsApart; ++row)
      writeRows(row, block * groupRows + half * storedRows, column, left);
  }

  /// 8 columns of 8 rows.
  void writeFragment(int64_t block, int64_t half, int64_t column, Value first) {
    int64_t reg = block * columns / 2 + column / fragmentColumns * 4 + 2 * half;
    for (int64_t neighbour : {0, 1})
      LLVM::StoreOp::create(
          builder, loc, registers[reg + neighbour],
          bytesBehind(builder, loc, first, neighbour * wordBytes));
  }

  /// Rows number `row` and `row` + 4 of the buffer, each by half of the lanes;
  /// they lie alike. \param rows  those of the tile before the buffer's.
  void writeRows(int64_t row, int64_t rows, int64_t column, Value left) {
    Value stride = view.stride(builder, loc, 0);
    Value isRow = isGreater(toI32(view.size(builder, loc, 0)),
                            math.add(baseRow, rows + row));
    Value count = select(isRow, left, constant(0));
    Value from = bytesBehind(builder, loc, source, row * rowBytes);
    Value to = bytesBehind(
        builder, loc,
        offset(pointer, math.mul(toI64(stride), (rows + row) * wordBytes)),
        column * wordBytes);
    if (isAligned)
      return writeUnits(from, to, count);
    // Of each address anew: what rows have in common would take registers while
    // most of the tile is still in them.
    Value shift = shiftOf(to);
    Value head = math.bitAnd(math.sub(constant(0), shift), rowUnit - 1);
    from = offset(from, math.mul(shift, wordBytes));
    Value bytes = math.mul(head, wordBytes);
    writeUnits(offset(from, bytes), offset(to, bytes), math.sub(count, head));
    writeEnds(from, to, math.min(head, count), count);
  }

  /// `count` elements of a row, less those that fill no unit.
  void writeUnits(Value from, Value to, Value count) {
    Value bytes = math.mul(lane, unitBytes);
    from = offset(from, bytes);
    to = offset(to, bytes);
    Value last = math.add(math.mul(lane, rowUnit), rowUnit - 1);
    auto vector = VectorType::get(rowUnit, builder.getI32Type());
    for (int64_t unit = 0; unit < width / rowUnit; unit += rowLanes)
      when(isGreater(count, math.add(last, unit * rowUnit)), [&] {
        copy(vector, bytesBehind(builder, loc, from, unit * unitBytes),
             bytesBehind(builder, loc, to, unit * unitBytes));
      });
  }

  /// The first `head` elements of a row by its first lanes, what no unit holds
  /// of the others by the next.
  void writeEnds(Value from, Value to, Value head, Value count) {
    Value isTail = isGreater(lane, constant(rowUnit - 1));
    Value tail = math.bitAnd(math.sub(count, head), rowUnit - 1);
    Value element = math.bitAnd(lane, rowUnit - 1);
    Value isThere = arith::AndIOp::create(
        builder, loc, isGreater(constant(2 * rowUnit), lane),
        isGreater(select(isTail, tail, head), element));
    Value bytes = math.mul(
        math.add(element, select(isTail, math.sub(count, tail), constant(0))),
        wordBytes);
    when(isThere, [&] {
      copy(builder.getI32Type(), offset(from, bytes), offset(to, bytes));
    });
  }

  /// From shared memory to global memory.
  void copy(Type type, Value from, Value to) {
    unsigned bytes = type.isInteger() ? wordBytes : unitBytes;
    Value value = LLVM::LoadOp::create(builder, loc, type, from, bytes);
    LLVM::StoreOp::create(builder, loc, value, to, bytes);
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  ValueRange registers;
  const ViewParts &view;
  bool isAligned;
  int64_t columns, width, rowBytes, blocks;
  Value firstColumn; ///< of the tile, i32
  Value place;       ///< of the lane's first fragment in shared memory
  /// This lane as one of those that write a row: its number, the first row it
  /// has a part of, and that row in shared memory and in memory.
  Value lane, baseRow, source, pointer;
};

struct LowerRowStore : OpConversionPattern<RowStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RowStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getValue().getType();
    if (LayoutAttr::of(tile) !=
        accumulatorLayout(DotKind::Wgmma, tile, PlanAttr::of(op).getWarps()))
      return op.emitOpError("expected the layout of a wgmma accumulator, "
                            "found ")
             << tile;
    SmallVector<Value> start;
    for (ValueRange index : adaptor.getIndices())
      start.push_back(index.front());
    ViewParts view(op.getView().getType(), adaptor.getView());
    WarpStore(rewriter, op, adaptor.getValue(), view,
              adaptor.getBuffer().front(), start)
        .write();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateRowStorePatterns(const ThreadTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<LowerRowStore>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
