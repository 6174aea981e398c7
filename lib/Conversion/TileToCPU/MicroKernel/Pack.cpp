//===- Pack.cpp - Panels of a matrix, contiguous and transposed -----------===//
//
// A square of `lanes` rows is transposed in segments of 128 bits, within which
// permutations are cheapest: segments are moved to their registers, if possible
// by inserting them from memory, and then each square of segments is
// transposed.

#include "MicroKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt::cpu;

/// Elements of the accumulator's type in a segment.
static int64_t elementsOfSegment(const MicroKernelBuilder &b) {
  constexpr int64_t segmentBits = 128;
  return std::min<int64_t>(
      b.lanes, segmentBits / int64_t(b.accType.getIntOrFloatBitWidth()));
}

SmallVector<Value>
MicroKernelBuilder::loadSegments(const Matrix &from, ArrayRef<Value> rows,
                                 Value col, int64_t validCols, Value endCol) {
  const int64_t segment = elementsOfSegment(*this);
  SmallVector<Value> vectors;
  for (int64_t first = 0; first < lanes; first += segment) {
    const Value begin = offset(col, first);
    const Value valid = endCol ? maskBelow(begin, endCol, segment) : Value();
    for (int64_t row = 0; row < segment; ++row) {
      Value all = zeros(lanes);
      for (int64_t i = row; i < int64_t(rows.size()); i += segment) {
        Value each =
            valid ? loadMasked(from, rows[i], begin, valid)
                  : load(from, rows[i], begin, segment,
                         std::clamp<int64_t>(validCols - first, 0, segment));
        all = vector::InsertStridedSliceOp::create(builder, loc, each, all,
                                                   ArrayRef<int64_t>{i - row},
                                                   ArrayRef<int64_t>{1});
      }
      vectors.push_back(all);
    }
  }
  return vectors;
}

void MicroKernelBuilder::exchangeSegments(SmallVectorImpl<Value> &vectors) {
  // Off-diagonal blocks of `block` × `block` elements, from the largest down.
  for (int64_t block = lanes / 2; block >= elementsOfSegment(*this);
       block /= 2) {
    SmallVector<int64_t> low(lanes), high(lanes);
    for (int64_t j = 0; j < lanes; ++j) {
      bool second = j & block;
      low[j] = second ? lanes + j - block : j;
      high[j] = second ? lanes + j : j + block;
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & block)
        continue;
      Value a = vectors[i], b = vectors[i + block];
      vectors[i] = shuffle(a, b, low);
      vectors[i + block] = shuffle(a, b, high);
    }
  }
}

void MicroKernelBuilder::transposeSegments(SmallVectorImpl<Value> &vectors) {
  // Interleaving the first half of a square's rows with the second one log2
  // times transposes it.
  const int64_t segment = elementsOfSegment(*this);
  SmallVector<int64_t> low(lanes), high(lanes);
  for (int64_t j = 0; j < lanes; ++j) {
    const int64_t within = j % segment,
                  from = (j % 2 ? lanes : 0) + j - within + within / 2;
    low[j] = from;
    high[j] = from + segment / 2;
  }
  for (int64_t stage = 1; stage < segment; stage *= 2) {
    SmallVector<Value> next;
    for (int64_t first = 0; first < lanes; first += segment)
      for (int64_t i = first; i < first + segment / 2; ++i) {
        Value a = vectors[i], b = vectors[i + segment / 2];
        next.push_back(shuffle(a, b, low));
        next.push_back(shuffle(a, b, high));
      }
    vectors = std::move(next);
  }
}

SmallVector<Value>
MicroKernelBuilder::loadTransposed(const Matrix &from, ArrayRef<Value> rows,
                                   Value col, int64_t validCols, Value endCol) {
  SmallVector<Value> vectors;
  if (from.elementType() == accType) {
    vectors = loadSegments(from, rows, col, validCols, endCol);
  } else {
    // Whole registers are widened at once.
    const Value valid = endCol ? maskBelow(col, endCol) : Value();
    for (Value row : rows)
      vectors.push_back(valid ? loadMasked(from, row, col, valid)
                              : load(from, row, col, lanes, validCols));
    vectors.resize(lanes, zeros(lanes));
    exchangeSegments(vectors);
  }
  transposeSegments(vectors);
  return vectors;
}

void MicroKernelBuilder::packTransposed(const Matrix &from, Value row0,
                                        int64_t rows, const Matrix &to,
                                        Value depth, Value endRow) {
  // A register may have more rows than the matrix.
  Value lastRow;
  if (endRow)
    lastRow = arith::SubIOp::create(builder, loc, endRow, index(1));
  else if (rows == lanes && from.rows() % lanes != 0)
    lastRow = index(from.rows() - 1);
  auto square = [&](Value row, Value toCol, int64_t validRows) {
    // Columns up to `validCols`, or before `endCol` if it is given.
    auto block = [&](Value col, int64_t validCols, Value endCol) {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < validRows; ++i) {
        Value each = offset(row, i);
        if (lastRow)
          each = arith::MinSIOp::create(builder, loc, each, lastRow);
        rows.push_back(each);
      }
      const auto columns = loadTransposed(from, rows, col, validCols, endCol);
      for (int64_t j = 0; j < validCols; ++j)
        store(columns[j], to, offset(col, j), toCol, lanes);
    };
    if (depth) {
      Value whole = roundDown(depth, lanes);
      loop(index(0), whole, lanes, ValueRange(),
           [&](Value col, ValueRange) -> SmallVector<Value> {
             block(col, lanes, /*endCol=*/{});
             return {};
           });
      Value hasRest = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, whole, depth);
      scf::IfOp::create(builder, loc, hasRest, [&](OpBuilder &, Location) {
        block(whole, lanes, depth);
        scf::YieldOp::create(builder, loc);
      });
      return;
    }
    const int64_t cols = from.cols(), whole = cols / lanes * lanes;
    loop(0, whole, lanes, [&](Value col) { block(col, lanes, /*endCol=*/{}); });
    if (whole < cols)
      block(index(whole), cols - whole, /*endCol=*/{});
  };
  int64_t whole = rows / lanes * lanes;
  loop(0, whole, lanes, [&](Value i) { square(add(row0, i), i, lanes); });
  if (whole < rows)
    square(offset(row0, whole), index(whole), rows - whole);
}

void MicroKernelBuilder::pack(const Matrix &from, Value col0, int64_t cols,
                              const Matrix &to, Value mask, Value depth) {
  const auto row = [&](Value row, ValueRange) -> SmallVector<Value> {
    for (int64_t i = 0; i < cols; i += lanes) {
      Value col = offset(col0, i);
      store(mask ? loadMasked(from, row, col, mask)
                 : load(from, row, col, lanes, std::min(lanes, cols - i)),
            to, row, index(i), lanes);
    }
    return {};
  };
  if (depth)
    loop(index(0), depth, 1, ValueRange(), row);
  else
    loop(0, from.rows(), 1, ValueRange(), row);
}
