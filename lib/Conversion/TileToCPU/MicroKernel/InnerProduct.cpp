//===- InnerProduct.cpp - The inner product form of a contraction ---------===//
//
// For few rows of lhs and an rhs stored as [N, K], such as the matrix-vector
// products of decoding: reads rhs once, in place and in order, at the bandwidth
// of memory.

#include "MicroKernel.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

/// The rows of rhs, which are columns of acc, that a block uses.
struct RowsOfRhs {
  Value first;
  int64_t count;
  /// The distance from one to the next.
  int64_t apart;
  /// Whether rows are read one after the other; otherwise side by side.
  bool inTurn;
  /// The first row to prefetch for the next block, and how many columns further
  /// on; may be null.
  Value next, nextShift;
};

/// The products along K that a block adds: [first, first + count).
struct Depth {
  Value first;
  int64_t count;
};

/// One block of rows × columns of acc.
class InnerBlock {
public:
  InnerBlock(MicroKernelBuilder &b, const Contraction &op, Value m0,
             int64_t rows, const RowsOfRhs &columns, const Depth &depth,
             int64_t parts)
      : b(b), op(op), m0(m0), rows(rows), columns(columns), depth(depth),
        parts(parts) {}

  void emit() { addSums(products()); }

private:
  /// Multiplies `valid` elements of each row of lhs and of rows
  /// [firstColumn, endColumn) of rhs from k on, and adds to sums `part`.
  SmallVector<Value> step(Value k, ValueRange sums, int64_t valid,
                          int64_t part = 0);
  /// For each element of these columns, row by row, a register whose lanes must
  /// be summed.
  SmallVector<Value> sideBySide();
  /// The same for all columns.
  SmallVector<Value> products();
  void addSums(ArrayRef<Value> sums);
  Value along(Value k) { return depth.first ? b.add(depth.first, k) : k; }

  MicroKernelBuilder &b;
  const Contraction &op;
  Value m0;
  int64_t rows;
  const RowsOfRhs &columns;
  const Depth &depth;
  /// Registers whose lanes are summed for one element of acc.
  int64_t parts;
  int64_t firstColumn = 0, endColumn = columns.count;
};

} // namespace

/// Elements of rhs in a cache line, in whole registers.
static int64_t lineOf(const MicroKernelBuilder &b, const Contraction &op) {
  constexpr int64_t cacheLine = 64;
  const int64_t elementBytes =
      std::max<int64_t>(1, tilegpt::memoryBytes(op.rhs.elementType()));
  return std::max(cacheLine / elementBytes, b.lanes);
}

SmallVector<Value> InnerBlock::step(Value k, ValueRange sums, int64_t valid,
                                    int64_t part) {
  SmallVector<Value> next(sums);
  const int64_t width = endColumn - firstColumn;
  const auto lhs = [&](int64_t i) {
    return b.load(op.lhs, b.offset(m0, i), k, b.lanes, valid);
  };
  const auto rhs = [&](int64_t j) {
    Value n = b.offset(columns.first, (firstColumn + j) * columns.apart);
    return b.load(op.rhs, n, k, b.lanes, valid);
  };
  const auto multiplyAdd = [&](Value left, Value right, int64_t i, int64_t j) {
    Value &sum = next[(part * rows + i) * width + j];
    sum = b.multiplyAdd(left, right, sum);
  };
  // Besides the sums, a vector of each row of lhs and one of rhs, or vice versa
  // if registers do not suffice and that takes fewer.
  const bool keepsRhs =
      int64_t(sums.size()) + rows + 1 > b.registers && width < rows;
  SmallVector<Value> kept;
  for (int64_t each = 0; each < (keepsRhs ? width : rows); ++each)
    kept.push_back(keepsRhs ? rhs(each) : lhs(each));
  if (keepsRhs) {
    for (int64_t i = 0; i < rows; ++i) {
      Value left = lhs(i);
      for (int64_t j = 0; j < width; ++j)
        multiplyAdd(left, kept[j], i, j);
    }
    return next;
  }
  for (int64_t j = 0; j < width; ++j) {
    Value right = rhs(j);
    for (int64_t i = 0; i < rows; ++i)
      multiplyAdd(kept[i], right, i, j);
  }
  return next;
}

SmallVector<Value> InnerBlock::sideBySide() {
  // A step of the main loop loads a cache line of each row of rhs and
  // prefetches the same line of the next rows: rows are too short for the
  // hardware prefetcher to predict the next ones.
  int64_t line = lineOf(b, op);
  int64_t lines = depth.count / line * line;
  int64_t whole = depth.count / b.lanes * b.lanes;

  const int64_t elements = rows * (endColumn - firstColumn);
  SmallVector<Value> sums(parts * elements, b.zeros(b.lanes));
  sums = b.loop(0, lines, line, sums, [&](Value at, ValueRange carried) {
    Value k = along(at);
    Value ahead = columns.nextShift ? b.add(k, columns.nextShift) : k;
    for (int64_t j = 0; columns.next && j < columns.count; ++j)
      b.prefetch(op.rhs, b.offset(columns.next, j * columns.apart), ahead);
    SmallVector<Value> next(carried);
    for (int64_t i = 0; i < line; i += b.lanes)
      next = step(b.offset(k, i), next, b.lanes, i / b.lanes % parts);
    return next;
  });
  sums = b.loop(lines, whole, b.lanes, sums, [&](Value at, ValueRange carried) {
    return step(along(at), carried, b.lanes);
  });
  if (whole < depth.count)
    sums = step(along(b.index(whole)), sums, depth.count - whole);
  for (int64_t part = 1; part < parts; ++part)
    for (int64_t i = 0; i < elements; ++i)
      sums[i] = b.add(sums[i], sums[part * elements + i]);
  sums.truncate(elements);
  return sums;
}

SmallVector<Value> InnerBlock::products() {
  if (!columns.inTurn)
    return sideBySide();
  SmallVector<Value> all(rows * columns.count);
  for (int64_t j = 0; j < columns.count; ++j) {
    firstColumn = j;
    endColumn = j + 1;
    for (auto [i, sum] : llvm::enumerate(sideBySide()))
      all[int64_t(i) * columns.count + j] = sum;
  }
  return all;
}

void InnerBlock::addSums(ArrayRef<Value> sums) {
  for (int64_t i = 0; i < rows; ++i) {
    Value row = b.offset(m0, i);
    for (int64_t j = 0; j < columns.count;) {
      int64_t group = std::min<int64_t>(
          llvm::bit_floor(uint64_t(columns.count - j)), b.lanes);
      Value each = b.sumEach(sums.slice(i * columns.count + j, group));
      if (columns.apart == 1) {
        Value col = b.offset(columns.first, j);
        Value old = b.load(op.acc, row, col, group, group);
        b.store(b.add(old, each), op.acc, row, col, group);
        j += group;
        continue;
      }
      for (int64_t lane = 0; lane < group; ++lane, ++j)
        b.addElement(each, lane, op.acc, row,
                     b.offset(columns.first, j * columns.apart));
    }
  }
}

/// With many rows of lhs, arithmetic takes as long as memory.
static constexpr int64_t mostMemoryBoundRows = 4;

/// Bytes of all rows of lhs.
static int64_t bytesOfLhs(const Contraction &op) {
  return op.m * op.k *
         std::max<int64_t>(1, tilegpt::memoryBytes(op.lhs.elementType()));
}

/// Whether lhs, which every row of rhs reads again if rows are read in turn,
/// stays in the first-level cache beside them.
static bool fitsBesideStream(const Contraction &op) {
  constexpr int64_t mostLhsBytes = 12 << 10;
  return bytesOfLhs(op) <= mostLhsBytes;
}

/// How many products along K are added for all rows of rhs before the next
/// ones: every block of rows of rhs reads lhs again, from the first-level cache
/// if these elements of it fit there.
static int64_t depthOfParts(const MicroKernelBuilder &b,
                            const Contraction &op) {
  // Three quarters of the smallest first-level caches.
  constexpr int64_t mostLhsBytes = 24 << 10;
  const int64_t bytes = bytesOfLhs(op);
  if (op.m <= mostMemoryBoundRows || bytes <= mostLhsBytes)
    return op.k;
  const int64_t parts = llvm::divideCeil(bytes, mostLhsBytes);
  return llvm::alignTo(llvm::divideCeil(op.k, parts), lineOf(b, op));
}

void tilegpt::cpu::emitInnerProduct(MicroKernelBuilder &b,
                                    const Contraction &op) {
  Contraction in = op;
  if (op.transposedLhs) {
    in.lhs = b.transposedCopy(op.lhs);
    in.transposedLhs = false;
  } else if (op.lhs.elementType() != b.accType) {
    in.lhs = b.copy(op.lhs);
  }

  // Three quarters of the registers accumulate; the others hold a vector of
  // each row of lhs and one of rhs.
  int64_t blocks = std::max<int64_t>(
      1, llvm::divideCeil(op.m, std::max<int64_t>(1, b.registers / 4)));
  int64_t rows = llvm::divideCeil(op.m, blocks);
  const int64_t sumRegisters = b.registers * 3 / 4;
  int64_t count = std::min<int64_t>({sumRegisters / rows, 4, op.n});
  // Each register of a line of rhs has its own sums, as far as registers
  // suffice: with shared ones, rows of bf16 are bound by the latency of FMAs.
  const int64_t parts = std::min<int64_t>(
      lineOf(b, op) / b.lanes, llvm::bit_floor(uint64_t(std::max<int64_t>(
                                   1, sumRegisters / (rows * count)))));
  // Otherwise several rows of rhs share a vector of lhs.
  const bool inTurn =
      b.rowStreams == 1 && op.m <= mostMemoryBoundRows && fitsBesideStream(in);

  const auto emitBlock = [&](const RowsOfRhs &columns, const Depth &depth) {
    int64_t whole = op.m / rows * rows;
    b.loop(0, whole, rows, [&](Value m0) {
      InnerBlock(b, in, m0, rows, columns, depth, parts).emit();
    });
    if (whole < op.m)
      InnerBlock(b, in, b.index(whole), op.m - whole, columns, depth, parts)
          .emit();
  };
  const int64_t whole = op.n / count * count;
  const auto emit = [&](const Depth &depth, bool isPart) {
    if (inTurn) {
      b.loop(0, whole, count, [&](Value n0) {
        emitBlock({n0, count, 1, inTurn, Value(), Value()}, depth);
      });
    } else {
      // More than four concurrent rows of rhs do not pay. They are as far apart
      // as possible, since the hardware prefetcher follows one stream per page.
      // On hosts that read a single stream best, they are adjacent.
      const int64_t blocksOfColumns = op.n / count;
      const bool neighbours = b.rowStreams == 1;
      const int64_t apart = neighbours ? 1 : blocksOfColumns,
                    step = neighbours ? count : 1;
      b.loop(0, blocksOfColumns * step, step, [&](Value n0) {
        // The last rows are followed by the first ones further along K, or by
        // the next tile of the grid.
        const int64_t last = (blocksOfColumns - 1) * step;
        Value next = b.selectEqual(n0, last, b.index(isPart ? 0 : op.n),
                                   b.offset(n0, step));
        Value shift;
        if (isPart)
          shift = b.select(b.equal(n0, last), depth.count, 0);
        emitBlock({n0, count, apart, inTurn, next, shift}, depth);
      });
    }
    if (int64_t rest = op.n - whole)
      emitBlock({b.index(whole), rest, 1, inTurn, Value(), Value()}, depth);
  };
  const int64_t part = depthOfParts(b, in);
  if (part >= op.k)
    return emit({Value(), op.k}, /*isPart=*/false);
  const int64_t wholeParts = int64_t(llvm::alignDown(op.k, part));
  b.loop(0, wholeParts, part,
         [&](Value k0) { emit({k0, part}, /*isPart=*/true); });
  if (wholeParts < op.k)
    emit({b.index(wholeParts), op.k - wholeParts}, /*isPart=*/true);
}
