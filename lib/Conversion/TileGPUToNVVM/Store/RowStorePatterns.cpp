// Stores unaligned rows through shared memory: every warp writes its rows in
// their memory layout modulo 16 bytes, and its lanes store whole units; the
// ends are stored element by element.
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/RowStores.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A warp has 16 of the rows of its group, as two fragments of 8; four lanes
/// share a row of a fragment of 8 columns.
constexpr int64_t warpRows = 16;

/// Lanes that write a row together; two rows at a time.
constexpr int64_t rowLanes = 16, rowsApart = storedRows / 2;

/// Writes the part of a tile held by one warp.
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
    bytes = memoryBytes(tile.getElementType());
    unit = rowUnit(bytes);
    width = bufferType.getShape().back();
    rowBytes = (width + bufferType.getPadding()) * bytes;
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
    // Rows of other fragments are a multiple of eight away, so their alignment
    // is the same.
    Value row = math.shiftRight(lane, 2);
    Value shift = shiftOf(addressOf(math.add(firstRow, row)));
    place = offset(part,
                   math.add(math.add(math.mul(row, rowBytes),
                                     math.mul(math.bitAnd(lane, 3), 2 * bytes)),
                            math.mul(shift, bytes)));
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
  /// Views may exceed 32-bit range.
  Value toI64(Value integer) {
    Type i64 = builder.getI64Type();
    if (integer.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, i64, integer);
    return arith::ExtSIOp::create(builder, loc, i64, integer);
  }
  Value offset(Value pointer, Value bytes) {
    return bytesBehind(builder, loc, pointer, bytes);
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

  /// Elements between a 16-byte boundary and an address.
  Value shiftOf(Value address) {
    if (isAligned)
      return constant(0);
    Value place = arith::TruncIOp::create(
        builder, loc, builder.getI32Type(),
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), address));
    return math.bitAnd(math.shiftRight(place, llvm::Log2_64(bytes)), unit - 1);
  }

  /// The address of the tile's first element in a row of the view.
  Value addressOf(Value row) {
    Value elements =
        math.add(math.mul(toI64(row), toI64(view.stride(builder, loc, 0))),
                 toI64(firstColumn));
    return offset(view.pointer, math.mul(elements, bytes));
  }

  /// 8 rows, `width` columns from `column` on.
  void writePart(int64_t block, int64_t half, int64_t column) {
    synchronizeWarp(); // behind the reads of the part before
    for (int64_t fragment = 0; fragment < width; fragment += fragmentColumns)
      writeFragment(block, half, column + fragment,
                    bytesBehind(builder, loc, place, fragment * bytes));
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

  /// 8 columns of 8 rows. A lane has two adjacent elements of an unaligned row,
  /// stored one by one.
  void writeFragment(int64_t block, int64_t half, int64_t column, Value first) {
    int64_t reg = block * columns / 2 + column / fragmentColumns * 4 + 2 * half;
    Value low = registers[reg], high = registers[reg + 1];
    if (bytes == 2)
      std::tie(low, high) = roundTogether(low, high);
    LLVM::StoreOp::create(builder, loc, low, first);
    LLVM::StoreOp::create(builder, loc, high,
                          bytesBehind(builder, loc, first, bytes));
  }

  /// Packs two 16-bit values, so that one instruction rounds both. If each is
  /// rounded separately ptxas reads accumulators too early and serializes the
  /// wgmma (C7514).
  std::pair<Value, Value> roundTogether(Value low, Value high) {
    Value pair = packHalves(builder, loc, low, high);
    Type i16 = builder.getI16Type();
    auto halves =
        LLVM::LLVMStructType::getLiteral(builder.getContext(), {i16, i16});
    // As inline assembly, or LLVM would undo it.
    Value split = inlinePtx(builder, loc, halves, pair, "mov.b32 {$0, $1}, $2;",
                            "=h,=h,r", /*isPure=*/true)
                      .getResult(0);
    return {LLVM::ExtractValueOp::create(builder, loc, split, 0),
            LLVM::ExtractValueOp::create(builder, loc, split, 1)};
  }

  /// Rows `row` and `row` + 4 of the buffer, each by half of the lanes.
  /// \param rows  those of the tile before the buffer's.
  void writeRows(int64_t row, int64_t rows, int64_t column, Value left) {
    Value stride = view.stride(builder, loc, 0);
    Value isRow = isGreater(toI32(view.size(builder, loc, 0)),
                            math.add(baseRow, rows + row));
    Value count = select(isRow, left, constant(0));
    Value from = bytesBehind(builder, loc, source, row * rowBytes);
    Value to = bytesBehind(
        builder, loc,
        offset(pointer, math.mul(toI64(stride), (rows + row) * bytes)),
        column * bytes);
    if (isAligned)
      return writeUnits(from, to, count);
    // Recomputed for each address: common subexpressions would take registers
    // while most of the tile is still live.
    Value shift = shiftOf(to);
    Value head = math.bitAnd(math.sub(constant(0), shift), unit - 1);
    from = offset(from, math.mul(shift, bytes));
    Value skipped = math.mul(head, bytes);
    writeUnits(offset(from, skipped), offset(to, skipped),
               math.sub(count, head));
    writeEnds(from, to, math.min(head, count), count);
  }

  /// `count` elements of a row, minus those that do not fill a unit.
  void writeUnits(Value from, Value to, Value count) {
    Value first = math.mul(lane, rowUnitBytes);
    from = offset(from, first);
    to = offset(to, first);
    Value last = math.add(math.mul(lane, unit), unit - 1);
    auto words = VectorType::get(rowUnitBytes / 4, builder.getI32Type());
    for (int64_t number = 0; number < width / unit; number += rowLanes)
      when(isGreater(count, math.add(last, number * unit)), [&] {
        copy(words, rowUnitBytes,
             bytesBehind(builder, loc, from, number * rowUnitBytes),
             bytesBehind(builder, loc, to, number * rowUnitBytes));
      });
  }

  /// The first `head` elements of a row by its first lanes, the tail elements
  /// by the next.
  void writeEnds(Value from, Value to, Value head, Value count) {
    Value isTail = isGreater(lane, constant(unit - 1));
    Value tail = math.bitAnd(math.sub(count, head), unit - 1);
    Value element = math.bitAnd(lane, unit - 1);
    Value isThere = isGreater(select(isTail, tail, head), element);
    if (2 * unit < rowLanes)
      isThere = arith::AndIOp::create(
          builder, loc, isGreater(constant(2 * unit), lane), isThere);
    Value place = math.mul(
        math.add(element, select(isTail, math.sub(count, tail), constant(0))),
        bytes);
    when(isThere, [&] {
      copy(builder.getIntegerType(unsigned(8 * bytes)), bytes,
           offset(from, place), offset(to, place));
    });
  }

  /// From shared memory to global memory. \param size  in bytes.
  void copy(Type type, int64_t size, Value from, Value to) {
    Value value = LLVM::LoadOp::create(builder, loc, type, from, size);
    LLVM::StoreOp::create(builder, loc, value, to, size);
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  ValueRange registers;
  const ViewParts &view;
  bool isAligned;
  int64_t bytes, unit; ///< of an element; elements of 16 bytes
  int64_t columns, width, rowBytes, blocks;
  Value firstColumn; ///< of the tile, i32
  Value place;       ///< of the lane's first fragment in shared memory
  /// This lane among those that write a row: its index, its first row, and that
  /// row's addresses in shared and global memory.
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
