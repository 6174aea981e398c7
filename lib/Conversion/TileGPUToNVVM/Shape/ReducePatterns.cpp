// tile.reduce: first the registers of a thread, then the lanes along the axis
// by shuffles, then the warps along it through shared memory. All threads along
// the axis get bit-identical results.
#include "Shape/ReduceSteps.h"
#include "Shape/SpreadReduce.h"
#include "Thread/PipeAddress.h"
#include "Thread/SharedTile.h"
#include "Thread/ThreadPatterns.h"
#include "Thread/WarpShuffle.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SpreadReduction.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include <map>
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Source registers that are combined into one result register, by their offset
/// along the axis.
using Line = std::map<int64_t, int64_t>;

/// Lowers one op.
class ReduceLowering {
public:
  ReduceLowering(OpBuilder &builder, tile::ReduceOp op)
      : builder(builder), loc(op.getLoc()), op(op), axis(op.getAxis()),
        source(cast<RankedTensorType>(op.getSources().front().getType())),
        layout(LayoutAttr::of(source)), tile(builder, loc, source),
        steps(builder, op) {}

  /// \param sources  the registers of each source.
  /// \returns the registers of each result.
  SmallVector<SmallVector<Value>> run(ArrayRef<ValueRange> sources) {
    SmallVector<Accumulator> accumulators;
    for (const Line &line : findLines())
      accumulators.push_back(joinRegisters(line, sources));
    joinLanes(accumulators);
    ReduceExchange exchange(op);
    if (LayoutAttr::of(op.getResult(0).getType()) != reducedLayout(op, layout))
      accumulators = spreadOverThreads(builder, op, steps, accumulators);
    else if (exchange.isNeeded())
      joinWarps(accumulators, exchange);
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (const Accumulator &accumulator : accumulators)
      for (auto [result, value] :
           llvm::zip_equal(results, steps.finish(accumulator)))
        result.push_back(value);
    return results;
  }

private:
  /// The group of every register of the result.
  SmallVector<Line> findLines() {
    std::map<SmallVector<int64_t>, Line> lines;
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      SmallVector<int64_t> offset = tile.getOffset(reg);
      int64_t distance = std::exchange(offset[axis], 0);
      if (distance < source.getDimSize(axis))
        lines[offset].try_emplace(distance, reg);
    }
    SmallVector<Line> found;
    LayoutAttr kept = layout.collapseAxis(axis);
    for (int64_t reg = 0; reg < kept.getNumRegisters(); ++reg)
      found.push_back(lines[kept.getRegisterOffset(reg, source.getRank())]);
    return found;
  }

  Accumulator joinRegisters(const Line &line, ArrayRef<ValueRange> sources) {
    SmallVector<Accumulator> elements;
    for (auto [distance, reg] : line) {
      auto values = llvm::map_to_vector(
          sources, [reg](ValueRange registers) { return registers[reg]; });
      Accumulator element = steps.begin(values, distance);
      if (Value inside = tile.isInside(reg, axis)) {
        // Only values: the position of padding is after all others anyway.
        Accumulator identity = steps.identity();
        for (size_t i = 0; i < values.size(); ++i)
          element[i] = arith::SelectOp::create(builder, loc, inside, element[i],
                                               identity[i]);
      }
      elements.push_back(element);
    }
    Accumulator joined = steps.joinAll(elements);
    steps.movePositions(joined, tile.getBase(axis));
    return joined;
  }

  /// Exchanges along every binary digit of the lane that belongs to the axis.
  void joinLanes(MutableArrayRef<Accumulator> accumulators) {
    SmallVector<int64_t> distances;
    int64_t step = 1;
    for (const LayoutMode &mode : layout.getLanes()) {
      int64_t end = step * mode.extent;
      for (; step < end; step *= 2)
        if (mode.axis == axis)
          distances.push_back(step);
    }
    steps.joinLanes(accumulators, distances);
  }

  /// One lane of each result writes its warp's value; all read everything.
  void joinWarps(MutableArrayRef<Accumulator> accumulators,
                 const ReduceExchange &exchange) {
    auto isAlong = [this](const LayoutMode &mode) { return mode.axis == axis; };
    auto isBeside = [&](const LayoutMode &mode) { return !isAlong(mode); };
    auto isDistinct = [&](const LayoutMode &mode) {
      return isBeside(mode) && !mode.isReplicated();
    };
    Value lane = laneNumber(builder, loc), warp = warpNumber(builder, loc);
    Value zero = indexConstant(builder, loc, 0);
    SmallVector<Value> place = {
        zero, numberOf(builder, loc, warp, layout.getWarps(), isBeside),
        numberOf(builder, loc, lane, layout.getLanes(), isDistinct),
        numberOf(builder, loc, warp, layout.getWarps(), isAlong)};
    // A region may be expensive: each lane reads one part then.
    constexpr int64_t mostOfThread = 4;
    bool isByLanes = !op.getKind() && exchange.lanesBeside == 1 &&
                     exchange.warpsAlong > mostOfThread;
    int64_t lanesOfParts = llvm::bit_ceil(uint64_t(exchange.warpsAlong));
    Value part = zero, last = zero;
    if (isByLanes) {
      last = indexConstant(builder, loc, exchange.warpsAlong - 1);
      part = arith::RemUIOp::create(builder, loc, lane,
                                    indexConstant(builder, loc, lanesOfParts));
    }
    SmallVector<Value> firstPlace = {place[0], place[1], place[2], zero};
    if (isByLanes)
      firstPlace[3] = arith::MinUIOp::create(builder, loc, part, last);
    int64_t warpAxis = 3;
    if (!exchange.warpsFirst) {
      std::swap(place[2], place[3]);
      std::swap(firstPlace[2], firstPlace[3]);
      warpAxis = 2;
    }

    SmallVector<SharedTile> writers, readers;
    SmallVector<int64_t> vectors;
    Value pointer = scratchPointer(builder, op);
    for (Value value : accumulators.front()) {
      SharedType buffer = exchange.getBuffer(value.getType());
      writers.emplace_back(builder, loc, buffer, pointer, place);
      readers.emplace_back(builder, loc, buffer, pointer, firstPlace);
      vectors.push_back(exchange.warpsFirst ? std::gcd(exchange.warpsAlong,
                                                       getSharedVector(buffer))
                                            : 1);
      pointer = bytesBehind(builder, loc, pointer, buffer.getNumBytes());
    }

    emitScratchBarrier(builder, op);
    {
      OpBuilder::InsertionGuard guard(builder);
      Value copy = numberOf(builder, loc, lane, layout.getLanes(),
                            [&](auto &mode) { return !isDistinct(mode); });
      if (exchange.lanesBeside < warpLanes) {
        Value isFirst = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, copy, zero);
        auto then = scf::IfOp::create(builder, loc, isFirst);
        builder.setInsertionPointToStart(&then.getThenRegion().front());
      }
      for (auto [reg, accumulator] : llvm::enumerate(accumulators))
        for (auto [writer, value] : llvm::zip_equal(writers, accumulator))
          writer.store({int64_t(reg), 0, 0, 0}, value);
    }
    emitBarrier(builder, loc);

    if (isByLanes) {
      SmallVector<int64_t> distances;
      for (int64_t step = 1; step < lanesOfParts; step *= 2)
        distances.push_back(step);
      Value isPart = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ule, part, last);
      for (auto [reg, accumulator] : llvm::enumerate(accumulators)) {
        Accumulator read;
        for (SharedTile &reader : readers)
          read.push_back(reader.load({int64_t(reg), 0, 0, 0}, 1).front());
        accumulator = steps.select(isPart, read, steps.identity());
      }
      return steps.joinLanes(accumulators, distances);
    }
    for (auto [reg, accumulator] : llvm::enumerate(accumulators)) {
      SmallVector<Accumulator> parts(exchange.warpsAlong);
      for (auto [reader, vector] : llvm::zip_equal(readers, vectors))
        for (int64_t first = 0; first < exchange.warpsAlong; first += vector) {
          int64_t offset[] = {int64_t(reg), 0, 0, 0};
          offset[warpAxis] = first;
          for (auto [part, value] :
               llvm::zip(MutableArrayRef(parts).drop_front(first),
                         reader.load(offset, vector)))
            part.push_back(value);
        }
      accumulator = steps.joinUnordered(parts);
    }
  }

  OpBuilder &builder;
  Location loc;
  tile::ReduceOp op;
  int64_t axis;
  RankedTensorType source;
  LayoutAttr layout;
  ThreadTile tile;
  ReduceSteps steps;
};

struct LowerReduce : OpConversionPattern<tile::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type source = op.getSources().front().getType();
    LayoutAttr layout = LayoutAttr::of(source);
    for (Type type : op.getSources().getTypes())
      if (LayoutAttr::of(type) != layout)
        return op.emitOpError("expected sources of one layout, found ")
               << source << " and " << type
               << "; run --tile-gpu-assign-layouts";
    LayoutAttr expected = reducedLayout(op, layout);
    for (Type type : op.getResultTypes())
      if (LayoutAttr::of(type) != expected &&
          !isSpreadAs(op, layout, LayoutAttr::of(type)))
        return op.emitOpError("expected results of the layout that the source "
                              "leaves, ")
               << expected << ", found " << LayoutAttr::of(type)
               << "; convert the result with tile_gpu.convert_layout";
    ReduceLowering lowering(rewriter, op);
    SmallVector<SmallVector<Value>> results =
        lowering.run(adaptor.getSources());
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};
} // namespace

void populateReducePatterns(const ThreadTypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<LowerReduce>(converter, patterns.getContext());
}

} // namespace tilegpt::tilegpu
