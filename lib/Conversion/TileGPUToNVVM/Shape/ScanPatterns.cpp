// tile.scan, from the fastest varying digit outwards: each digit of the
// coordinate along the axis, of the register, lane or warp, combines runs that
// the previous digits have scanned. Registers are combined in order, lanes in
// log2(lanes) shuffles, warps through shared memory.
#include "Shape/ReduceSteps.h"
#include "Thread/PipeAddress.h"
#include "Thread/SharedTile.h"
#include "Thread/ThreadPatterns.h"
#include "Thread/WarpShuffle.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <map>

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Lowers one op. Keeps the inclusive prefix of its run for each register, and
/// the total of each run, identified by its first register.
class ScanLowering {
public:
  ScanLowering(OpBuilder &builder, tile::ScanOp op)
      : builder(builder), loc(op.getLoc()), op(op), axis(op.getAxis()),
        reverse(op.getReverse()),
        source(cast<RankedTensorType>(op.getSources().front().getType())),
        layout(LayoutAttr::of(source)), tile(builder, loc, source),
        steps(builder, op), held(tile.getNumRegisters()) {}

  /// \param sources  the registers of each source.
  /// \returns the registers of each result.
  SmallVector<SmallVector<Value>> run(ArrayRef<ValueRange> sources) {
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg)
      totals[reg] = begin(sources, reg);
    if (!op.getExclusive())
      for (auto &[reg, total] : totals)
        held[reg] = total;
    SmallVector<ScanDigit> digits = scanDigits(layout, axis);
    for (auto [number, digit] : llvm::enumerate(digits)) {
      isLast = number + 1 == digits.size();
      switch (digit.place) {
      case ScanDigit::Place::Register:
        joinRegisters(digit);
        break;
      case ScanDigit::Place::Lane:
        joinLanes(digit);
        break;
      case ScanDigit::Place::Warp:
        joinWarps(digit);
        break;
      }
    }
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (Accumulator &accumulator : held) {
      if (accumulator.empty())
        accumulator = steps.identity();
      for (auto [result, value] :
           llvm::zip_equal(results, steps.finish(accumulator)))
        result.push_back(value);
    }
    return results;
  }

private:
  /// The element of a register. Padding follows all elements, so only a reverse
  /// scan encounters it first.
  Accumulator begin(ArrayRef<ValueRange> sources, int64_t reg) {
    Accumulator element =
        steps.begin(llvm::map_to_vector(
                        sources, [reg](ValueRange all) { return all[reg]; }),
                    /*position=*/0);
    if (!reverse)
      return element;
    Value inside = tile.isInside(reg, axis);
    return inside ? steps.select(inside, element, steps.identity()) : element;
  }

  /// Combines the total before a run with every register of it.
  /// \param exists  i1: whether there is a predecessor; may be null.
  void putBefore(int64_t run, const ScanDigit &digit, const Accumulator &before,
                 Value exists) {
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      if (runOf(reg, digit.stride) != run)
        continue;
      Accumulator &own = held[reg];
      Accumulator joined = own.empty() ? before : steps.join(before, own);
      if (exists)
        joined =
            steps.select(exists, joined, own.empty() ? steps.identity() : own);
      own = joined;
    }
  }

  /// The first register of the run of a register: that of the digits below
  /// `stride` along the axis.
  int64_t runOf(int64_t reg, int64_t stride) const {
    int64_t weight = 1, run = reg;
    for (const LayoutMode &mode : layout.getRegisters()) {
      if (mode.axis == axis && mode.stride < stride)
        run -= reg / weight % mode.extent * weight;
      weight *= mode.extent;
    }
    return run;
  }

  void joinRegisters(const ScanDigit &digit) {
    std::map<int64_t, Accumulator> joined;
    for (auto &[run, total] : totals) {
      if (run / digit.weight % digit.extent != 0)
        continue;
      Accumulator &sum = joined[run];
      for (int64_t place = 0; place < digit.extent; ++place) {
        int64_t number = reverse ? digit.extent - 1 - place : place;
        int64_t part = run + number * digit.weight;
        if (place != 0)
          putBefore(part, digit, sum, /*exists=*/{});
        sum = place == 0 ? totals.at(part) : steps.join(sum, totals.at(part));
      }
    }
    totals = std::move(joined);
  }

  /// A digit of the lane or warp index, in scan direction.
  Value placeOf(Value number, const ScanDigit &digit) {
    Value weight = indexConstant(builder, loc, digit.weight),
          extent = indexConstant(builder, loc, digit.extent);
    Value place = arith::RemUIOp::create(
        builder, loc, arith::DivUIOp::create(builder, loc, number, weight),
        extent);
    if (!reverse)
      return place;
    return arith::SubIOp::create(
        builder, loc, indexConstant(builder, loc, digit.extent - 1), place);
  }

  Value isAtLeast(Value place, int64_t least) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, place,
                                 indexConstant(builder, loc, least));
  }

  /// The value of the lane `distance` positions before this one.
  Accumulator shuffleBack(const Accumulator &value, Value lane,
                          const ScanDigit &digit, Value distance) {
    Value step = arith::MulIOp::create(
        builder, loc, distance,
        indexConstant(builder, loc, reverse ? -digit.weight : digit.weight));
    Value from = arith::SubIOp::create(builder, loc, lane, step);
    return llvm::map_to_vector<2>(value, [&](Value word) {
      return shuffleFrom(builder, loc, word, from);
    });
  }

  void joinLanes(const ScanDigit &digit) {
    Value lane = laneNumber(builder, loc), place = placeOf(lane, digit);
    Value isLater = isAtLeast(place, 1);
    for (auto &[run, total] : totals) {
      Accumulator sum = total;
      for (int64_t distance = 1; distance < digit.extent; distance *= 2) {
        Accumulator before = shuffleBack(sum, lane, digit,
                                         indexConstant(builder, loc, distance));
        sum = steps.select(isAtLeast(place, distance), steps.join(before, sum),
                           sum);
      }
      putBefore(run, digit,
                shuffleBack(sum, lane, digit, indexConstant(builder, loc, 1)),
                isLater);
      if (isLast)
        continue;
      // The last lane has the total.
      Value behind = arith::SubIOp::create(
          builder, loc, place, indexConstant(builder, loc, digit.extent - 1));
      total = shuffleBack(sum, lane, digit, behind);
    }
  }

  void joinWarps(const ScanDigit &digit) {
    ScanExchange exchange(layout, axis, digit);
    Value lane = laneNumber(builder, loc), warp = warpNumber(builder, loc);
    auto isApart = [&](const LayoutMode &mode) {
      return ScanExchange::isApart(mode, axis, digit);
    };
    auto isElse = [&](const LayoutMode &mode) {
      return mode.axis != axis || mode.stride != digit.stride;
    };
    Value zero = indexConstant(builder, loc, 0);
    Value place = placeOf(warp, digit);
    Value slot[] = {
        zero, numberOf(builder, loc, warp, layout.getWarps(), isElse), place,
        numberOf(builder, loc, lane, layout.getLanes(), isApart)};
    Value first[] = {zero, slot[1], zero, slot[3]};
    SmallVector<SharedTile> writers, readers;
    Value pointer = scratchPointer(builder, op);
    for (Type type : accumulatorTypes(op)) {
      SharedType buffer = exchange.getBuffer(type);
      writers.emplace_back(builder, loc, buffer, pointer, slot);
      readers.emplace_back(builder, loc, buffer, pointer, first);
      pointer = bytesBehind(builder, loc, pointer, buffer.getNumBytes());
    }

    // The op may exchange along several digits.
    if (std::exchange(hasExchanged, true))
      emitBarrier(builder, loc);
    else
      emitScratchBarrier(builder, op);
    {
      OpBuilder::InsertionGuard guard(builder);
      Value copy =
          numberOf(builder, loc, lane, layout.getLanes(),
                   [&](const LayoutMode &mode) { return !isApart(mode); });
      auto then = scf::IfOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, copy,
                                zero));
      builder.setInsertionPointToStart(&then.getThenRegion().front());
      for (auto [part, total] : llvm::enumerate(totals))
        for (auto [writer, value] : llvm::zip_equal(writers, total.second))
          writer.store({int64_t(part), 0, 0, 0}, value);
    }
    emitBarrier(builder, loc);

    for (auto [part, total] : llvm::enumerate(totals)) {
      Accumulator sum, before;
      for (int64_t number = 0; number < digit.extent; ++number) {
        Accumulator next;
        for (SharedTile &reader : readers)
          next.push_back(reader.load({int64_t(part), 0, number, 0}, 1).front());
        if (number != 0)
          before = number == 1
                       ? sum
                       : steps.select(isAtLeast(place, number), sum, before);
        sum = number == 0 ? next : steps.join(sum, next);
      }
      putBefore(total.first, digit, before, isAtLeast(place, 1));
      total.second = sum;
    }
  }

  OpBuilder &builder;
  Location loc;
  tile::ScanOp op;
  int64_t axis;
  bool reverse;
  RankedTensorType source;
  LayoutAttr layout;
  ThreadTile tile;
  ReduceSteps steps;
  bool isLast = false;           ///< totals of runs are not needed any more
  bool hasExchanged = false;     ///< through the scratch area
  SmallVector<Accumulator> held; ///< by register; empty: nothing before it
  std::map<int64_t, Accumulator> totals; ///< by first register of the run
};

struct LowerScan : OpConversionPattern<tile::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ScanOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type source = op.getSources().front().getType();
    for (ValueRange values :
         {ValueRange(op.getSources()), ValueRange(op.getResults())})
      for (Type type : values.getTypes())
        if (LayoutAttr::of(type) != LayoutAttr::of(source))
          return op.emitOpError("expected sources and results of one layout, "
                                "found ")
                 << source << " and " << type
                 << "; run --tile-gpu-assign-layouts";
    ScanLowering lowering(rewriter, op);
    SmallVector<SmallVector<Value>> results =
        lowering.run(adaptor.getSources());
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};
} // namespace

void populateScanPatterns(const ThreadTypeConverter &converter,
                          RewritePatternSet &patterns) {
  patterns.add<LowerScan>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
