#include "Vector/ShortRuns.h"
#include "Vector/VectorBody.h"
#include "Vector/VectorPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt::cpu;

namespace {
/// An operand in memory.
struct RunOperand {
  Value memref;
  /// The dimension that each axis follows, or -1: element 0.
  SmallVector<int64_t> dims;
  /// Of each axis, in elements.
  SmallVector<int64_t> strides;
  bool isOut = false, isRead = true;
};

class ShortRuns {
public:
  ShortRuns(OpBuilder &builder, linalg::LinalgOp op)
      : builder(builder), op(op), loc(op.getLoc()) {}

  /// \returns whether it pays.
  bool plan(unsigned vectorBits, int64_t otherLanes) {
    if (op.getNumParallelLoops() != op.getNumLoops() || op.getNumLoops() == 0 ||
        !hasVectorBody(op.getBlock()))
      return false;
    for (OpFoldResult size : getLoopSizes(builder, op)) {
      const auto known = getConstantIntValue(size);
      if (!known || *known == 0)
        return false;
      sizes.push_back(*known);
    }
    for (OpOperand &operand : op->getOpOperands())
      if (!add(operand))
        return false;
    // As many of the innermost dimensions as fill a vector.
    const int64_t most = std::max<int64_t>(1, vectorBits / widestElementOf(op));
    int64_t inner = 1;
    for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0 && inner < most;
         --dim) {
      if (sizes[dim] == 1)
        continue;
      laneDims.insert(laneDims.begin(), dim);
      within = inner;
      inner *= sizes[dim];
    }
    if (laneDims.size() < 2 && (laneDims.empty() || otherLanes > 1))
      return false;
    lanes = std::min<int64_t>(most, llvm::PowerOf2Ceil(inner));
    chunk = std::min(lanes / within, sizes[laneDims.front()]);
    if (chunk == 0 || chunk * within < 3 * otherLanes)
      return false;
    constexpr int64_t mostVectors = 4;
    return llvm::all_of(operands, [&](const RunOperand &operand) {
      for (int64_t axis = 0; axis < int64_t(operand.dims.size()); ++axis)
        if (llvm::is_contained(laneDims, operand.dims[axis]) &&
            (ShapedType::isDynamic(operand.strides[axis]) ||
             operand.strides[axis] < 0))
          return false;
      return windowOf(operand, chunk * within) <= mostVectors * lanes;
    });
  }

  void emit() {
    position.assign(sizes.size(), index(0));
    SmallVector<int64_t> outer;
    for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim)
      if (sizes[dim] != 1 && !llvm::is_contained(laneDims, dim))
        outer.push_back(dim);
    forEach(outer, [&] {
      const int64_t dim = laneDims.front(), whole = sizes[dim] / chunk * chunk;
      loop(dim, whole, chunk, [&] { emitVector(chunk * within); });
      if (whole < sizes[dim]) {
        position[dim] = index(whole);
        emitVector((sizes[dim] - whole) * within);
      }
      position[dim] = index(0);
    });
  }

private:
  bool add(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      operands.push_back({operand.get(), {}, {}});
      return !op.isDpsInit(&operand);
    }
    RunOperand result{operand.get(),
                      {},
                      {},
                      op.isDpsInit(&operand),
                      !op.getMatchingBlockArgument(&operand).use_empty()};
    int64_t offset;
    if (type.getElementType().isInteger(1) ||
        failed(type.getStridesAndOffset(result.strides, offset)))
      return false;
    for (auto [axis, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (!dim && !(constant && constant.getValue() == 0))
        return false;
      result.dims.push_back(
          dim && type.getDimSize(axis) != 1 ? int64_t(dim.getPosition()) : -1);
    }
    // Lanes of an output are written once.
    if (result.isOut)
      for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim)
        if (sizes[dim] != 1 && llvm::count(result.dims, dim) != 1)
          return false;
    operands.push_back(result);
    return true;
  }

  /// The index of a lane along one of the lanes' dimensions, from the start of
  /// its vector.
  int64_t indexOf(int64_t lane, int64_t dim) const {
    for (int64_t each : llvm::reverse(laneDims)) {
      const bool isOutermost = each == laneDims.front();
      const int64_t here = isOutermost ? lane : lane % sizes[each];
      if (each == dim)
        return here;
      lane /= sizes[each];
    }
    return 0;
  }

  /// Where the lanes of an operand are, from the start of its vector; those
  /// that are not used, where the first one is.
  SmallVector<int64_t> offsetsOf(const RunOperand &operand,
                                 int64_t used) const {
    SmallVector<int64_t> offsets(lanes, 0);
    for (int64_t lane = 0; lane < used; ++lane)
      for (auto [dim, stride] : llvm::zip_equal(operand.dims, operand.strides))
        if (llvm::is_contained(laneDims, dim))
          offsets[lane] += indexOf(lane, dim) * stride;
    return offsets;
  }

  int64_t windowOf(const RunOperand &operand, int64_t used) const {
    if (!isa<MemRefType>(operand.memref.getType()))
      return 1;
    return *llvm::max_element(offsetsOf(operand, used)) + 1;
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  void loop(int64_t dim, int64_t end, int64_t step, function_ref<void()> body) {
    if (end == 0)
      return;
    auto each =
        scf::ForOp::create(builder, loc, index(0), index(end), index(step));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(each.getBody());
    position[dim] = each.getInductionVar();
    body();
  }

  void forEach(ArrayRef<int64_t> dims, function_ref<void()> body) {
    if (dims.empty())
      return body();
    loop(dims.front(), sizes[dims.front()], 1,
         [&] { forEach(dims.drop_front(), body); });
  }

  /// The memory that holds the lanes of an operand at the current position.
  Value memoryOf(const RunOperand &operand, int64_t size) {
    auto parts =
        memref::ExtractStridedMetadataOp::create(builder, loc, operand.memref);
    Value start = parts.getOffset();
    for (auto [axis, dim] : llvm::enumerate(operand.dims)) {
      if (dim < 0)
        continue;
      Value distance = arith::MulIOp::create(builder, loc, position[dim],
                                             parts.getStrides()[axis]);
      start = arith::AddIOp::create(builder, loc, start, distance);
    }
    auto type = cast<MemRefType>(operand.memref.getType());
    auto row = MemRefType::get(
        {size}, type.getElementType(),
        StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1}),
        type.getMemorySpace());
    return memref::ReinterpretCastOp::create(
        builder, loc, row, parts.getBaseBuffer(), OpFoldResult(start),
        ArrayRef<OpFoldResult>(builder.getIndexAttr(size)),
        ArrayRef<OpFoldResult>(builder.getIndexAttr(1)));
  }

  Value load(const RunOperand &operand, int64_t used) {
    auto memory = dyn_cast<MemRefType>(operand.memref.getType());
    if (!memory)
      return operand.memref;
    const SmallVector<int64_t> offsets = offsetsOf(operand, used);
    const int64_t window = windowOf(operand, used),
                  size = int64_t(llvm::PowerOf2Ceil(window));
    Value from = memoryOf(operand, window);
    if (window == 1)
      return memref::LoadOp::create(builder, loc, from, index(0));
    auto type = VectorType::get(size, memory.getElementType());
    Value all;
    if (size == window) {
      all = vector::LoadOp::create(builder, loc, type, from, index(0));
    } else {
      Value mask = vector::ConstantMaskOp::create(
          builder, loc, VectorType::get(size, builder.getI1Type()),
          ArrayRef<int64_t>(window));
      Value zeros =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      all = vector::MaskedLoadOp::create(builder, loc, type, from, index(0),
                                         mask, zeros);
    }
    if (size == lanes && llvm::equal(offsets, llvm::seq<int64_t>(0, lanes)))
      return all;
    return vector::ShuffleOp::create(builder, loc, all, all, offsets);
  }

  void store(const RunOperand &operand, Value value, int64_t used) {
    const SmallVector<int64_t> offsets = offsetsOf(operand, used);
    const int64_t window = windowOf(operand, used),
                  size = int64_t(llvm::PowerOf2Ceil(window));
    SmallVector<int64_t> lanesAt(size, 0);
    SmallVector<bool> isWritten(size, false);
    for (int64_t lane = 0; lane < used; ++lane) {
      lanesAt[offsets[lane]] = lane;
      isWritten[offsets[lane]] = true;
    }
    value = lanesOf(builder, loc, value, lanes);
    if (size != lanes || !llvm::equal(lanesAt, llvm::seq<int64_t>(0, lanes)))
      value = vector::ShuffleOp::create(builder, loc, value, value, lanesAt);
    Value to = memoryOf(operand, window);
    if (llvm::all_of(isWritten, [](bool each) { return each; })) {
      vector::StoreOp::create(builder, loc, value, to, index(0));
      return;
    }
    Value mask = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(VectorType::get(size, builder.getI1Type()),
                               isWritten));
    vector::MaskedStoreOp::create(builder, loc, to, index(0), mask, value);
  }

  void emitVector(int64_t used) {
    Block *body = op.getBlock();
    IRMapping mapping;
    for (auto [argument, operand] :
         llvm::zip_equal(body->getArguments(), operands))
      if (operand.isRead && !argument.use_empty())
        mapping.map(argument, load(operand, used));
    for (Operation &nested : body->without_terminator())
      emitInLanes(builder, nested, mapping, lanes,
                  [&](int64_t dim) { return indexValue(dim, used); });
    const auto outs = ArrayRef(operands).take_back(op.getNumDpsInits());
    for (auto [out, result] :
         llvm::zip_equal(outs, body->getTerminator()->getOperands()))
      store(out, mapping.lookupOrDefault(result), used);
  }

  Value indexValue(int64_t dim, int64_t used) {
    if (!llvm::is_contained(laneDims, dim))
      return position[dim];
    SmallVector<APInt> steps;
    for (int64_t lane = 0; lane < lanes; ++lane)
      steps.push_back(APInt(64, lane < used ? indexOf(lane, dim) : 0));
    auto type = VectorType::get(lanes, builder.getIndexType());
    Value within = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, steps));
    return arith::AddIOp::create(
        builder, loc, lanesOf(builder, loc, position[dim], lanes), within);
  }

  OpBuilder &builder;
  linalg::LinalgOp op;
  Location loc;
  SmallVector<int64_t> sizes;
  SmallVector<RunOperand> operands;
  /// The dimensions that lanes run along, the outermost first. A vector has
  /// `chunk` steps of that one, of `within` lanes each.
  SmallVector<int64_t> laneDims;
  int64_t lanes = 1, chunk = 1, within = 1;
  SmallVector<Value> position;
};
} // namespace

bool tilegpt::cpu::emitShortRuns(OpBuilder &builder, linalg::LinalgOp op,
                                 unsigned vectorBits, int64_t lanes) {
  ShortRuns runs(builder, op);
  if (!runs.plan(vectorBits, lanes))
    return false;
  runs.emit();
  return true;
}
