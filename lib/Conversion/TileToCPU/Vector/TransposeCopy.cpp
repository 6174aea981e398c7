// A square of rows of the input becomes a square of rows of the output in
// registers, so that both are read and written in vectors.
#include "Vector/TransposeCopy.h"
#include "MicroKernel/MicroKernel.h"
#include "Vector/VectorPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

/// The loops of a copy.
struct CopyLoops {
  SmallVector<int64_t> lead; ///< all others, in the order of the output
  int64_t read = -1;         ///< the input is contiguous along this one
  int64_t written = -1;      ///< so is the output
};

/// Emits one copy.
class TransposeCopy {
public:
  TransposeCopy(MicroKernelBuilder &b, linalg::LinalgOp op,
                const CopyLoops &loops, ArrayRef<OpFoldResult> sizes)
      : b(b), op(op), loops(loops), sizes(sizes) {}

  void emit();

private:
  Value sizeOf(int64_t loop) {
    return getValueOrCreateConstantIndexOp(b.builder, b.loc, sizes[loop]);
  }
  /// The operand with the axes of the last two loops last.
  Matrix matrixOf(OpOperand &operand, int64_t row, int64_t col);
  /// Loops over [begin, end).
  void forEach(Value begin, Value end, int64_t step,
               function_ref<void(Value)> body);
  void copySquare(Value read, Value written);
  /// Copies the elements in these ranges one by one.
  void copyElements(Value firstRead, Value endRead, Value firstWritten,
                    Value endWritten);

  MicroKernelBuilder &b;
  linalg::LinalgOp op;
  const CopyLoops &loops;
  ArrayRef<OpFoldResult> sizes;
  /// [lead…, written, read], and [lead…, read, written].
  Matrix from, to;
};

} // namespace

Matrix TransposeCopy::matrixOf(OpOperand &operand, int64_t row, int64_t col) {
  const AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<unsigned> order;
  const auto add = [&](int64_t loop) {
    order.push_back(
        *map.getResultPosition(getAffineDimExpr(loop, map.getContext())));
  };
  llvm::for_each(loops.lead, add);
  add(row);
  add(col);
  const AffineMap permutation =
      AffineMap::getPermutationMap(order, map.getContext());
  if (permutation.isIdentity())
    return {operand.get(), {}};
  return {memref::TransposeOp::create(b.builder, b.loc, operand.get(),
                                      AffineMapAttr::get(permutation)),
          {}};
}

void TransposeCopy::forEach(Value begin, Value end, int64_t step,
                            function_ref<void(Value)> body) {
  b.loop(begin, end, step, ValueRange(),
         [&](Value iv, ValueRange) -> SmallVector<Value> {
           body(iv);
           return {};
         });
}

void TransposeCopy::copySquare(Value read, Value written) {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < b.lanes; ++i)
    rows.push_back(b.offset(written, i));
  const auto columns =
      b.loadTransposed(from, rows, read, b.lanes, /*endCol=*/{});
  for (int64_t i = 0; i < b.lanes; ++i)
    b.store(columns[i], to, b.offset(read, i), written, b.lanes);
}

void TransposeCopy::copyElements(Value firstRead, Value endRead,
                                 Value firstWritten, Value endWritten) {
  forEach(firstRead, endRead, 1, [&](Value read) {
    forEach(firstWritten, endWritten, 1, [&](Value written) {
      SmallVector<Value> source(from.lead.begin(), from.lead.end()),
          target = source;
      source.append({written, read});
      target.append({read, written});
      Value element =
          memref::LoadOp::create(b.builder, b.loc, from.memref, source);
      memref::StoreOp::create(b.builder, b.loc, element, to.memref, target);
    });
  });
}

void TransposeCopy::emit() {
  from = matrixOf(*op.getDpsInputOperand(0), loops.written, loops.read);
  to = matrixOf(*op.getDpsInitOperand(0), loops.read, loops.written);
  Value zero = b.index(0), reads = sizeOf(loops.read),
        writes = sizeOf(loops.written);
  OpBuilder::InsertionGuard guard(b.builder);
  for (int64_t loop : loops.lead) {
    auto each =
        scf::ForOp::create(b.builder, b.loc, zero, sizeOf(loop), b.index(1));
    b.builder.setInsertionPointToStart(each.getBody());
    from.lead.push_back(each.getInductionVar());
    to.lead.push_back(each.getInductionVar());
  }
  Value wholeReads = b.roundDown(reads, b.lanes),
        wholeWrites = b.roundDown(writes, b.lanes);
  // Squares along a row of the output complete its cache lines.
  forEach(zero, wholeReads, b.lanes, [&](Value read) {
    forEach(zero, wholeWrites, b.lanes,
            [&](Value written) { copySquare(read, written); });
  });
  copyElements(wholeReads, reads, zero, wholeWrites);
  copyElements(zero, reads, wholeWrites, writes);
}

/// The loops of a copy of all elements of one buffer to another one that is
/// contiguous along another axis; nothing for other ops.
static std::optional<CopyLoops> findCopyLoops(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || op.getNumLoops() < 2)
    return std::nullopt;
  Block *body = op.getBlock();
  if (!llvm::hasSingleElement(*body) ||
      body->getTerminator()->getOperand(0) != body->getArgument(0))
    return std::nullopt;
  SmallVector<int64_t> last;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || !map.isPermutation() || !type.isLastDimUnitStride())
      return std::nullopt;
    last.push_back(map.getDimPosition(map.getNumResults() - 1));
  }
  if (last[0] == last[1])
    return std::nullopt;
  CopyLoops loops{{}, last[0], last[1]};
  const AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned axis = 0; axis < out.getNumResults(); ++axis)
    if (!llvm::is_contained(last, int64_t(out.getDimPosition(axis))))
      loops.lead.push_back(out.getDimPosition(axis));
  return loops;
}

/// The lanes of a square of elements of this width; it takes as many registers.
static unsigned lanesOfSquare(unsigned bits, unsigned vectorBits) {
  constexpr unsigned mostLanes = 16;
  return std::min(mostLanes, vectorBits / bits);
}

bool tilegpt::cpu::canTransposeSquares(Type element, unsigned vectorBits) {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8 &&
         lanesOfSquare(element.getIntOrFloatBitWidth(), vectorBits) >= 2;
}

bool tilegpt::cpu::emitTransposeCopy(OpBuilder &builder, linalg::LinalgOp op,
                                     unsigned vectorBits) {
  const auto loops = findCopyLoops(op);
  if (!loops)
    return false;
  Type element = op.getBlock()->getArgument(0).getType();
  if (!canTransposeSquares(element, vectorBits))
    return false;
  const unsigned width = element.getIntOrFloatBitWidth(),
                 lanes = lanesOfSquare(width, vectorBits);
  const SmallVector<OpFoldResult> sizes = getLoopSizes(builder, op);
  for (int64_t loop : {loops->read, loops->written})
    if (const auto size = getConstantIntValue(sizes[loop]);
        size && *size < lanes)
      return false;
  auto function = op->getParentOfType<FunctionOpInterface>();
  MicroKernelBuilder kernel(
      builder, op.getLoc(), element,
      {.bits = lanes * width, .registers = lanes, .rowStreams = 1},
      function.getFunctionBody().front());
  TransposeCopy(kernel, op, *loops, sizes).emit();
  return true;
}
