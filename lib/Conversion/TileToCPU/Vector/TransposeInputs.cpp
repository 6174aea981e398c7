// An elementwise op cannot be vectorized along an axis along which one of its
// inputs is not contiguous. Transposing windows of that input into a buffer
// that stays in the L1 cache is cheaper than computing element by element.
#include "Vector/TransposeInputs.h"
#include "Vector/TransposeCopy.h"
#include "Vector/VectorPlan.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {

/// The sizes of a window: a cache line of each transposed input by some vectors
/// of the outputs. All transposed windows of an op fit into the L1 cache.
constexpr int64_t lineBytes = 64, writtenSize = 64, mostScratchBytes = 32 << 10;

/// An input that is contiguous along another loop than the outputs.
struct TransposedInput {
  unsigned number; ///< of the operand
  int64_t read;    ///< the loop along which it is contiguous
  int64_t bytes;   ///< of an element
};

/// What is known about an op before it is changed.
struct TransposedInputs {
  SmallVector<TransposedInput> inputs;
  int64_t written = -1; ///< the loop along which all outputs are contiguous
};

} // namespace

/// The last loop of an operand that is indexed by distinct loops and contiguous
/// along the last one; nothing for other operands.
static std::optional<int64_t> contiguousLoop(linalg::LinalgOp op,
                                             OpOperand &operand) {
  auto type = cast<MemRefType>(operand.get().getType());
  const AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation() || map.getNumResults() == 0 ||
      !type.isLastDimUnitStride())
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

static TransposedInputs findTransposedInputs(linalg::GenericOp op,
                                             unsigned vectorBits) {
  TransposedInputs found;
  if (op.getNumParallelLoops() != op.getNumLoops() ||
      !hasVectorBody(op.getBody()))
    return {};
  for (OpOperand &out : op.getDpsInitsMutable()) {
    const auto loop = contiguousLoop(op, out);
    if (!loop || !op.getMatchingIndexingMap(&out).isPermutation() ||
        (found.written >= 0 && *loop != found.written))
      return {};
    found.written = *loop;
  }
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<MemRefType>(input->get().getType()) ||
        !op.getMatchingIndexingMap(input).isFunctionOfDim(found.written))
      continue;
    const auto read = contiguousLoop(op, *input);
    if (!read)
      return {};
    if (*read == found.written)
      continue;
    Type element = getElementTypeOrSelf(input->get().getType());
    if (!canTransposeSquares(element, vectorBits))
      return {};
    found.inputs.push_back({input->getOperandNumber(), *read,
                            int64_t(element.getIntOrFloatBitWidth()) / 8});
  }
  return found;
}

/// Window sizes for each loop; 0: all of it.
static SmallVector<int64_t> windowSizes(linalg::GenericOp op,
                                        const TransposedInputs &found) {
  SmallVector<int64_t> sizes(op.getNumLoops(), 0);
  for (const TransposedInput &input : found.inputs) {
    const AffineMap map = op.getIndexingMapsArray()[input.number];
    for (AffineExpr axis : map.getResults()) {
      int64_t &size = sizes[cast<AffineDimExpr>(axis).getPosition()];
      size = std::max<int64_t>(size, 1);
    }
  }
  sizes[found.written] = writtenSize;
  for (const TransposedInput &input : found.inputs)
    sizes[input.read] =
        std::max<int64_t>(sizes[input.read], lineBytes / input.bytes);
  return sizes;
}

/// The axes of an input in the order of its scratch buffer: the one along which
/// the outputs are contiguous is last.
static SmallVector<int64_t> scratchOrder(AffineMap map, int64_t written) {
  const auto last =
      *map.getResultPosition(getAffineDimExpr(written, map.getContext()));
  auto order =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(map.getNumResults())));
  order.erase(order.begin() + last);
  order.push_back(last);
  return order;
}

SmallVector<linalg::LinalgOp>
tilegpt::cpu::transposeInputs(RewriterBase &rewriter, linalg::LinalgOp op,
                              unsigned vectorBits) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return {};
  const TransposedInputs found = findTransposedInputs(generic, vectorBits);
  if (found.inputs.empty())
    return {};
  const SmallVector<int64_t> sizes = windowSizes(generic, found);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  int64_t scratchBytes = 0;
  for (const TransposedInput &input : found.inputs) {
    int64_t bytes = input.bytes;
    for (AffineExpr axis : maps[input.number].getResults())
      bytes *= sizes[cast<AffineDimExpr>(axis).getPosition()];
    scratchBytes += bytes;
  }
  if (scratchBytes > mostScratchBytes)
    return {};

  auto tiled = linalg::tileLinalgOp(
      rewriter, op, linalg::LinalgTilingOptions().setTileSizes(sizes));
  if (failed(tiled))
    return {};
  auto window = cast<linalg::GenericOp>(tiled->op.getOperation());
  auto function = op->getParentOfType<FunctionOpInterface>();
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<Value> operands(window->getOperands());
  for (const TransposedInput &input : found.inputs) {
    const AffineMap map = maps[input.number];
    const SmallVector<int64_t> order = scratchOrder(map, found.written);
    SmallVector<int64_t> scratchSizes;
    SmallVector<AffineExpr> axes;
    Value source = operands[input.number];
    SmallVector<OpFoldResult> used;
    rewriter.setInsertionPoint(window);
    for (int64_t axis : order) {
      axes.push_back(map.getResult(axis));
      scratchSizes.push_back(
          sizes[cast<AffineDimExpr>(axes.back()).getPosition()]);
      used.push_back(memref::getMixedSize(rewriter, op.getLoc(), source, axis));
    }
    Value scratch;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
      scratch = memref::AllocaOp::create(
          rewriter, op.getLoc(),
          MemRefType::get(scratchSizes, getElementTypeOrSelf(source.getType())),
          rewriter.getI64IntegerAttr(lineBytes));
    }
    const SmallVector<OpFoldResult> zeros(order.size(),
                                          rewriter.getIndexAttr(0)),
        ones(order.size(), rewriter.getIndexAttr(1));
    scratch = memref::SubViewOp::create(rewriter, op.getLoc(), scratch, zeros,
                                        used, ones);
    ops.push_back(linalg::TransposeOp::create(rewriter, op.getLoc(), source,
                                              scratch, order));
    operands[input.number] = scratch;
    maps[input.number] =
        AffineMap::get(map.getNumDims(), 0, axes, map.getContext());
  }
  rewriter.modifyOpInPlace(window, [&] {
    window->setOperands(operands);
    window.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  ops.push_back(window);
  return ops;
}
