// Asynchronous copies: the threads of a block share the units of a tile, with
// adjacent units in a row assigned to adjacent threads. The layout of their
// offsets distributes those of a `tile_gpu.copy_at`.
#include "Access/OrderedAccess.h"
#include "Thread/SharedTile.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

class TileCopy {
public:
  /// \param rows      the buffer of the indices of gathered rows, or null.
  /// \param rowStart  null except for an unaligned row.
  TileCopy(OpBuilder &builder, CopyOp op, const ViewParts &view, Value buffer,
           ValueRange indices, Value rows, Value rowStart)
      : builder(builder), loc(op.getLoc()), type(op.getBuffer().getType()),
        view(view), buffer(buffer), inside(op.getInside()),
        threads(PlanAttr::of(op).getComputeThreads()), unitBytes(op.getUnit()),
        unit(unitBytes / memoryBytes(type.getElementType())),
        unitsPerRow(type.getShape().back() / unit), rows(1),
        isCovering(rowStart), isClipped(op.getClipped()), numbers(rows),
        loop(op->hasAttr(keptRowsName) ? op->getParentOfType<scf::ForOp>()
                                       : scf::ForOp()) {
    for (int64_t size : type.getShape().drop_back())
      this->rows *= size;
    if (numbers) {
      numbersType = op.getRows().getType();
      starts.push_back(constant(0));
    }
    for (Value position : indices)
      starts.push_back(arith::MulIOp::create(
          builder, loc, position, constant(type.getShape()[starts.size()])));
    if (isCovering)
      starts.back() =
          arith::SubIOp::create(builder, loc, constant(0), rowStart);
  }

  void emit() {
    loadNumbers();
    Value thread = threadNumber(builder, loc);
    int64_t units = rows * unitsPerRow;
    for (int64_t first = 0; first < units; first += threads) {
      OpBuilder::InsertionGuard guard(builder);
      if (first + threads > units) {
        Value isLeft = compare(thread, constant(units - first));
        auto then = scf::IfOp::create(builder, loc, isLeft);
        builder.setInsertionPointToStart(&then.getThenRegion().front());
      }
      copyUnit(thread, first);
    }
  }

private:
  Value constant(int64_t value) { return indexConstant(builder, loc, value); }
  Value add(Value left, Value right) {
    return arith::AddIOp::create(builder, loc, left, right);
  }
  Value compare(Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left,
                                 right);
  }

  /// Copies unit number thread + first of the tile.
  void copyUnit(Value thread, int64_t first) {
    int64_t rank = type.getRank();
    // If every round starts with a whole row, the thread-dependent part of the
    // coordinates is the same for all rounds.
    bool isRegular = rank == 2 && first % unitsPerRow == 0;
    Value number = isRegular ? thread : add(thread, constant(first));
    SmallVector<int64_t> offset(rank, 0);
    if (isRegular)
      offset[0] = first / unitsPerRow;
    SmallVector<Value> place(rank);
    Value column = arith::RemUIOp::create(builder, loc, number,
                                          constant(unitsPerRow)),
          row = arith::DivUIOp::create(builder, loc, number,
                                       constant(unitsPerRow));
    place[rank - 1] =
        arith::MulIOp::create(builder, loc, column, constant(unit));
    for (int64_t axis = rank - 1; axis-- > 0;) {
      Value size = constant(type.getShape()[axis]);
      place[axis] =
          axis == 0
              ? row
              : arith::RemUIOp::create(builder, loc, row, size).getResult();
      if (axis != 0)
        row = arith::DivUIOp::create(builder, loc, row, size);
    }
    SharedTile shared(builder, loc, type, buffer, place);
    Value gathered;
    if (!kept.empty())
      gathered = kept[first / threads];
    else if (numbers)
      gathered = numberOfRow(place[0], offset[0]);
    Value to = shared.at(offset), from = addressOf(place, offset, gathered),
          exists = existsOf(place, offset, gathered);
    // Only the last rounds reach the end of an unaligned row.
    if (isCovering && (first + threads) * unit > view.type.getShape()[rank - 1])
      return copyInPart(to, from, exists,
                        leftOfRow(place[rank - 1], offset[rank - 1]));
    Value bytes;
    if (isClipped)
      bytes = bytesLeft(place[rank - 1], offset[rank - 1]);
    if (exists)
      bytes = arith::SelectOp::create(builder, loc, exists,
                                      bytes ? bytes : byteCount(unitBytes),
                                      byteCount(0));
    copyWhole(to, from, unitBytes, bytes);
  }

  /// How many bytes of the unit in a column are before the end of the row, i32.
  Value bytesLeft(Value column, int64_t offset) {
    Value left = arith::MaxSIOp::create(builder, loc, leftOfRow(column, offset),
                                        constant(0));
    left = arith::MinSIOp::create(builder, loc, left, constant(unit));
    Value bytes = arith::MulIOp::create(
        builder, loc, left, constant(memoryBytes(type.getElementType())));
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                      bytes);
  }

  /// Loads the indices of this thread's rows before the loop that does not
  /// change them, if each round of copies starts with a whole row and uses all
  /// threads. Each iteration then only adds its own offset to an address.
  void loadNumbers() {
    if (!loop || type.getRank() != 2 || threads % unitsPerRow != 0 ||
        rows * unitsPerRow % threads != 0)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop);
    Value row = arith::DivUIOp::create(builder, loc, threadNumber(builder, loc),
                                       constant(unitsPerRow));
    for (int64_t first = 0; first < rows; first += threads / unitsPerRow)
      kept.push_back(numberOfRow(row, first));
  }

  /// The index of a gathered row, i64.
  Value numberOfRow(Value place, int64_t offset) {
    Value number = SharedTile(builder, loc, numbersType, numbers, place)
                       .load(offset, /*count=*/1)
                       .front();
    return number.getType().isInteger(64)
               ? number
               : arith::ExtSIOp::create(builder, loc, builder.getI64Type(),
                                        number);
  }

  Value byteCount(int64_t count) {
    return arith::ConstantIntOp::create(builder, loc, count, /*width=*/32);
  }

  /// \param read  number of bytes to read, the rest being zero; null for all.
  void copyWhole(Value to, Value from, int64_t bytes, Value read) {
    auto cached = bytes == sharedUnitBytes ? NVVM::LoadCacheModifierKind::CG
                                           : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(builder, loc, to, from, bytes, cached, read);
  }

  /// Copies a unit in which a row may end: whole words by copies, the elements
  /// of a partial word one by one, since a copy of a part of its bytes still
  /// addresses all of them, which may be outside of the view's memory.
  /// \param left  columns of the row from the unit on, index; may be negative.
  void copyInPart(Value to, Value from, Value exists, Value left) {
    constexpr int64_t wordBytes = 4;
    if (exists)
      left = arith::SelectOp::create(builder, loc, exists, left, constant(0));
    auto isThere = [&](int64_t columns) {
      return compare(constant(columns - 1), left);
    };
    auto branch = [&](Value condition, function_ref<void()> whole,
                      function_ref<void()> otherwise) {
      auto choice = scf::IfOp::create(builder, loc, condition,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(choice.thenBlock());
      whole();
      builder.setInsertionPointToStart(choice.elseBlock());
      otherwise();
    };
    Type element = typeInMemory(type.getElementType());
    int64_t bytes = memoryBytes(type.getElementType());
    auto at = [&](Value pointer, int64_t column) -> Value {
      return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                                 pointer, ArrayRef<LLVM::GEPArg>(column));
    };
    auto copyElement = [&](int64_t column) {
      Value zero = LLVM::ZeroOp::create(builder, loc, element);
      auto choice = scf::IfOp::create(
          builder, loc, element, isThere(column + 1), /*withElseRegion=*/true);
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(choice.thenBlock());
        Value value = LLVM::LoadOp::create(builder, loc, element,
                                           at(from, column), bytes);
        scf::YieldOp::create(builder, loc, value);
        builder.setInsertionPointToStart(choice.elseBlock());
        scf::YieldOp::create(builder, loc, zero);
      }
      LLVM::StoreOp::create(builder, loc, choice.getResult(0), at(to, column),
                            bytes);
    };
    auto copyWord = [&](int64_t column, int64_t columns) {
      branch(
          isThere(column + columns),
          [&] { copyWhole(at(to, column), at(from, column), wordBytes, {}); },
          [&] {
            for (int64_t number = 0; number < columns; ++number)
              copyElement(column + number);
          });
    };
    branch(
        isThere(unit), [&] { copyWhole(to, from, sharedUnitBytes, {}); },
        [&] {
          int64_t columns = std::max<int64_t>(1, wordBytes / bytes);
          for (int64_t column = 0; column < unit; column += columns)
            if (bytes > wordBytes)
              copyElement(column);
            else
              copyWord(column, columns);
        });
  }

  /// Whether a unit is in bounds along the axes where it may not be; null if it
  /// always is.
  /// \param gathered  the index of a gathered row, or null.
  Value existsOf(ArrayRef<Value> place, ArrayRef<int64_t> offset,
                 Value gathered) {
    Value exists;
    if (gathered)
      exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, gathered,
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                     view.size(builder, loc, 0)));
    int64_t columnAxis = type.getRank() - 1;
    for (int64_t axis = gathered ? 1 : 0; axis < type.getRank(); ++axis) {
      if (inside[axis] || ((isCovering || isClipped) && axis == columnAxis))
        continue;
      // The rest of the view from the tile on, compared with the coordinate in
      // the tile.
      Value left =
          arith::SubIOp::create(builder, loc, view.size(builder, loc, axis),
                                add(starts[axis], constant(offset[axis])));
      Value isInside = compare(place[axis], left);
      exists = exists ? arith::AndIOp::create(builder, loc, exists, isInside)
                            .getResult()
                      : isInside;
    }
    return exists;
  }

  /// Columns of a row from this column of the buffer on.
  Value leftOfRow(Value column, int64_t offset) {
    int64_t axis = type.getRank() - 1;
    return arith::SubIOp::create(
        builder, loc, view.size(builder, loc, axis),
        add(starts[axis], add(column, constant(offset))));
  }

  /// Views may exceed the index range, so offsets are 64-bit.
  Value addressOf(ArrayRef<Value> place, ArrayRef<int64_t> offset,
                  Value gathered) {
    Type i64 = builder.getI64Type();
    Value pointer = view.pointer;
    auto move = [&](Value count, int64_t axis) {
      Value distance = count;
      if (!count.getType().isInteger(64))
        distance = arith::IndexCastOp::create(builder, loc, i64, count);
      if (view.knownStrides[axis] != 1)
        distance = arith::MulIOp::create(
            builder, loc, distance,
            arith::IndexCastOp::create(builder, loc, i64,
                                       view.stride(builder, loc, axis)));
      pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(),
                                    typeInMemory(type.getElementType()),
                                    pointer, ArrayRef<LLVM::GEPArg>(distance));
    };
    // The thread's offset is the same for all tiles, the tile's offset for all
    // units.
    if (gathered)
      move(gathered, 0);
    const int64_t firstAxis = gathered ? 1 : 0;
    for (int64_t axis = firstAxis; axis < type.getRank(); ++axis)
      move(place[axis], axis);
    for (int64_t axis = firstAxis; axis < type.getRank(); ++axis)
      move(starts[axis], axis);
    for (int64_t axis = firstAxis; axis < type.getRank(); ++axis)
      if (offset[axis] != 0)
        move(constant(offset[axis]), axis);
    return pointer;
  }

  OpBuilder &builder;
  Location loc;
  SharedType type;
  ViewParts view;
  Value buffer;
  ArrayRef<bool> inside;
  int64_t threads, unitBytes, unit, unitsPerRow, rows;
  bool isCovering, isClipped;
  Value numbers; ///< of gathered rows, in shared memory; null elsewhere
  SharedType numbersType;
  scf::ForOp loop;         ///< before which row indices may be read, or null
  SmallVector<Value> kept; ///< numbers, by round of copies
  /// For each axis: the first coordinate of the tile.
  SmallVector<Value> starts;
};

struct LowerCopy : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> indices;
    for (ValueRange position : adaptor.getIndices())
      indices.push_back(position.front());
    TileCopy(rewriter, op, ViewParts(op.getView().getType(), adaptor.getView()),
             adaptor.getBuffer().front(), indices,
             op.getRows() ? adaptor.getRows().front() : Value(),
             op.getFirst() ? adaptor.getFirst().front() : Value())
        .emit();
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerCopyAt : OpConversionPattern<CopyAtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CopyAtOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ThreadTile units(rewriter, loc, op.getOffsets().getType());
    Value isFirstCopy = units.isFirstCopy();
    for (const ThreadTile::Group &group : units.groupNeighbours(-1, 1)) {
      const int64_t reg = group.front();
      OpBuilder::InsertionGuard guard(rewriter);
      if (Value acts =
              allOf(rewriter, loc, {units.isInside(reg), isFirstCopy})) {
        auto then = scf::IfOp::create(rewriter, loc, acts);
        rewriter.setInsertionPointToStart(&then.getThenRegion().front());
      }
      auto bytes = [&](int64_t count) -> Value {
        return arith::ConstantIntOp::create(rewriter, loc, count, /*width=*/32);
      };
      Value read;
      if (op.getMask())
        read = arith::SelectOp::create(rewriter, loc, adaptor.getMask()[reg],
                                       bytes(op.getUnit()), bytes(0));
      NVVM::CpAsyncOp::create(
          rewriter, loc, placeOfUnit(rewriter, op, adaptor, units, reg),
          offsetPointer(rewriter, loc, adaptor.getBase().front(),
                        op.getBase().getType(), adaptor.getOffsets()[reg]),
          op.getUnit(),
          op.getUnit() == sharedUnitBytes ? NVVM::LoadCacheModifierKind::CG
                                          : NVVM::LoadCacheModifierKind::CA,
          read);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The address of a unit in the buffer. The part that depends on the thread
  /// is the same for all units of a thread if each begins as many whole rows
  /// behind the first.
  static Value placeOfUnit(OpBuilder &builder, CopyAtOp op,
                           OneToNOpAdaptor adaptor, ThreadTile &units,
                           int64_t reg) {
    Location loc = op.getLoc();
    SharedType type = op.getBuffer().getType();
    const int64_t unit = op.getUnit() / memoryBytes(type.getElementType()),
                  unitsPerRow = type.getShape().back() / unit,
                  rank = type.getRank(), ahead = units.getOffset(reg).front();
    const bool isRegular = rank == 2 && ahead % unitsPerRow == 0;
    Value number =
        isRegular ? units.getBase(0) : units.getCoordinate(reg, /*axis=*/0);
    SmallVector<int64_t> offset(rank, 0);
    if (isRegular)
      offset[0] = ahead / unitsPerRow;
    SmallVector<Value> place(rank);
    for (int64_t axis = rank; axis-- > 0;) {
      const int64_t size =
          axis == rank - 1 ? unitsPerRow : type.getShape()[axis];
      place[axis] =
          axis == 0 ? number
                    : arith::RemUIOp::create(builder, loc, number,
                                             indexConstant(builder, loc, size))
                          .getResult();
      if (axis != 0)
        number = arith::DivUIOp::create(builder, loc, number,
                                        indexConstant(builder, loc, size));
    }
    place.back() = arith::MulIOp::create(builder, loc, place.back(),
                                         indexConstant(builder, loc, unit));
    return SharedTile(builder, loc, type, adaptor.getBuffer().front(), place)
        .at(offset);
  }
};

struct LowerCommitCopies : OpConversionPattern<CommitCopiesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CommitCopiesOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct LowerWaitCopies : OpConversionPattern<WaitCopiesOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WaitCopiesOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getCount());
    return success();
  }
};

struct LowerSlice : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SharedType type = op.getResult().getType();
    int64_t bytes = (type.getShape().back() + type.getPadding()) *
                    memoryBytes(type.getElementType());
    for (int64_t size : type.getShape().drop_back())
      bytes *= size;
    Value distance = arith::IndexCastOp::create(
        rewriter, loc, rewriter.getI32Type(),
        arith::MulIOp::create(rewriter, loc, adaptor.getIndex(),
                              indexConstant(rewriter, loc, bytes)));
    Value source = adaptor.getSource();
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, source.getType(),
                                             rewriter.getI8Type(), source,
                                             ArrayRef<LLVM::GEPArg>(distance));
    return success();
  }
};
} // namespace

void populateCopyPatterns(const ThreadTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LowerCopy, LowerCopyAt, LowerCommitCopies, LowerWaitCopies,
               LowerSlice>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
