// Unaligned contiguous runs between global and shared memory, in 16-byte units,
// with their ends element by element.
#include "Thread/SharedTile.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

struct LowerRun : OpConversionPattern<RunOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RunOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ViewParts source(op.getSource().getType(), adaptor.getSource());
    // Views may exceed the index range.
    Type i64 = rewriter.getI64Type();
    auto wide = [&](Value index) -> Value {
      return arith::IndexCastOp::create(rewriter, loc, i64, index);
    };
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIntOp::create(rewriter, loc, i64, number);
    };
    Value elements = constant(1), length = constant(op.getLength());
    for (int64_t axis = 0; axis < source.type.getRank(); ++axis)
      elements = arith::MulIOp::create(rewriter, loc, elements,
                                       wide(source.size(rewriter, loc, axis)));
    Value start = arith::MulIOp::create(
        rewriter, loc, wide(adaptor.getNumber().front()), length);
    Value left = arith::SubIOp::create(rewriter, loc, elements, start);
    left = arith::MaxSIOp::create(
        rewriter, loc, arith::MinSIOp::create(rewriter, loc, left, length),
        constant(0));
    Value pointer =
        LLVM::GEPOp::create(rewriter, loc, source.pointer.getType(),
                            typeInMemory(source.type.getElementType()),
                            source.pointer, ArrayRef<LLVM::GEPArg>(start));
    rewriter.replaceOpWithMultiple(
        op, {{pointer,
              arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                         left),
              indexConstant(rewriter, loc, 1)}});
    return success();
  }
};

struct LowerRows : OpConversionPattern<RowsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value distance = arith::IndexCastOp::create(
        rewriter, op.getLoc(), rewriter.getI32Type(), adaptor.getFirst());
    Value source = adaptor.getSource();
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
        op, source.getType(),
        typeInMemory(op.getSource().getType().getElementType()), source,
        ArrayRef<LLVM::GEPArg>(distance));
    return success();
  }
};

/// Common base of both directions: the units of a buffer are distributed over
/// the threads.
class RunTransfer {
public:
  /// \param left  elements of the run, index.
  RunTransfer(OpBuilder &builder, Location loc, Operation *op, SharedType type,
              Value buffer, Value pointer, Value first, Value left,
              int64_t length)
      : builder(builder), loc(loc), math(builder, loc),
        element(typeInMemory(type.getElementType())), buffer(buffer),
        thread(threadNumber(builder, loc)), first(first),
        last(math.add(first, left)),
        threads(PlanAttr::of(op).getComputeThreads()),
        bytes(memoryBytes(type.getElementType())),
        unit(sharedUnitBytes / bytes), units(type.getShape()[0] / unit),
        length(length) {
    // If a run is empty, not even the elements before it may be read.
    if (!matchPattern(left, m_NonZero()))
      last = arith::SelectOp::create(builder, loc, math.isEqual(left, 0),
                                     constant(0), last);
    Value back = arith::SubIOp::create(builder, loc, constant(0), first);
    start = move(pointer, back);
  }

protected:
  Value constant(int64_t value) { return indexConstant(builder, loc, value); }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }
  Value isLess(Value left, Value right) {
    return compare(arith::CmpIPredicate::slt, left, right);
  }
  Value both(Value left, Value right) {
    return arith::AndIOp::create(builder, loc, left, right);
  }
  /// Pointers advance by elements.
  Value move(Value pointer, Value count) {
    Value distance =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), count);
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, ArrayRef<LLVM::GEPArg>(distance));
  }
  Value move(Value pointer, int64_t count) {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, ArrayRef<LLVM::GEPArg>(int32_t(count)));
  }
  void when(Value condition, function_ref<void()> emit) {
    auto branch = scf::IfOp::create(builder, loc, condition);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emit();
  }

  /// Calls `emit` for the units of this thread.
  /// \param place  of the unit; consecutive ones of a thread have a constant
  /// stride.
  void forEachUnit(function_ref<void(int64_t round, Value place)> emit) {
    Value own = math.mul(thread, unit);
    for (int64_t round = 0; round * threads < units; ++round) {
      auto unitOf = [&] { emit(round, math.add(own, round * threads * unit)); };
      int64_t left = units - round * threads;
      if (left < threads)
        when(isLess(thread, constant(left)), unitOf);
      else
        unitOf();
    }
  }
  /// Whether all units of a round are before the end of a full run, for any
  /// alignment.
  bool isBeforeEnd(int64_t round) const {
    return (round + 1) * threads * unit <= length;
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  Type element; ///< in memory
  Value buffer, thread;
  Value start;       ///< of place 0 in global memory
  Value first, last; ///< positions of the first element and past the last one
  int64_t threads, bytes, unit, units, length;
};

class RunCopy : RunTransfer {
public:
  using RunTransfer::RunTransfer;

  void emit(bool isWhole) {
    Value to = move(buffer, math.mul(thread, unit)),
          from = move(start, math.mul(thread, unit));
    forEachUnit([&](int64_t round, Value place) {
      int64_t moved = round * threads * unit;
      auto copy = [&](Value read) {
        NVVM::CpAsyncOp::create(builder, loc, move(to, moved),
                                move(from, moved), sharedUnitBytes,
                                NVVM::LoadCacheModifierKind::CG, read);
      };
      if (isWhole && isBeforeEnd(round))
        return copy({});
      // Units after the run are zero; the unit in which it ends is handled
      // below.
      Value isThere = isLess(math.add(place, unit - 1), last);
      Value isCut = both(isLess(place, last), math.isEqual(isThere, 0));
      when(math.isEqual(isCut, 0), [&] {
        Value read = arith::SelectOp::create(
            builder, loc, isThere, byteCount(sharedUnitBytes), byteCount(0));
        copy(read);
      });
    });
    copyEnd();
  }

private:
  Value byteCount(int64_t count) {
    return arith::ConstantIntOp::create(builder, loc, count, /*width=*/32);
  }

  /// The partial last unit of the run, one element per thread.
  void copyEnd() {
    Value place = math.add(math.mul(math.div(last, unit), unit), thread);
    Value isCut =
        compare(arith::CmpIPredicate::ne, math.rem(last, unit), constant(0));
    when(both(isCut, isLess(thread, constant(unit))), [&] {
      auto choice =
          scf::IfOp::create(builder, loc, element, isLess(place, last),
                            /*withElseRegion=*/true);
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(choice.thenBlock());
        Value read = LLVM::LoadOp::create(builder, loc, element,
                                          move(start, place), bytes);
        scf::YieldOp::create(builder, loc, read);
        builder.setInsertionPointToStart(choice.elseBlock());
        Value zero = LLVM::ZeroOp::create(builder, loc, element);
        scf::YieldOp::create(builder, loc, zero);
      }
      LLVM::StoreOp::create(builder, loc, choice.getResult(0),
                            move(buffer, place), bytes);
    });
  }
};

class RunStore : RunTransfer {
public:
  using RunTransfer::RunTransfer;

  void emit(bool isWhole) {
    Value from = move(buffer, math.mul(thread, unit)),
          to = move(start, math.mul(thread, unit));
    auto words = VectorType::get(sharedUnitBytes / 4, builder.getI32Type());
    forEachUnit([&](int64_t round, Value place) {
      auto store = [&] {
        int64_t moved = round * threads * unit;
        Value held = LLVM::LoadOp::create(builder, loc, words,
                                          move(from, moved), sharedUnitBytes);
        LLVM::StoreOp::create(builder, loc, held, move(to, moved),
                              sharedUnitBytes);
      };
      Value isOwn;
      if (round == 0)
        isOwn = compare(arith::CmpIPredicate::sge, place, first);
      if (!isWhole || !isBeforeEnd(round)) {
        Value isThere = isLess(math.add(place, unit - 1), last);
        isOwn = isOwn ? both(isOwn, isThere) : isThere;
      }
      if (isOwn)
        when(isOwn, store);
      else
        store();
    });
    storeEnds();
  }

private:
  /// The elements of the first unit if the run starts within it, and those of
  /// its last unit: one thread each.
  void storeEnds() {
    Value isTaker = isLess(thread, constant(unit));
    Value head = math.mul(math.div(first, unit), unit),
          tail = math.mul(math.div(last, unit), unit);
    Value isCut =
        arith::OrIOp::create(builder, loc, math.isEqual(tail, head),
                             compare(arith::CmpIPredicate::ne, first, head));
    Value place = math.add(head, thread);
    Value isOwn = both(compare(arith::CmpIPredicate::sge, place, first),
                       isLess(place, last));
    storeOne(both(both(isOwn, isCut), isTaker), place);
    place = math.add(tail, thread);
    isOwn = both(isLess(place, last), isLess(head, tail));
    storeOne(both(isOwn, isTaker), place);
  }

  void storeOne(Value condition, Value place) {
    when(condition, [&] {
      Value held = LLVM::LoadOp::create(builder, loc, element,
                                        move(buffer, place), bytes);
      LLVM::StoreOp::create(builder, loc, held, move(start, place), bytes);
    });
  }
};

/// \tparam TransferT  a direction.
template <typename OpT, typename TransferT>
struct LowerTransfer : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op,
                  typename OpConversionPattern<OpT>::OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ViewParts run(op.getRun().getType(), adaptor.getRun());
    Location loc = op.getLoc();
    Value left = op.getWhole() ? indexConstant(rewriter, loc, op.getLength())
                               : run.size(rewriter, loc, 0);
    TransferT(rewriter, loc, op, op.getBuffer().getType(),
              adaptor.getBuffer().front(), run.pointer,
              adaptor.getFirst().front(), left, op.getLength())
        .emit(op.getWhole());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void populateRunPatterns(const ThreadTypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<LowerRun, LowerRows, LowerTransfer<CopyRunOp, RunCopy>,
               LowerTransfer<StoreRunOp, RunStore>>(converter,
                                                    patterns.getContext());
}

} // namespace tilegpt::tilegpu
