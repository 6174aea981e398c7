//===- MicroKernelOuter.cpp - The outer product form of a contraction ----===//
//
// A block of accumulators stays in registers over all of K while one row of rhs
// and one column of lhs pass by at each step: the matrix product of a prompt,
// and any product with an rhs stored [K, N].

#include "MicroKernel.h"

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

/// One block of acc at [m0, n0]: rows × cols elements, against columns [rhs0,
/// rhs0 + cols) of a [K, …] rhs.
void emitBlock(MicroKernelBuilder &b, const Contraction &op, Value m0,
               int64_t rows, Value n0, int64_t cols, const Matrix &rhs,
               Value rhs0, bool paddedRhs) {
  int64_t width = llvm::divideCeil(cols, b.lanes);
  auto valid = [&](int64_t j) { return std::min(b.lanes, cols - j * b.lanes); };
  auto step = [&](Value k, ValueRange sums) {
    SmallVector<Value> next(sums), right;
    for (int64_t j = 0; j < width; ++j)
      right.push_back(b.load(rhs, k, b.offset(rhs0, j * b.lanes), b.lanes,
                             paddedRhs ? b.lanes : valid(j)));
    for (int64_t i = 0; i < rows; ++i) {
      Value row = b.offset(m0, i);
      Value left = op.transposedLhs ? b.splatElement(op.lhs, k, row)
                                    : b.splatElement(op.lhs, row, k);
      for (int64_t j = 0; j < width; ++j)
        next[i * width + j] =
            b.multiplyAdd(left, right[j], next[i * width + j]);
    }
    return next;
  };

  SmallVector<Value> sums;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < width; ++j)
      sums.push_back(b.load(op.acc, b.offset(m0, i), b.offset(n0, j * b.lanes),
                            b.lanes, valid(j)));
  // One k at a time: of several the compiler would gather the neighbouring
  // elements of lhs first and spill them.
  sums = b.loop(0, op.k, 1, sums, step);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < width; ++j)
      b.store(sums[i * width + j], op.acc, b.offset(m0, i),
              b.offset(n0, j * b.lanes), valid(j));
}

} // namespace

void tilegpt::cpu::emitOuterProduct(MicroKernelBuilder &b,
                                    const Contraction &op) {
  Blocking block = chooseBlocking(b, op);
  Contraction in = op;
  // Elements of lhs are broadcast one by one: widen them once, not once a
  // panel.
  if (op.lhs.elementType() != b.accType)
    in.lhs = b.copy(op.lhs);

  // A panel is worth packing when it must be transposed or when several blocks
  // of rows read it.
  bool packed = op.transposedRhs || op.m > 2 * block.rows;
  Matrix panel;
  if (packed)
    panel = b.scratch(op.k, block.cols, block.cols);

  auto columns = [&](Value n0, int64_t cols) {
    if (packed && op.transposedRhs)
      b.packTransposed(op.rhs, n0, cols, panel);
    else if (packed)
      b.pack(op.rhs, n0, cols, panel);
    const Matrix &rhs = packed ? panel : op.rhs;
    Value rhs0 = packed ? b.index(0) : n0;
    int64_t whole = op.m / block.rows * block.rows;
    b.loop(0, whole, block.rows, [&](Value m0) {
      emitBlock(b, in, m0, block.rows, n0, cols, rhs, rhs0, packed);
    });
    if (whole < op.m)
      emitBlock(b, in, b.index(whole), op.m - whole, n0, cols, rhs, rhs0,
                packed);
  };
  int64_t whole = op.n / block.cols * block.cols;
  b.loop(0, whole, block.cols, [&](Value n0) { columns(n0, block.cols); });
  if (whole < op.n)
    columns(b.index(whole), op.n - whole);
}
