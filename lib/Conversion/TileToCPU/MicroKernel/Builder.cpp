//===- Builder.cpp - Vector code of both forms ----------------------------===//
//
// Widening loads, masked edges, loops, scratch memory and sums within
// registers, for either form of a contraction.

#include "MicroKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt::cpu;

MicroKernelBuilder::MicroKernelBuilder(OpBuilder &builder, Location loc,
                                       Type accType, VectorUnit unit,
                                       Block &entry)
    : builder(builder), loc(loc), accType(accType),
      lanes(std::max<int64_t>(unit.bits / accType.getIntOrFloatBitWidth(), 1)),
      registers(unit.registers), rowStreams(unit.rowStreams), entry(entry) {}

Value MicroKernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value MicroKernelBuilder::add(Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value MicroKernelBuilder::offset(Value base, int64_t offset) {
  return offset == 0 ? base : add(base, index(offset));
}

Value MicroKernelBuilder::zeros(int64_t width) {
  auto type = VectorType::get(width, accType);
  return arith::ConstantOp::create(builder, loc, type,
                                   builder.getZeroAttr(type));
}

Value MicroKernelBuilder::multiplyAdd(Value lhs, Value rhs, Value acc) {
  if (isa<FloatType>(accType))
    return vector::FMAOp::create(builder, loc, lhs, rhs, acc);
  return add(acc, arith::MulIOp::create(builder, loc, lhs, rhs));
}

Value MicroKernelBuilder::multiplyAddPairs(Value lhs, Value rhs, Value acc) {
  // LLVM makes pmaddwd or vpdpwssd of this.
  const auto elements = [&](Value pairs) {
    Value narrow = vector::BitCastOp::create(
        builder, loc, VectorType::get(2 * lanes, builder.getI16Type()), pairs);
    return widenTo(accType, narrow, /*isUnsigned=*/false);
  };
  Value products =
      arith::MulIOp::create(builder, loc, elements(lhs), elements(rhs));
  SmallVector<int64_t> even, odd;
  for (int64_t i = 0; i < lanes; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
  }
  Value sums =
      add(shuffle(products, products, even), shuffle(products, products, odd));
  return add(acc, sums);
}

SmallVector<Value, 3> MicroKernelBuilder::indices(const Matrix &matrix,
                                                  Value row, Value col) {
  SmallVector<Value, 3> all(matrix.lead.begin(), matrix.lead.end());
  all.append({row, col});
  return all;
}

Value MicroKernelBuilder::widen(Value value, bool isUnsigned) {
  return widenTo(accType, value, isUnsigned);
}

Value MicroKernelBuilder::widenTo(Type element, Value value, bool isUnsigned) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type) == element)
    return value;
  Type wide = element;
  if (auto vector = dyn_cast<VectorType>(type))
    wide = vector.clone(element);
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(builder, loc, wide, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, wide, value);
  return arith::ExtSIOp::create(builder, loc, wide, value);
}

Value MicroKernelBuilder::mask(int64_t width, int64_t valid) {
  SmallVector<bool> bits(width, false);
  std::fill_n(bits.begin(), valid, true);
  auto type = VectorType::get(width, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, bits));
}

Value MicroKernelBuilder::splatElement(const Matrix &matrix, Value row,
                                       Value col) {
  Value element = memref::LoadOp::create(builder, loc, matrix.memref,
                                         indices(matrix, row, col));
  return vector::BroadcastOp::create(builder, loc,
                                     VectorType::get(lanes, accType),
                                     widen(element, matrix.isUnsigned));
}

Value MicroKernelBuilder::loadElements(const Matrix &matrix, Value row,
                                       Value col, int64_t width,
                                       int64_t valid) {
  auto type = VectorType::get(width, matrix.elementType());
  auto at = indices(matrix, row, col);
  if (valid == width)
    return vector::LoadOp::create(builder, loc, type, matrix.memref, at);
  Value zero =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, matrix.memref, at,
                                      mask(width, valid), zero);
}

Value MicroKernelBuilder::loadPairs(const Matrix &matrix, Value row, Value col,
                                    int64_t width, int64_t valid) {
  const auto load = [&](Value row, Value col, int64_t width, int64_t valid) {
    return widenTo(builder.getI16Type(),
                   loadElements(matrix, row, col, width, valid),
                   matrix.isUnsigned);
  };
  Value elements;
  if (matrix.pairs == Pairs::Columns) {
    elements = load(row, add(col, col), 2 * width, 2 * valid);
  } else {
    Value first = add(row, row);
    SmallVector<int64_t> inTurns;
    for (int64_t i = 0; i < width; ++i)
      inTurns.append({i, width + i});
    elements = shuffle(load(first, col, width, valid),
                       load(offset(first, 1), col, width, valid), inTurns);
  }
  return vector::BitCastOp::create(
      builder, loc, VectorType::get(width, builder.getI32Type()), elements);
}

Value MicroKernelBuilder::load(const Matrix &matrix, Value row, Value col,
                               int64_t width, int64_t valid) {
  if (valid == 0)
    return zeros(width);
  if (matrix.pairs != Pairs::None)
    return loadPairs(matrix, row, col, width, valid);
  return widen(loadElements(matrix, row, col, width, valid), matrix.isUnsigned);
}

void MicroKernelBuilder::store(Value vector, const Matrix &matrix, Value row,
                               Value col, int64_t valid) {
  if (valid == 0)
    return;
  int64_t width = cast<VectorType>(vector.getType()).getDimSize(0);
  auto at = indices(matrix, row, col);
  if (valid == width)
    vector::StoreOp::create(builder, loc, vector, matrix.memref, at);
  else
    vector::MaskedStoreOp::create(builder, loc, matrix.memref, at,
                                  mask(width, valid), vector);
}

Value MicroKernelBuilder::loadMasked(const Matrix &matrix, Value row, Value col,
                                     Value mask) {
  const int64_t width = cast<VectorType>(mask.getType()).getDimSize(0);
  auto type = VectorType::get(width, matrix.elementType());
  Value zero =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  return widen(vector::MaskedLoadOp::create(builder, loc, type, matrix.memref,
                                            indices(matrix, row, col), mask,
                                            zero),
               matrix.isUnsigned);
}

void MicroKernelBuilder::storeMasked(Value vector, const Matrix &matrix,
                                     Value row, Value col, Value mask) {
  vector::MaskedStoreOp::create(builder, loc, matrix.memref,
                                indices(matrix, row, col), mask, vector);
}

Value MicroKernelBuilder::maskBelow(Value begin, Value end, int64_t width) {
  Value count = arith::SubIOp::create(builder, loc, end, begin);
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get(width, builder.getI1Type()), count);
}

Value MicroKernelBuilder::maskUnless(Value condition, Value mask) {
  Value none = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(mask.getType()));
  return arith::SelectOp::create(builder, loc, condition, none, mask);
}

void MicroKernelBuilder::addElement(Value vector, int64_t lane,
                                    const Matrix &matrix, Value row,
                                    Value col) {
  auto at = indices(matrix, row, col);
  Value element = vector::ExtractOp::create(builder, loc, vector, lane);
  Value old = memref::LoadOp::create(builder, loc, matrix.memref, at);
  memref::StoreOp::create(builder, loc, add(old, element), matrix.memref, at);
}

Value MicroKernelBuilder::selectEqual(Value index, int64_t value, Value then,
                                      Value otherwise) {
  return arith::SelectOp::create(builder, loc, equal(index, value), then,
                                 otherwise);
}

Value MicroKernelBuilder::equal(Value index, int64_t value) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                               this->index(value));
}

Value MicroKernelBuilder::select(Value condition, int64_t then,
                                 int64_t otherwise) {
  return arith::SelectOp::create(builder, loc, condition, index(then),
                                 index(otherwise));
}

Value MicroKernelBuilder::roundDown(Value value, int64_t step) {
  Value rest = arith::RemUIOp::create(builder, loc, value, index(step));
  return arith::SubIOp::create(builder, loc, value, rest);
}

void MicroKernelBuilder::prefetch(const Matrix &matrix, Value row, Value col) {
  if (matrix.pairs == Pairs::Rows)
    row = add(row, row);
  if (matrix.pairs == Pairs::Columns)
    col = add(col, col);
  memref::PrefetchOp::create(builder, loc, matrix.memref,
                             indices(matrix, row, col), /*isWrite=*/false,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

Value MicroKernelBuilder::shuffle(Value a, Value b, ArrayRef<int64_t> lanes) {
  return vector::ShuffleOp::create(builder, loc, a, b, lanes);
}

Value MicroKernelBuilder::sumEach(ArrayRef<Value> vectors) {
  SmallVector<Value> sums(vectors);
  // `segment` lanes of a vector still belong to one sum; each step adds their
  // upper half to the lower one.
  int64_t segment = cast<VectorType>(sums[0].getType()).getDimSize(0);
  while (segment > 1) {
    bool pairs = sums.size() > 1;
    int64_t width = cast<VectorType>(sums[0].getType()).getDimSize(0);
    SmallVector<int64_t> low, high;
    for (int64_t first = 0; first < (pairs ? 2 * width : width);
         first += segment)
      for (int64_t j = first; j < first + segment / 2; ++j) {
        low.push_back(j);
        high.push_back(j + segment / 2);
      }
    SmallVector<Value> next;
    for (size_t i = 0; i < sums.size(); i += pairs ? 2 : 1) {
      Value a = sums[i], b = sums[pairs ? i + 1 : i];
      next.push_back(add(shuffle(a, b, low), shuffle(a, b, high)));
    }
    sums = std::move(next);
    segment /= 2;
  }
  return sums.front();
}

SmallVector<Value> MicroKernelBuilder::loop(int64_t begin, int64_t end,
                                            int64_t step, ValueRange inits,
                                            Body body) {
  if (begin >= end)
    return SmallVector<Value>(inits);
  if (begin + step >= end)
    return body(index(begin), inits);
  return loop(index(begin), index(end), step, inits, body);
}

SmallVector<Value> MicroKernelBuilder::loop(Value begin, Value end,
                                            int64_t step, ValueRange inits,
                                            Body body) {
  auto forOp = scf::ForOp::create(
      builder, loc, begin, end, index(step), inits,
      [&](OpBuilder &, Location, Value iv, ValueRange carried) {
        scf::YieldOp::create(builder, loc, body(iv, carried));
      });
  return SmallVector<Value>(forOp.getResults());
}

void MicroKernelBuilder::loop(int64_t begin, int64_t end, int64_t step,
                              function_ref<void(Value)> body) {
  loop(begin, end, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

Value MicroKernelBuilder::blockIf(Value begin, Value end, int64_t count,
                                  function_ref<void(Value)> body) {
  Value next = offset(begin, count);
  Value fits =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, next, end);
  scf::IfOp::create(builder, loc, fits, [&](OpBuilder &, Location) {
    body(begin);
    scf::YieldOp::create(builder, loc);
  });
  return arith::SelectOp::create(builder, loc, fits, next, begin);
}

Matrix MicroKernelBuilder::scratch(int64_t rows, int64_t cols,
                                   int64_t rowStride) {
  // In the entry block, so that a contraction inside a loop does not grow the
  // stack with each iteration.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  constexpr int64_t cacheLine = 64;
  Value buffer = memref::AllocaOp::create(
      builder, loc, MemRefType::get({rows, rowStride}, accType),
      builder.getI64IntegerAttr(cacheLine));
  if (rowStride != cols)
    buffer = memref::SubViewOp::create(
        builder, loc, buffer, ArrayRef<int64_t>{0, 0},
        ArrayRef<int64_t>{rows, cols}, ArrayRef<int64_t>{1, 1});
  return {buffer, {}, false};
}

Matrix MicroKernelBuilder::narrow(const Matrix &scratch, int64_t cols) {
  if (cols == scratch.cols())
    return scratch;
  const int64_t rows = scratch.rows();
  return {memref::ReinterpretCastOp::create(
              builder, loc, MemRefType::get({rows, cols}, accType),
              scratch.memref, /*offset=*/0, ArrayRef<int64_t>{rows, cols},
              ArrayRef<int64_t>{cols, 1}),
          {},
          false};
}

Matrix MicroKernelBuilder::rowScratch(int64_t rows, int64_t cols) {
  // One cache line between the end of a row and the start of the next.
  return scratch(rows, cols, llvm::alignTo(cols, lanes) + lanes);
}

Matrix MicroKernelBuilder::copy(const Matrix &matrix) {
  Matrix to = rowScratch(matrix.rows(), matrix.cols());
  const int64_t cols = matrix.cols(), whole = cols / lanes * lanes;
  // The first row that the hardware may not prefetch.
  constexpr int64_t ahead = 2;
  loop(0, matrix.rows(), 1, [&](Value row) {
    loop(0, whole, lanes, [&](Value col) {
      prefetch(matrix, offset(row, ahead), col);
      store(load(matrix, row, col, lanes, lanes), to, row, col, lanes);
    });
    if (int64_t rest = cols - whole)
      store(load(matrix, row, index(whole), lanes, rest), to, row, index(whole),
            rest);
  });
  return to;
}

Matrix MicroKernelBuilder::transposedCopy(const Matrix &matrix) {
  int64_t rows = matrix.rows(), cols = matrix.cols();
  int64_t width = llvm::alignTo(rows, lanes);
  Matrix to = scratch(cols, width, width);
  packTransposed(matrix, index(0), rows, to);
  to.memref = memref::SubViewOp::create(
      builder, loc, to.memref, ArrayRef<int64_t>{0, 0},
      ArrayRef<int64_t>{cols, rows}, ArrayRef<int64_t>{1, 1});
  return to;
}

Matrix MicroKernelBuilder::gatheredCopy(const Matrix &matrix) {
  Matrix to = scratch(matrix.rows(), matrix.cols(), matrix.cols());
  loop(0, matrix.rows(), 1, [&](Value row) {
    loop(0, matrix.cols(), 1, [&](Value col) {
      Value element = memref::LoadOp::create(builder, loc, matrix.memref,
                                             indices(matrix, row, col));
      memref::StoreOp::create(builder, loc, widen(element, matrix.isUnsigned),
                              to.memref, ValueRange{row, col});
    });
  });
  return to;
}
