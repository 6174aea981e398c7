//===- MicroKernel.h - Shared by both forms of a contraction ----*- C++ -*-===//
//
// The facts that `cpu-contract-to-micro-kernel` has about one contraction, and
// a builder for the vector code of both forms: widening loads, loops, scratch
// memory and in-register transposes.

#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_MICROKERNEL_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_MICROKERNEL_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::cpu {

/// Which elements of a matrix of integers are read together, as two i16 in an
/// i32 that count as one element; there is an even number of them.
enum class Pairs { None, Columns, Rows };

/// A matrix in memory: a memref of rank 2 + |lead| whose last two sizes are
/// static and whose last stride is 1.
struct Matrix {
  mlir::Value memref;
  /// Indices of the leading (batch) axes.
  llvm::SmallVector<mlir::Value, 1> lead;
  /// Integers are widened with zeros.
  bool isUnsigned = false;
  Pairs pairs = Pairs::None;

  mlir::MemRefType type() const {
    return llvm::cast<mlir::MemRefType>(memref.getType());
  }
  mlir::Type elementType() const { return type().getElementType(); }
  int64_t rows() const {
    return type().getDimSize(type().getRank() - 2) /
           (pairs == Pairs::Rows ? 2 : 1);
  }
  int64_t cols() const {
    return type().getDimSize(type().getRank() - 1) /
           (pairs == Pairs::Columns ? 2 : 1);
  }
};

/// `acc[m, n] += lhs[m, k]·rhs[k, n]`, each operand stored either way round.
struct Contraction {
  Matrix lhs, rhs, acc;
  /// lhs is stored [K, M].
  bool transposedLhs = false;
  /// rhs is stored [N, K].
  bool transposedRhs = false;
  int64_t m = 0, n = 0, k = 0;
  /// How many of the m rows, n columns and k products are needed, computed at
  /// run time; null: all of them. Operand elements past these may be out of
  /// bounds, and those of acc are undefined before and after.
  mlir::Value rows, columns, depth;
  /// i1: whether acc is zero, in which case its memory is not read; null if
  /// unknown.
  mlir::Value beginsAtZero;
};

/// Products of up to this many rows read an rhs stored as [N, K] in place; more
/// rows amortize packing it.
inline constexpr int64_t maxInnerRows = 16;

/// The vector unit that the code is blocked for.
struct VectorUnit {
  unsigned bits;
  unsigned registers;
  /// Rows of a matrix that it streams at the bandwidth of memory.
  unsigned rowStreams;
};

/// Builds code at a moving insertion point; every arithmetic value has the
/// accumulator's element type.
class MicroKernelBuilder {
public:
  /// \param entry  the function's block in which scratch memory is allocated.
  MicroKernelBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type accType, VectorUnit unit, mlir::Block &entry);

  mlir::OpBuilder &builder;
  const mlir::Location loc;
  const mlir::Type accType;
  /// Elements of accType in a register.
  const int64_t lanes;
  const int64_t registers;
  const int64_t rowStreams;

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  /// `base + offset`; base itself when the offset is 0.
  mlir::Value offset(mlir::Value base, int64_t offset);
  mlir::Value zeros(int64_t width);
  /// `acc + lhs·rhs`, rounded once for floats.
  mlir::Value multiplyAdd(mlir::Value lhs, mlir::Value rhs, mlir::Value acc);
  /// `acc` plus the sum of both products of each pair, with wraparound: one or
  /// two instructions of most hosts.
  mlir::Value multiplyAddPairs(mlir::Value lhs, mlir::Value rhs,
                               mlir::Value acc);

  /// Element [row, col], widened, in every lane of a register.
  mlir::Value splatElement(const Matrix &matrix, mlir::Value row,
                           mlir::Value col);
  /// Elements [row, col…col + width), widened or in pairs. Those from `valid`
  /// on are not read, and zero.
  mlir::Value load(const Matrix &matrix, mlir::Value row, mlir::Value col,
                   int64_t width, int64_t valid);
  /// Stores the first `valid` elements of a vector at [row, col…].
  void store(mlir::Value vector, const Matrix &matrix, mlir::Value row,
             mlir::Value col, int64_t valid);
  /// Stores the elements whose lanes are set.
  mlir::Value loadMasked(const Matrix &matrix, mlir::Value row, mlir::Value col,
                         mlir::Value mask);
  void storeMasked(mlir::Value vector, const Matrix &matrix, mlir::Value row,
                   mlir::Value col, mlir::Value mask);
  /// The mask of those of `width` elements from `begin` on that are before
  /// `end`; by default, of the elements of a register.
  mlir::Value maskBelow(mlir::Value begin, mlir::Value end, int64_t width);
  mlir::Value maskBelow(mlir::Value begin, mlir::Value end) {
    return maskBelow(begin, end, lanes);
  }
  /// The mask of the first `valid` lanes of a register.
  mlir::Value maskOf(int64_t valid) { return mask(lanes, valid); }
  /// `mask`, or no lane if the condition holds.
  mlir::Value maskUnless(mlir::Value condition, mlir::Value mask);
  /// Adds one lane of a vector to the element [row, col].
  void addElement(mlir::Value vector, int64_t lane, const Matrix &matrix,
                  mlir::Value row, mlir::Value col);
  /// `index == value ? then : otherwise`.
  mlir::Value selectEqual(mlir::Value index, int64_t value, mlir::Value then,
                          mlir::Value otherwise);
  mlir::Value equal(mlir::Value index, int64_t value);
  mlir::Value select(mlir::Value condition, int64_t then, int64_t otherwise);
  /// The largest multiple of `step` up to `value`, which is not negative.
  mlir::Value roundDown(mlir::Value value, int64_t step);
  /// Prefetches the cache line of [row, col], which may be out of bounds.
  void prefetch(const Matrix &matrix, mlir::Value row, mlir::Value col);

  /// Columns [col, col + lanes) of up to `lanes` rows, a register each; lanes
  /// beyond the rows are zero. Columns beyond `validCols`, or from `endCol` on
  /// unless it is null, are not read and are zero.
  llvm::SmallVector<mlir::Value>
  loadTransposed(const Matrix &from, llvm::ArrayRef<mlir::Value> rows,
                 mlir::Value col, int64_t validCols, mlir::Value endCol);
  /// Sums each of 2^i vectors of 2^j ≥ 2^i lanes, always in the same order;
  /// \returns one vector of the 2^i sums.
  mlir::Value sumEach(llvm::ArrayRef<mlir::Value> vectors);

  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, mlir::ValueRange)>;
  /// A loop over [begin, end) in whole steps that carries values; no loop if it
  /// has a single iteration.
  llvm::SmallVector<mlir::Value> loop(int64_t begin, int64_t end, int64_t step,
                                      mlir::ValueRange inits, Body body);
  void loop(int64_t begin, int64_t end, int64_t step,
            llvm::function_ref<void(mlir::Value iv)> body);

  /// The same with run-time bounds.
  llvm::SmallVector<mlir::Value> loop(mlir::Value begin, mlir::Value end,
                                      int64_t step, mlir::ValueRange inits,
                                      Body body);
  /// Runs the body on [begin, begin + count) unless that exceeds `end`;
  /// \returns the start of the remainder.
  mlir::Value blockIf(mlir::Value begin, mlir::Value end, int64_t count,
                      llvm::function_ref<void(mlir::Value begin)> body);

  /// An aligned matrix of accType that lives as long as the function.
  Matrix scratch(int64_t rows, int64_t cols, int64_t rowStride);
  /// The start of such a matrix, with as many rows and fewer columns.
  Matrix narrow(const Matrix &scratch, int64_t cols);
  /// The same with rows padded so that they do not map to one set of a cache.
  Matrix rowScratch(int64_t rows, int64_t cols);
  /// A widened copy of the matrix, its rows contiguous.
  Matrix copy(const Matrix &matrix);
  /// A widened copy [cols, rows] of columns of the matrix.
  Matrix transposedCopy(const Matrix &matrix);
  /// A widened copy, of a matrix whose rows need not be contiguous.
  Matrix gatheredCopy(const Matrix &matrix);
  /// to[j, i] = from[row0 + i, j] for rows i < `rows`; lanes of `to` past them,
  /// up to a whole register, become 0. Rows past the end of `from` give
  /// undefined values.
  /// \param depth   the number of columns of `from`, or null for all of them;
  ///                `to` has rows for whole registers of them.
  /// \param endRow  one past the last row of `from`, if `rows` is a single
  ///                register; may be null.
  void packTransposed(const Matrix &from, mlir::Value row0, int64_t rows,
                      const Matrix &to, mlir::Value depth = {},
                      mlir::Value endRow = {});
  /// to[j, i] = from[j, col0 + i], as above.
  /// \param mask  the columns to read, if they are a single register; may be
  ///              null.
  void pack(const Matrix &from, mlir::Value col0, int64_t cols,
            const Matrix &to, mlir::Value mask = {}, mlir::Value depth = {});

private:
  mlir::Block &entry;

  llvm::SmallVector<mlir::Value, 3> indices(const Matrix &matrix,
                                            mlir::Value row, mlir::Value col);
  mlir::Value widen(mlir::Value value, bool isUnsigned);
  /// The same, to elements of this type.
  mlir::Value widenTo(mlir::Type element, mlir::Value value, bool isUnsigned);
  /// A vector of elements that are not widened, as `load` reads it.
  mlir::Value loadElements(const Matrix &matrix, mlir::Value row,
                           mlir::Value col, int64_t width, int64_t valid);
  mlir::Value loadPairs(const Matrix &matrix, mlir::Value row, mlir::Value col,
                        int64_t width, int64_t valid);
  mlir::Value mask(int64_t width, int64_t valid);
  mlir::Value shuffle(mlir::Value a, mlir::Value b,
                      llvm::ArrayRef<int64_t> lanes);

  // Of a square of `lanes` rows in segments of s elements, register c·s + r
  // gets segment c of rows r, r + s, ….
  /// Loads segments of elements of accType into these registers.
  llvm::SmallVector<mlir::Value>
  loadSegments(const Matrix &from, llvm::ArrayRef<mlir::Value> rows,
               mlir::Value col, int64_t validCols, mlir::Value endCol);
  /// Moves the segments of whole rows into these registers.
  void exchangeSegments(llvm::SmallVectorImpl<mlir::Value> &vectors);
  /// Transposes each square of segments.
  void transposeSegments(llvm::SmallVectorImpl<mlir::Value> &vectors);
};

/// Adds the outer product of a column of lhs and a row of rhs at each k.
void emitOuterProduct(MicroKernelBuilder &builder, const Contraction &op);

/// Multiplies vectors along K and reduces them at the end; for few rows and an
/// rhs stored as [N, K].
void emitInnerProduct(MicroKernelBuilder &builder, const Contraction &op);

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_MICROKERNEL_H
