//===- MicroKernelInner.cpp - The inner product form of a contraction ----===//
//
// For few rows of lhs against an rhs stored [N, K], which is the matrix-vector
// product of decoding: rhs is read once, in place and in order, so that memory
// is what it waits for.

#include "MicroKernel.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

/// One block of rows × cols elements of acc at [m0, n0].
class InnerBlock {
public:
  InnerBlock(MicroKernelBuilder &b, const Contraction &op, Value m0,
             int64_t rows, Value n0, int64_t cols)
      : b(b), op(op), m0(m0), rows(rows), n0(n0), cols(cols) {}

  void emit() { addSums(products()); }

private:
  /// Multiplies `valid` elements of each row of lhs and rhs from k on.
  SmallVector<Value> step(Value k, ValueRange sums, int64_t valid);
  /// For each element a register whose lanes are to be summed.
  SmallVector<Value> products();
  void addSums(ArrayRef<Value> sums);

  MicroKernelBuilder &b;
  const Contraction &op;
  Value m0;
  int64_t rows;
  Value n0;
  int64_t cols;
};

} // namespace

SmallVector<Value> InnerBlock::step(Value k, ValueRange sums, int64_t valid) {
  SmallVector<Value> next(sums), lhs;
  for (int64_t i = 0; i < rows; ++i)
    lhs.push_back(b.load(op.lhs, b.offset(m0, i), k, b.lanes, valid));
  for (int64_t j = 0; j < cols; ++j) {
    Value rhs = b.load(op.rhs, b.offset(n0, j), k, b.lanes, valid);
    for (int64_t i = 0; i < rows; ++i)
      next[i * cols + j] = b.multiplyAdd(lhs[i], rhs, next[i * cols + j]);
  }
  return next;
}

SmallVector<Value> InnerBlock::products() {
  // A step of the main loop takes a cache line of each row of rhs and asks for
  // the same line of the rows the next block reads: rows are too short for the
  // hardware to foresee the next ones (10 GB/s became 15 with bf16 rows of
  // 768).
  constexpr int64_t cacheLine = 64;
  int64_t elementBytes =
      llvm::divideCeil(op.rhs.elementType().getIntOrFloatBitWidth(), 8);
  int64_t line = std::max(cacheLine / elementBytes, b.lanes);
  int64_t lines = op.k / line * line;
  int64_t whole = op.k / b.lanes * b.lanes;

  SmallVector<Value> sums(rows * cols, b.zeros(b.lanes));
  sums = b.loop(0, lines, line, sums, [&](Value k, ValueRange carried) {
    for (int64_t j = 0; j < cols; ++j)
      b.prefetch(op.rhs, b.offset(n0, cols + j), k);
    SmallVector<Value> next(carried);
    for (int64_t i = 0; i < line; i += b.lanes)
      next = step(b.offset(k, i), next, b.lanes);
    return next;
  });
  sums = b.loop(lines, whole, b.lanes, sums, [&](Value k, ValueRange carried) {
    return step(k, carried, b.lanes);
  });
  if (whole < op.k)
    sums = step(b.index(whole), sums, op.k - whole);
  return sums;
}

void InnerBlock::addSums(ArrayRef<Value> sums) {
  for (int64_t i = 0; i < rows; ++i) {
    Value row = b.offset(m0, i);
    for (int64_t j = 0; j < cols;) {
      int64_t group =
          std::min<int64_t>(llvm::bit_floor(uint64_t(cols - j)), b.lanes);
      Value sum = b.sumEach(sums.slice(i * cols + j, group));
      Value col = b.offset(n0, j);
      Value old = b.load(op.acc, row, col, group, group);
      b.store(b.add(old, sum), op.acc, row, col, group);
      j += group;
    }
  }
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

  // Three quarters of the registers accumulate; the rest holds a vector of each
  // row of lhs and one of rhs.
  int64_t blocks = llvm::divideCeil(op.m, b.registers / 4);
  int64_t rows = llvm::divideCeil(op.m, blocks);
  // Four rows of rhs at once are as many streams as pay; more were slower at
  // every shape of GPT-2.
  int64_t cols = std::min<int64_t>({b.registers * 3 / 4 / rows, 4, op.n});

  auto columns = [&](Value n0, int64_t count) {
    int64_t whole = op.m / rows * rows;
    b.loop(0, whole, rows,
           [&](Value m0) { InnerBlock(b, in, m0, rows, n0, count).emit(); });
    if (whole < op.m)
      InnerBlock(b, in, b.index(whole), op.m - whole, n0, count).emit();
  };
  int64_t whole = op.n / cols * cols;
  b.loop(0, whole, cols, [&](Value n0) { columns(n0, cols); });
  if (whole < op.n)
    columns(b.index(whole), op.n - whole);
}
