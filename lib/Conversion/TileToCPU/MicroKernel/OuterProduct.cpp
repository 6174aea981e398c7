//===- OuterProduct.cpp - The outer product form of a contraction --------===//
//
// A block of accumulators stays in registers over all of K while one row of rhs
// and one column of lhs pass by at each step: the matrix product of a prompt,
// and any product with an rhs stored [K, N].

#include "MicroKernel.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

/// How acc is cut into blocks of registers.
struct Blocking {
  int64_t rows;
  /// Elements; a whole number of registers.
  int64_t cols;
};

Blocking chooseBlocking(const MicroKernelBuilder &b, const Contraction &op) {
  // Two registers a row make each broadcast element of lhs serve two products;
  // more rows than columns then keep the loads well below the multiply-adds.
  // All but a quarter of the registers accumulate.
  int64_t accumulators = b.registers * 3 / 4;
  int64_t vectors = llvm::divideCeil(op.n, b.lanes);
  int64_t width = std::min<int64_t>(vectors, 2);
  int64_t maxRows = accumulators / width;
  if (op.m < maxRows) {
    // Few rows: wider blocks keep enough independent sums in flight.
    width = std::min(vectors, std::max<int64_t>(accumulators / op.m, 1));
    width = std::min<int64_t>(width, 8);
    return {op.m, width * b.lanes};
  }
  int64_t blocks = llvm::divideCeil(op.m, maxRows);
  int64_t rows = llvm::divideCeil(op.m, blocks);
  return {rows, width * b.lanes};
}

/// Columns of acc [first, first + count) and the rows of rhs that make them.
struct Columns {
  Value first;
  int64_t count;
  /// Of a single register, the lanes that there are; null for all of them.
  Value mask;
  /// [K, …], and the column of it that makes `first`.
  Matrix rhs;
  Value rhsFirst;
};

class OuterProduct {
public:
  OuterProduct(MicroKernelBuilder &b, const Contraction &op)
      : b(b), op(op), block(chooseBlocking(b, op)), lhs(op.lhs) {}

  void emit();

private:
  void chooseLhs();
  void emitColumns(Value n0, int64_t count, Value mask);
  void emitRows(const Columns &columns, Value m0, int64_t rows);
  void copyRows(const Columns &columns, Value m0, int64_t rows);
  void emitBlock(const Columns &columns, Value m0, int64_t rows);
  void prefetchAhead(const Columns &columns, Value m0, Value k);

  MicroKernelBuilder &b;
  const Contraction &op;
  const Blocking block;
  /// As it is read: in place or from a copy.
  Matrix lhs;
  /// i1: whether rows of lhs are copied, and where to; null where they never
  /// are.
  Value copies;
  Matrix copy;
  /// Whether a panel of rhs is packed, and its place.
  bool packs = false;
  Matrix panel;
};

} // namespace

/// Asks for a line of the rows of rhs that the next panel is made of, while
/// this one is multiplied. Its first two blocks of rows ask for all of them.
void OuterProduct::prefetchAhead(const Columns &columns, Value m0, Value k) {
  // At step k: row k mod lanes, of the group that lies k / lanes registers
  // along K.
  const auto andConstant = [&](Value value, int64_t mask) -> Value {
    return arith::AndIOp::create(b.builder, b.loc, value, b.index(mask));
  };
  Value row = andConstant(k, b.lanes - 1);
  Value col = arith::SubIOp::create(b.builder, b.loc, k, row);
  Value isFirst = b.equal(m0, 0);
  Value group = b.select(isFirst, 0, block.cols - b.lanes);
  // Behind the last panel comes the first one of the next tile along K.
  Value next = b.offset(columns.first, columns.count);
  Value isLast = b.equal(next, op.n);
  next = arith::SelectOp::create(b.builder, b.loc, isLast, b.index(0), next);
  col = b.add(col, b.select(isLast, op.k, 0));
  b.prefetch(op.rhs, b.add(b.add(next, group), row), col);
}

/// Blocks of acc at [m0, columns.first].
void OuterProduct::emitBlock(const Columns &columns, Value m0, int64_t rows) {
  int64_t width = llvm::divideCeil(columns.count, b.lanes);
  auto valid = [&](int64_t j) {
    return std::min(b.lanes, columns.count - j * b.lanes);
  };
  auto step = [&](Value k, ValueRange sums) {
    if (op.transposedRhs && rows == block.rows && width * b.lanes == block.cols)
      prefetchAhead(columns, m0, k);
    SmallVector<Value> next(sums), right;
    for (int64_t j = 0; j < width; ++j) {
      Value col = b.offset(columns.rhsFirst, j * b.lanes);
      right.push_back(columns.mask && !packs
                          ? b.loadMasked(columns.rhs, k, col, columns.mask)
                          : b.load(columns.rhs, k, col, b.lanes,
                                   packs ? b.lanes : valid(j)));
    }
    for (int64_t i = 0; i < rows; ++i) {
      Value row = b.offset(m0, i);
      Value left = op.transposedLhs ? b.splatElement(lhs, k, row)
                                    : b.splatElement(lhs, row, k);
      for (int64_t j = 0; j < width; ++j)
        next[i * width + j] =
            b.multiplyAdd(left, right[j], next[i * width + j]);
    }
    return next;
  };

  SmallVector<Value> sums;
  const auto eachRegister = [&](auto body) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < width; ++j)
        body(i * width + j, b.offset(m0, i),
             b.offset(columns.first, j * b.lanes), valid(j));
  };
  eachRegister([&](int64_t, Value row, Value col, int64_t lanes) {
    sums.push_back(columns.mask ? b.loadMasked(op.acc, row, col, columns.mask)
                                : b.load(op.acc, row, col, b.lanes, lanes));
  });
  // One k at a time: of several the compiler would gather the neighbouring
  // elements of lhs first and spill them.
  sums = op.depth ? b.loop(b.index(0), op.depth, 1, sums, step)
                  : b.loop(0, op.k, 1, sums, step);
  eachRegister([&](int64_t number, Value row, Value col, int64_t lanes) {
    if (columns.mask)
      b.storeMasked(sums[number], op.acc, row, col, columns.mask);
    else
      b.store(sums[number], op.acc, row, col, lanes);
  });
}

/// Copies rows of lhs that evict each other, when the first panel needs them.
/// The rows that follow are fetched while these are multiplied.
void OuterProduct::copyRows(const Columns &columns, Value m0, int64_t rows) {
  Value isFirst = b.equal(columns.first, 0);
  Value needed = arith::AndIOp::create(b.builder, b.loc, copies, isFirst);
  scf::IfOp::create(b.builder, b.loc, needed, [&](OpBuilder &, Location) {
    b.loop(b.index(0), b.index(rows), 1, ValueRange(),
           [&](Value i, ValueRange) -> SmallVector<Value> {
             Value row = b.add(m0, i);
             b.copyRow(op.lhs, row, copy, rows);
             return {};
           });
    scf::YieldOp::create(b.builder, b.loc);
  });
}

void OuterProduct::emitRows(const Columns &columns, Value m0, int64_t rows) {
  if (copies)
    copyRows(columns, m0, rows);
  emitBlock(columns, m0, rows);
}

void OuterProduct::emitColumns(Value n0, int64_t count, Value mask) {
  Columns columns{n0, count, mask, op.rhs, n0};
  if (packs) {
    if (op.transposedRhs)
      b.packTransposed(op.rhs, n0, count, panel, op.depth);
    else
      b.pack(op.rhs, n0, count, panel, mask, op.depth);
    columns.rhs = panel;
    columns.rhsFirst = b.index(0);
  }
  if (!op.rows) {
    const int64_t whole = op.m / block.rows * block.rows;
    b.loop(0, whole, block.rows,
           [&](Value m0) { emitRows(columns, m0, block.rows); });
    if (whole < op.m)
      emitRows(columns, b.index(whole), op.m - whole);
    return;
  }
  // Whole blocks, then one of each power of two that the rest consists of.
  Value m0 = b.roundDown(op.rows, block.rows);
  b.loop(b.index(0), m0, block.rows, ValueRange(),
         [&](Value m0, ValueRange) -> SmallVector<Value> {
           emitRows(columns, m0, block.rows);
           return {};
         });
  for (int64_t rows = llvm::bit_floor(uint64_t(block.rows - 1)); rows > 0;
       rows /= 2)
    m0 = b.blockIf(m0, op.rows, rows,
                   [&](Value m0) { emitRows(columns, m0, rows); });
}

/// Rows of lhs are read side by side. Where they lie a half of a way of the
/// cache apart, or a multiple of that, they fall into so few sets that they
/// evict each other; \returns whether they do. A way is a page on every x86-64,
/// which looks up pages and sets at the same time.
static Value evictEachOther(MicroKernelBuilder &b, const Matrix &lhs) {
  constexpr int64_t wayBytes = 4096;
  const int64_t elementBytes =
      std::max<int64_t>(1, tilegpt::memoryBytes(lhs.elementType()));
  auto parts =
      memref::ExtractStridedMetadataOp::create(b.builder, b.loc, lhs.memref);
  Value stride = parts.getStrides()[0];
  Value within = arith::RemUIOp::create(b.builder, b.loc, stride,
                                        b.index(wayBytes / 2 / elementBytes));
  return arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::eq,
                               within, b.index(0));
}

void OuterProduct::chooseLhs() {
  if (op.lhs.elementType() != b.accType) {
    // Elements are broadcast one by one: widen them once, not once a panel.
    lhs = b.copy(op.lhs);
    return;
  }
  // A copy must be read by several panels to pay.
  if (op.transposedLhs || !op.lhs.lead.empty() || op.n <= 2 * block.cols ||
      block.rows == 1)
    return;
  copies = evictEachOther(b, op.lhs);
  copy = b.rowScratch(op.m, op.k);
  auto type = MemRefType::get(
      {op.m, op.k}, b.accType,
      StridedLayoutAttr::get(b.builder.getContext(), ShapedType::kDynamic,
                             {ShapedType::kDynamic, 1}));
  const auto yields = [&](Value memref) {
    return [&, memref](OpBuilder &, Location) {
      Value same = memref::CastOp::create(b.builder, b.loc, type, memref);
      scf::YieldOp::create(b.builder, b.loc, same);
    };
  };
  lhs.memref = scf::IfOp::create(b.builder, b.loc, copies, yields(copy.memref),
                                 yields(op.lhs.memref))
                   .getResult(0);
}

void OuterProduct::emit() {
  chooseLhs();
  // A panel is worth packing when it must be transposed or when several blocks
  // of rows read it.
  packs = op.transposedRhs || op.m > 2 * block.rows;
  if (packs)
    panel = b.scratch(op.k, block.cols, block.cols);

  if (!op.columns) {
    const int64_t whole = op.n / block.cols * block.cols;
    b.loop(0, whole, block.cols,
           [&](Value n0) { emitColumns(n0, block.cols, /*mask=*/{}); });
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
  Value whole = b.roundDown(op.columns, block.cols);
  panels(b.index(0), whole, block.cols,
         [&](Value n0) { emitColumns(n0, block.cols, /*mask=*/{}); });
  panels(whole, op.columns, b.lanes, [&](Value n0) {
    emitColumns(n0, b.lanes, b.maskBelow(n0, op.columns));
  });
}

void tilegpt::cpu::emitOuterProduct(MicroKernelBuilder &b,
                                    const Contraction &op) {
  OuterProduct(b, op).emit();
}
