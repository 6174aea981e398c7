//===- OuterProduct.cpp - The outer product form of a contraction --------===//
//
// Keeps a block of accumulators in registers for all of K and reads one row of
// rhs and one column of lhs per step: for the matrix products of prefill, and
// for any product with an rhs stored as [K, N].

#include "MicroKernel.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

constexpr int64_t mostBlockRows = 12;

/// Registers that accumulate: three quarters.
int64_t mostSums(const MicroKernelBuilder &b) { return b.registers * 3 / 4; }

/// Sums that a block needs to hide the latency of FMAs: two start per cycle and
/// take four or five.
constexpr int64_t sumsThatHideLatency = 10;

/// Blocks of more rows are not unrolled along K: with the addresses of many
/// rows, LLVM loads the adjacent elements of each row at once and spills them.
constexpr int64_t mostUnrolledRows = 6;

/// The most rows of a block of acc that is `width` registers wide. Of the
/// registers that do not accumulate, some hold a row of rhs, one an element of
/// lhs, and one is free. Blocks have more rows than are unrolled only if they
/// need these to hide latency.
int64_t mostRows(const MicroKernelBuilder &b, int64_t width) {
  const int64_t sums = std::min(mostSums(b), b.registers - 2 - width);
  const int64_t most = mostUnrolledRows * width >= sumsThatHideLatency
                           ? mostUnrolledRows
                           : mostBlockRows;
  return std::min(most, sums / width);
}

/// The rows of each block of m rows, which are split as evenly as possible.
int64_t rowsOfBlocks(const MicroKernelBuilder &b, int64_t m, int64_t width) {
  const int64_t blocks =
      llvm::divideCeil(m, std::max<int64_t>(mostRows(b, width), 1));
  return llvm::divideCeil(m, blocks);
}

/// Optional blocks that add up to any number of rows below `most`: one of each
/// power of two, or one or two of exactly the right size if half of the
/// accumulators are too few to hide latency.
SmallVector<int64_t> rowsOfRest(const MicroKernelBuilder &b, int64_t most) {
  SmallVector<int64_t> all;
  if (mostSums(b) / 2 >= sumsThatHideLatency) {
    for (int64_t rows = llvm::bit_floor(uint64_t(most - 1)); rows > 0;
         rows /= 2)
      all.push_back(rows);
    return all;
  }
  for (int64_t rows = std::min(most - 1, mostBlockRows / 2); rows > 0; --rows)
    all.push_back(rows);
  return all;
}

/// The width of blocks of acc in registers that needs the fewest loads per FMA:
/// the rows of a block share a row of rhs, the registers of a row an element of
/// lhs.
int64_t chooseWidth(const MicroKernelBuilder &b, const Contraction &op) {
  const int64_t vectors = llvm::divideCeil(op.n, b.lanes);
  int64_t best = 1, bestSums = 0;
  double least = 0;
  for (int64_t width : {1, 2, 3, 4, 6, 8}) {
    const int64_t rows = mostRows(b, width);
    // Wider panels pay only if all rows form a single block.
    if (width > vectors || rows == 0 || (width > 4 && rows < op.m))
      break;
    const int64_t sums = width * std::min(rows, op.m);
    const double loads =
        double(llvm::divideCeil(op.m, rows)) + double(op.m) / double(width);
    if (width > 1 &&
        (loads >= least || sums < std::min(bestSums, sumsThatHideLatency)))
      continue;
    best = width;
    bestSums = sums;
    least = loads;
  }
  return best;
}

/// Whether prefetching the next panel pays. A step along K needs cycles to
/// spare for a prefetch and its address: a step of 24 multiply-adds has them,
/// the 12 that 16 registers allow do not. It slows down processors that
/// prefetch several rows of a matrix by themselves: the lines evict those in
/// use.
bool prefetchPays(const MicroKernelBuilder &b) {
  constexpr int64_t enoughSums = 24;
  return mostSums(b) >= enoughSums && b.rowStreams == 1;
}

/// Whether a panel of rhs is packed: when it must be transposed or when several
/// blocks of rows read it.
bool packsPanels(const Contraction &op) {
  constexpr int64_t fewRows = 24;
  return op.transposedRhs || op.m > fewRows;
}

/// Whether elements of an operand are numbers of i16.
bool fitsInI16(const Matrix &matrix) {
  auto type = dyn_cast<IntegerType>(matrix.elementType());
  return type && (type.getWidth() == 8 ||
                  (type.getWidth() == 16 && !matrix.isUnsigned));
}

/// Products of small integers in pairs along K, which are summed by the
/// instruction that multiplies; other products as they are.
Contraction inPairs(const MicroKernelBuilder &b, Contraction op) {
  if (!b.accType.isInteger(32) || !fitsInI16(op.lhs) || !fitsInI16(op.rhs) ||
      !packsPanels(op) || op.k % 2 != 0 || op.rows || op.columns || op.depth)
    return op;
  op.lhs.pairs = op.transposedLhs ? Pairs::Rows : Pairs::Columns;
  op.rhs.pairs = op.transposedRhs ? Pairs::Columns : Pairs::Rows;
  op.k /= 2;
  return op;
}

/// Columns [first, first + count) of acc, and the columns of rhs they need.
struct ColumnBlock {
  Value first;
  int64_t count;
  /// The valid lanes, if this is a single register; null: all.
  Value mask;
  /// [K, …], and its column for `first`.
  Matrix rhs;
  Value rhsFirst;
};

class OuterProduct {
public:
  OuterProduct(MicroKernelBuilder &b, const Contraction &product)
      : b(b), op(inPairs(b, product)), width(chooseWidth(b, op)),
        panelColumns(width * b.lanes),
        prefetchesAhead(op.transposedRhs && prefetchPays(b)), lhs(op.lhs),
        packs(packsPanels(op)) {}

  void emit();

private:
  void emitColumns(Value n0, int64_t count, Value mask);
  void emitBlock(const ColumnBlock &columns, Value m0, int64_t rows);
  void prefetchAhead(const ColumnBlock &columns, Value m0, int64_t rows,
                     Value k);
  void loadSums(const ColumnBlock &columns, Value m0, int64_t rows,
                SmallVectorImpl<Value> &sums);
  Value multiplyAdd(Value left, Value right, Value sum) {
    return op.lhs.pairs == Pairs::None ? b.multiplyAdd(left, right, sum)
                                       : b.multiplyAddPairs(left, right, sum);
  }
  int64_t validLanes(const ColumnBlock &columns, int64_t number) const {
    return std::min(b.lanes, columns.count - number * b.lanes);
  }

  MicroKernelBuilder &b;
  const Contraction op;
  /// The width of a block in registers, and of a panel of rhs in elements.
  const int64_t width, panelColumns;
  /// Whether the next panel is prefetched while this one is multiplied.
  const bool prefetchesAhead;
  /// lhs in place, or its copy.
  Matrix lhs;
  /// Whether a panel of rhs is packed, and its place.
  const bool packs;
  Matrix panel;
};

} // namespace

/// Prefetches a line of rows of rhs for the next panel. The first blocks of
/// rows prefetch all of it.
void OuterProduct::prefetchAhead(const ColumnBlock &columns, Value m0,
                                 int64_t rows, Value k) {
  // At step k: row k mod lanes, of the group that lies k / lanes registers
  // along K.
  Value row = arith::AndIOp::create(b.builder, b.loc, k, b.index(b.lanes - 1));
  Value col = arith::SubIOp::create(b.builder, b.loc, k, row);
  Value block = arith::DivUIOp::create(b.builder, b.loc, m0, b.index(rows));
  Value group = arith::MulIOp::create(
      b.builder, b.loc,
      arith::MinUIOp::create(b.builder, b.loc, block, b.index(width - 1)),
      b.index(b.lanes));
  // The first panel of the next tile along K follows the last one.
  Value next = b.offset(columns.first, columns.count);
  Value isLast = b.equal(next, op.n);
  next = arith::SelectOp::create(b.builder, b.loc, isLast, b.index(0), next);
  col = b.add(col, b.select(isLast, op.k, 0));
  b.prefetch(op.rhs, b.add(b.add(next, group), row), col);
}

/// The initial accumulators of a block: zeros, or elements of acc.
void OuterProduct::loadSums(const ColumnBlock &columns, Value m0, int64_t rows,
                            SmallVectorImpl<Value> &sums) {
  const int64_t count = llvm::divideCeil(columns.count, b.lanes);
  if (op.beginsAtZero && matchPattern(op.beginsAtZero, m_One())) {
    sums.assign(rows * count, b.zeros(b.lanes));
    return;
  }
  SmallVector<Value> masks(count, columns.mask);
  if (op.beginsAtZero)
    for (int64_t j = 0; j < count; ++j)
      masks[j] = b.maskUnless(op.beginsAtZero,
                              columns.mask ? columns.mask
                                           : b.maskOf(validLanes(columns, j)));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < count; ++j) {
      Value row = b.offset(m0, i), col = b.offset(columns.first, j * b.lanes);
      sums.push_back(
          masks[j] ? b.loadMasked(op.acc, row, col, masks[j])
                   : b.load(op.acc, row, col, b.lanes, validLanes(columns, j)));
    }
}

/// Blocks of acc at [m0, columns.first].
void OuterProduct::emitBlock(const ColumnBlock &columns, Value m0,
                             int64_t rows) {
  const int64_t count = llvm::divideCeil(columns.count, b.lanes);
  const bool isWhole =
      columns.count == panelColumns && rows == rowsOfBlocks(b, op.m, width);
  auto step = [&](Value k, ValueRange sums) {
    if (prefetchesAhead && isWhole)
      prefetchAhead(columns, m0, rows, k);
    SmallVector<Value> next(sums), right;
    for (int64_t j = 0; j < count; ++j) {
      Value col = b.offset(columns.rhsFirst, j * b.lanes);
      right.push_back(columns.mask && !packs
                          ? b.loadMasked(columns.rhs, k, col, columns.mask)
                          : b.load(columns.rhs, k, col, b.lanes,
                                   packs ? b.lanes : validLanes(columns, j)));
    }
    for (int64_t i = 0; i < rows; ++i) {
      Value row = b.offset(m0, i);
      Value left = op.transposedLhs ? b.splatElement(lhs, k, row)
                                    : b.splatElement(lhs, row, k);
      for (int64_t j = 0; j < count; ++j)
        next[i * count + j] = multiplyAdd(left, right[j], next[i * count + j]);
    }
    return next;
  };

  SmallVector<Value> sums;
  loadSums(columns, m0, rows, sums);
  // Unrolled steps share increments and the addresses of rows of lhs. LLVM
  // spills around prefetches as with many rows.
  const int64_t unrolled =
      rows > mostUnrolledRows || (prefetchesAhead && isWhole) ? 1 : 4;
  const auto steps = [&](Value k, ValueRange sums) {
    SmallVector<Value> next(sums);
    for (int64_t i = 0; i < unrolled; ++i)
      next = step(b.offset(k, i), next);
    return next;
  };
  if (op.depth) {
    Value whole = b.roundDown(op.depth, unrolled);
    sums = b.loop(b.index(0), whole, unrolled, sums, steps);
    if (unrolled > 1)
      sums = b.loop(whole, op.depth, 1, sums, step);
  } else {
    const int64_t whole = op.k / unrolled * unrolled;
    sums = b.loop(0, whole, unrolled, sums, steps);
    sums = b.loop(whole, op.k, 1, sums, step);
  }
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < count; ++j) {
      Value row = b.offset(m0, i), col = b.offset(columns.first, j * b.lanes);
      Value sum = sums[i * count + j];
      if (columns.mask)
        b.storeMasked(sum, op.acc, row, col, columns.mask);
      else
        b.store(sum, op.acc, row, col, validLanes(columns, j));
    }
}

void OuterProduct::emitColumns(Value n0, int64_t count, Value mask) {
  ColumnBlock columns{n0, count, mask, op.rhs, n0};
  if (packs) {
    const Matrix to = b.narrow(panel, llvm::alignTo(count, b.lanes));
    if (op.transposedRhs)
      b.packTransposed(op.rhs, n0, count, to, op.depth,
                       mask ? op.columns : Value());
    else
      b.pack(op.rhs, n0, count, to, mask, op.depth);
    columns.rhs = to;
    columns.rhsFirst = b.index(0);
  }
  const int64_t registers = llvm::divideCeil(count, b.lanes);
  if (!op.rows) {
    const int64_t rows = rowsOfBlocks(b, op.m, registers),
                  whole = op.m / rows * rows;
    b.loop(0, whole, rows, [&](Value m0) { emitBlock(columns, m0, rows); });
    if (whole < op.m)
      emitBlock(columns, b.index(whole), op.m - whole);
    return;
  }
  // Whole blocks, then smaller ones for the rest.
  const int64_t most = rowsOfBlocks(b, op.m, registers);
  Value m0 = b.roundDown(op.rows, most);
  b.loop(b.index(0), m0, most, ValueRange(),
         [&](Value m0, ValueRange) -> SmallVector<Value> {
           emitBlock(columns, m0, most);
           return {};
         });
  for (int64_t rows : rowsOfRest(b, most))
    m0 = b.blockIf(m0, op.rows, rows,
                   [&](Value m0) { emitBlock(columns, m0, rows); });
}

void OuterProduct::emit() {
  // Elements are broadcast one by one: widen them once, not once per panel.
  if (op.lhs.elementType() != b.accType)
    lhs = b.copy(op.lhs);
  if (packs)
    panel = b.scratch(llvm::alignTo(op.k, b.lanes), panelColumns, panelColumns);

  if (!op.columns) {
    const int64_t whole = op.n / panelColumns * panelColumns;
    b.loop(0, whole, panelColumns,
           [&](Value n0) { emitColumns(n0, panelColumns, /*mask=*/{}); });
    if (whole < op.n)
      emitColumns(b.index(whole), op.n - whole, /*mask=*/{});
    return;
  }
  const auto panels = [&](Value begin, Value end, int64_t step, auto body) {
    b.loop(begin, end, step, ValueRange(),
           [&](Value n0, ValueRange) -> SmallVector<Value> {
             body(n0);
             return {};
           });
  };
  Value whole = b.roundDown(op.columns, panelColumns);
  panels(b.index(0), whole, panelColumns,
         [&](Value n0) { emitColumns(n0, panelColumns, /*mask=*/{}); });
  panels(whole, op.columns, b.lanes, [&](Value n0) {
    emitColumns(n0, b.lanes, b.maskBelow(n0, op.columns));
  });
}

void tilegpt::cpu::emitOuterProduct(MicroKernelBuilder &b,
                                    const Contraction &op) {
  OuterProduct(b, op).emit();
}
