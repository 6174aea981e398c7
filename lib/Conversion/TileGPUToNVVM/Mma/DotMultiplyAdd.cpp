// A dot by FMA: each thread reads its rows of lhs and its columns of rhs from
// shared memory, a few K steps at a time, and computes their outer product.
#include "Mma/DotPatterns.h"
#include "Thread/SharedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

/// Minimum number of unrolled FMAs, if K is large enough: enough to hide the
/// latency of the reads, few enough for the instruction cache.
constexpr int64_t unrolled = 512;

/// Number of accumulators per thread from which the FMA order matters.
constexpr int64_t leastOrdered = 128;

class MultiplyAdd {
public:
  MultiplyAdd(OpBuilder &builder, DotOp op, const DotOperand &lhs,
              const DotOperand &rhs)
      : builder(builder), loc(op.getLoc()), lhs(lhs), rhs(rhs),
        type(cast<RankedTensorType>(op.getAcc().getType())),
        tile(builder, loc, type), sumLength(lhs.getSumLength()),
        isOrdered(type.getElementType().isF32() &&
                  tile.getNumRegisters() >= leastOrdered &&
                  tile.hasNoPadding()) {}

  SmallVector<Value> run(ValueRange acc) {
    int64_t chunk = std::min(chooseChunk(), sumLength);
    int64_t chunks = sumLength / chunk;
    SmallVector<Value> sums(acc);
    if (chunks == 1) {
      addChunk(constant(0), chunk, sums);
    } else {
      auto loop =
          scf::ForOp::create(builder, loc, constant(0),
                             constant(chunks * chunk), constant(chunk), sums);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> inner(loop.getRegionIterArgs());
      addChunk(loop.getInductionVar(), chunk, inner);
      scf::YieldOp::create(builder, loc, inner);
      sums.assign(loop.result_begin(), loop.result_end());
    }
    if (int64_t rest = sumLength - chunks * chunk) {
      OpBuilder::InsertionGuard guard(builder);
      addChunk(constant(chunks * chunk), rest, sums);
    }
    return sums;
  }

private:
  Value constant(int64_t value) { return indexConstant(builder, loc, value); }

  /// K steps that are unrolled: whole 16-byte reads.
  int64_t chooseChunk() const {
    int64_t steps = std::max(stepsOfRead(lhs), stepsOfRead(rhs));
    return steps * std::clamp<int64_t>(
                       unrolled / (steps * tile.getNumRegisters()), 1, 8);
  }

  /// K steps that one read covers.
  static int64_t stepsOfRead(const DotOperand &operand) {
    return operand.isContiguousAlongSum() ? getSharedVector(operand.type) : 1;
  }

  /// What a thread reads of an operand for `steps` K steps from `start` on, by
  /// register offset (of batch and free axis) and step.
  using Elements = std::map<std::pair<int64_t, int64_t>, SmallVector<Value>>;

  Elements read(const DotOperand &operand, int64_t accAxis, Value start,
                int64_t steps, int64_t batch) {
    Elements elements;
    int64_t rank = type.getRank();
    bool isCertain =
        tile.getLayout().getCoveredSize(accAxis) <= type.getDimSize(accAxis);
    bool isBatchCertain =
        rank == 2 || tile.getLayout().getCoveredSize(0) <= type.getDimSize(0);
    for (int64_t free : offsetsAlong(tile.getLayout(), rank, accAxis)) {
      if (free >= type.getDimSize(accAxis))
        continue;
      SmallVector<Value> base(rank);
      SmallVector<int64_t> offset(rank, 0);
      auto place = [&](int64_t axis, Value from, int64_t distance, bool certain,
                       int64_t size) {
        // Padding reads the last row instead of out-of-bounds memory.
        base[axis] = certain ? from : clamp(from, distance, size);
        offset[axis] = certain ? distance : 0;
      };
      if (rank == 3)
        place(0, tile.getBase(0), batch, isBatchCertain, type.getDimSize(0));
      place(operand.freeAxis, tile.getBase(accAxis), free, isCertain,
            type.getDimSize(accAxis));
      base[operand.sumAxis] = start;
      SharedTile shared(builder, loc, operand.type, operand.buffer, base);
      SmallVector<Value> &row = elements[{batch, free}];
      int64_t vector = std::gcd(stepsOfRead(operand), steps);
      for (int64_t step = 0; step < steps; step += vector) {
        offset[operand.sumAxis] = step;
        for (Value value : shared.load(offset, vector))
          row.push_back(widen(value, operand.isUnsigned));
      }
    }
    return elements;
  }

  Value clamp(Value from, int64_t distance, int64_t size) {
    Value place =
        distance ? arith::AddIOp::create(builder, loc, from, constant(distance))
                       .getResult()
                 : from;
    return arith::MinUIOp::create(builder, loc, place, constant(size - 1));
  }

  /// An element converted to the accumulator's type, exactly.
  Value widen(Value value, bool isUnsigned) {
    Type to = type.getElementType();
    if (value.getType() == to)
      return value;
    if (isa<FloatType>(to))
      return arith::ExtFOp::create(builder, loc, to, value);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, loc, to, value);
    return arith::ExtSIOp::create(builder, loc, to, value);
  }

  void addChunk(Value start, int64_t steps, SmallVectorImpl<Value> &sums) {
    int64_t rank = type.getRank(), row = rank - 2, column = rank - 1;
    Elements left, right;
    SmallVector<int64_t> batches = {0};
    if (rank == 3)
      batches = offsetsAlong(tile.getLayout(), rank, 0);
    for (int64_t batch : batches) {
      left.merge(read(lhs, row, start, steps, batch));
      right.merge(read(rhs, column, start, steps, batch));
    }
    int64_t group = isOrdered ? stepsOfRead(rhs) : steps;
    SmallVector<SmallVector<int64_t>> bands = makeBands();
    for (int64_t from = 0; from < steps; from += group)
      for (ArrayRef<int64_t> band : bands)
        for (int64_t step = from; step < std::min(from + group, steps); ++step)
          for (int64_t reg : band) {
            SmallVector<int64_t> offset = tile.getOffset(reg);
            int64_t batch = rank == 3 ? offset[0] : 0;
            sums[reg] =
                multiplyAdd(left.at({batch, offset[row]})[step],
                            right.at({batch, offset[column]})[step], sums[reg]);
          }
  }

  /// Registers in the order in which they are multiplied: all at once, or two
  /// columns at a time, in serpentine order.
  SmallVector<SmallVector<int64_t>> makeBands() {
    SmallVector<SmallVector<int64_t>> bands(1);
    if (!isOrdered) {
      for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg)
        if (!tile.isPadding(reg))
          bands.front().push_back(reg);
      return bands;
    }
    llvm::MapVector<std::pair<int64_t, int64_t>, SmallVector<int64_t>> columns;
    int64_t rank = type.getRank();
    for (int64_t reg = 0; reg < tile.getNumRegisters(); ++reg) {
      SmallVector<int64_t> offset = tile.getOffset(reg);
      columns[{rank == 3 ? offset[0] : 0, offset[rank - 1]}].push_back(reg);
    }
    bool isUp = false;
    for (auto &[place, registers] : columns) {
      if (!isUp)
        bands.emplace_back();
      if (isUp)
        std::reverse(registers.begin(), registers.end());
      llvm::append_range(bands.back(), registers);
      isUp = !isUp;
    }
    return bands;
  }

  Value multiplyAdd(Value left, Value right, Value sum) {
    // These stay in order (OrderByUse).
    if (isOrdered)
      return LLVM::FMAOp::create(builder, loc, left, right, sum);
    if (isa<FloatType>(type.getElementType()))
      return math::FmaOp::create(builder, loc, left, right, sum);
    Value product = arith::MulIOp::create(builder, loc, left, right);
    return arith::AddIOp::create(builder, loc, sum, product);
  }

  OpBuilder &builder;
  Location loc;
  const DotOperand &lhs, &rhs;
  RankedTensorType type;
  ThreadTile tile;
  int64_t sumLength;
  /// Whether FMAs are ordered to reduce register reads: a multiprocessor
  /// quadrant issues one per cycle, but reads only one even and one odd
  /// register at a time, besides those reused from the previous instruction. It
  /// requires a thread with many accumulators, a large part of which can use
  /// either bank (f32 4096 x 4096 x 1024: 772 us instead of 807).
  bool isOrdered;
};
} // namespace

SmallVector<Value> multiplyAdd(OpBuilder &builder, DotOp op,
                               const DotOperand &lhs, const DotOperand &rhs,
                               ValueRange acc) {
  return MultiplyAdd(builder, op, lhs, rhs).run(acc);
}

} // namespace tilegpt::tilegpu
