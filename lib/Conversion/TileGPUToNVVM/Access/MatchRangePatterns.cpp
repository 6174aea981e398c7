// Lowers match_range: each warp scans the ids of the keys from both ends, with
// several loads per lane in flight.
#include "Thread/PipeAddress.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Emits the scans of one op.
class RangeScan {
public:
  RangeScan(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc), math(builder, loc),
        lane(laneNumber(builder, loc)) {}

  /// Computes the id range of rows; rows past the end of their view are zeros.
  void findNumbers(const ViewParts &rows, Value first, Value end) {
    Value size = rows.size(builder, loc, 0);
    Value isWhole = compare(arith::CmpIPredicate::sle, end, size);
    Value none = constant(0);
    auto start = [&](int32_t limit) -> Value {
      return arith::SelectOp::create(builder, loc, isWhole, constant(limit),
                                     none);
    };
    Value known = arith::MinSIOp::create(builder, loc, end, size);
    auto scan = scf::ForOp::create(
        builder, loc, math.add(first, lane), known,
        indexConstant(builder, loc, lanes),
        ValueRange{start(most), start(least)},
        [&](OpBuilder &, Location, Value row, ValueRange range) {
          Value number = load(rows, row);
          Value low = arith::MinSIOp::create(builder, loc, range[0], number),
                high = arith::MaxSIOp::create(builder, loc, range[1], number);
          scf::YieldOp::create(builder, loc, ValueRange{low, high});
        });
    smallest = reduce(NVVM::ReduxKind::MIN, scan.getResult(0));
    largest = reduce(NVVM::ReduxKind::MAX, scan.getResult(1));
  }

  /// First position in [from, to) with an id in that range, or `most`.
  Value findFirst(const ViewParts &keys, Value from, Value to) {
    return find(
        keys, from, most, NVVM::ReduxKind::MIN,
        [&](Value at) { return compare(arith::CmpIPredicate::slt, at, to); },
        [&](Value at, Value by) { return math.add(at, by); }, from);
  }
  /// Last such position, or -1.
  Value findLast(const ViewParts &keys, Value from, Value to) {
    return find(
        keys, math.sub(to, 1), -1, NVVM::ReduxKind::MAX,
        [&](Value at) { return compare(arith::CmpIPredicate::sge, at, from); },
        [&](Value at, Value by) { return math.sub(at, by); }, from);
  }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value constant(int32_t number) { return i32Constant(builder, loc, number); }

  static constexpr int32_t most = std::numeric_limits<int32_t>::max(),
                           least = std::numeric_limits<int32_t>::min();

private:
  static constexpr int64_t lanes = 32, loadsOfLane = 8;

  /// Scans from `start` until a position matches or none is left.
  /// \param none   result if nothing matches.
  /// \param there  a position that is safe to load if any is.
  Value find(const ViewParts &keys, Value start, int32_t none,
             NVVM::ReduxKind nearest, function_ref<Value(Value)> exists,
             function_ref<Value(Value, Value)> move, Value there) {
    Type index = builder.getIndexType(), i32 = builder.getI32Type();
    auto scan = scf::WhileOp::create(
        builder, loc, TypeRange{index, i32}, ValueRange{start, constant(none)},
        [&](OpBuilder &, Location, ValueRange state) {
          Value goesOn = arith::AndIOp::create(
              builder, loc, exists(state[0]),
              compare(arith::CmpIPredicate::eq, state[1], constant(none)));
          scf::ConditionOp::create(builder, loc, goesOn, state);
        },
        [&](OpBuilder &, Location, ValueRange state) {
          SmallVector<Value> positions, areThere, numbers;
          for (int64_t turn = 0; turn < loadsOfLane; ++turn) {
            Value at = move(state[0], math.add(lane, turn * lanes));
            areThere.push_back(exists(at));
            positions.push_back(at);
            numbers.push_back(
                load(keys, arith::SelectOp::create(
                               builder, loc, areThere.back(), at, there)));
          }
          Value found = constant(none);
          for (int64_t turn = 0; turn < loadsOfLane; ++turn) {
            Value position =
                arith::IndexCastOp::create(builder, loc, i32, positions[turn]);
            Value suits = arith::AndIOp::create(builder, loc, areThere[turn],
                                                isInRange(numbers[turn]));
            Value chosen = arith::SelectOp::create(builder, loc, suits,
                                                   position, constant(none));
            found = nearest == NVVM::ReduxKind::MIN
                        ? arith::MinSIOp::create(builder, loc, found, chosen)
                              .getResult()
                        : arith::MaxSIOp::create(builder, loc, found, chosen)
                              .getResult();
          }
          Value next =
              move(state[0], indexConstant(builder, loc, lanes * loadsOfLane));
          scf::YieldOp::create(builder, loc,
                               ValueRange{next, reduce(nearest, found)});
        });
    return scan.getResult(1);
  }

  Value isInRange(Value number) {
    return arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::sge, number, smallest),
        compare(arith::CmpIPredicate::sle, number, largest));
  }

  Value load(const ViewParts &view, Value position) {
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    auto wide = [&](Value value) -> Value {
      return arith::IndexCastOp::create(builder, loc, i64, value);
    };
    Value offset = arith::MulIOp::create(builder, loc, wide(position),
                                         wide(view.stride(builder, loc, 0)));
    Value pointer =
        LLVM::GEPOp::create(builder, loc, view.pointer.getType(), i32,
                            view.pointer, ArrayRef<LLVM::GEPArg>(offset));
    return LLVM::LoadOp::create(builder, loc, i32, pointer);
  }

  Value reduce(NVVM::ReduxKind kind, Value value) {
    constexpr int64_t allLanes = -1;
    return NVVM::ReduxOp::create(
        builder, loc, builder.getI32Type(), value,
        NVVM::ReduxKindAttr::get(builder.getContext(), kind),
        constant(allLanes));
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  Value lane, smallest, largest;
};

struct LowerMatchRange : OpConversionPattern<MatchRangeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MatchRangeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ViewParts keys(op.getKeys().getType(), adaptor.getKeys()),
        rows(op.getRows().getType(), adaptor.getRows());
    Value from = adaptor.getFrom().front(), to = adaptor.getTo().front();
    Type index = rewriter.getIndexType();
    Arithmetic math(rewriter, loc);
    RangeScan scan(rewriter, loc);
    scan.findNumbers(rows, adaptor.getFirstRow().front(),
                     adaptor.getEndRow().front());
    Value size = keys.size(rewriter, loc, 0);
    Value isWhole = scan.compare(arith::CmpIPredicate::sle, to, size),
          known = arith::MinSIOp::create(rewriter, loc, to, size);
    auto choose = [&](Value condition, Value one, Value other) -> Value {
      return arith::SelectOp::create(rewriter, loc, condition, one, other);
    };
    auto position = [&](Value number) -> Value {
      return arith::IndexCastOp::create(rewriter, loc, index, number);
    };
    // Keys past the end of the view always match.
    Value first = scan.findFirst(keys, from, known);
    Value isFound = scan.compare(arith::CmpIPredicate::ne, first,
                                 scan.constant(RangeScan::most));
    Value begin =
        choose(isFound, position(first),
               choose(isWhole, from,
                      arith::MaxSIOp::create(rewriter, loc, known, from)));
    Value end = to;
    if (!op.getEnd().use_empty()) {
      Value last = scan.findLast(keys, from, known);
      end = choose(isWhole, choose(isFound, math.add(position(last), 1), from),
                   to);
    }
    rewriter.replaceOp(op, {begin, end});
    return success();
  }
};
} // namespace

void populateMatchRangePatterns(const ThreadTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<LowerMatchRange>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
