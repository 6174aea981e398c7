// Type refinement of graphs, in program order: operands are narrowed before the
// ops that use them.
#include "RefineFunction.h"
#include "ReplaceSelection.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::gpt {

/// The sizes both shapes state, or nothing where they contradict each other.
static std::optional<SmallVector<int64_t>> mergeShapes(ArrayRef<int64_t> lhs,
                                                       ArrayRef<int64_t> rhs) {
  if (lhs.size() != rhs.size())
    return std::nullopt;
  SmallVector<int64_t> merged(lhs);
  for (auto [size, other] : llvm::zip_equal(merged, rhs)) {
    if (ShapedType::isDynamic(size))
      size = other;
    else if (!ShapedType::isDynamic(other) && size != other)
      return std::nullopt;
  }
  return merged;
}

/// Narrows the declared type of `value` by `inferred`.
static LogicalResult narrow(Operation *op, Value value, Type inferred) {
  auto declared = dyn_cast<RankedTensorType>(value.getType());
  auto tensor = dyn_cast<RankedTensorType>(inferred);
  if (!declared || !tensor)
    return success();
  std::optional<SmallVector<int64_t>> shape =
      mergeShapes(declared.getShape(), tensor.getShape());
  if (!shape)
    return op->emitOpError("states the type ")
           << declared << " where the sizes of the model make it " << tensor
           << "; write ? for sizes that follow from the model's";
  value.setType(declared.clone(*shape));
  return success();
}

/// The size a tensor.empty is given, where it is a constant or the static size
/// of another tensor.
static int64_t staticSize(Value size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant;
  auto dim = size.getDefiningOp<tensor::DimOp>();
  if (!dim || !dim.getConstantIndex())
    return ShapedType::kDynamic;
  auto source = dyn_cast<RankedTensorType>(dim.getSource().getType());
  int64_t axis = *dim.getConstantIndex();
  return source && axis < source.getRank() ? source.getDimSize(axis)
                                           : ShapedType::kDynamic;
}

static void refineEmpty(tensor::EmptyOp empty) {
  SmallVector<int64_t> shape(empty.getType().getShape());
  SmallVector<Value> sizes;
  auto dynamic = empty.getDynamicSizes();
  unsigned position = 0;
  for (int64_t &size : shape) {
    if (!ShapedType::isDynamic(size))
      continue;
    Value given = dynamic[position++];
    size = staticSize(given);
    if (ShapedType::isDynamic(size))
      sizes.push_back(given);
  }
  empty.getDynamicSizesMutable().assign(sizes);
  empty.getResult().setType(empty.getType().clone(shape));
}

/// Refines operands and results of an elementwise op to one shape; less
/// specific operands are cast.
static LogicalResult refineElementwise(Operation *op) {
  std::optional<SmallVector<int64_t>> shape;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue;
    shape = shape ? mergeShapes(*shape, type.getShape())
                  : SmallVector<int64_t>(type.getShape());
    if (!shape)
      return op->emitOpError("expected operands of one shape, found ")
             << op->getOperandTypes();
  }
  if (!shape)
    return success();
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && type.getShape() != ArrayRef<int64_t>(*shape))
      operand.set(tensor::CastOp::create(builder, op->getLoc(),
                                         type.clone(*shape), operand.get()));
  }
  for (Value result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      if (failed(narrow(op, result, type.clone(*shape))))
        return failure();
  return success();
}

static LogicalResult refineBlock(Block &block);

static LogicalResult refineOp(Operation *op) {
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    refineEmpty(empty);
    return success();
  }
  if (auto launch = dyn_cast<tile::LaunchOp>(op)) {
    for (auto [result, out] :
         llvm::zip_equal(launch.getResults(), launch.getOuts()))
      result.setType(out.getType());
    return success();
  }
  if (OpTrait::hasElementwiseMappableTraits(op))
    return refineElementwise(op);
  // Tensors of different widths cannot wait for the layers to be unrolled.
  if (auto select = dyn_cast<SelectOp>(op);
      select && !mergeShapes(select.getLhs().getType().getShape(),
                             select.getRhs().getType().getShape()))
    return replaceSelection(select);
  if (auto refinable = dyn_cast<tile::TypeRefinementOpInterface>(op)) {
    SmallVector<Type> types;
    if (failed(refinable.inferResultTypes(types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      if (failed(narrow(op, result, type)))
        return failure();
  }
  if (auto layers = dyn_cast<LayersOp>(op)) {
    for (auto [argument, init] :
         llvm::zip_equal(layers.getIterArgs(), layers.getInits()))
      argument.setType(init.getType());
    return refineBlock(layers.getBody().front());
  }
  return success();
}

static LogicalResult refineBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(refineOp(&op)))
      return failure();
  return success();
}

LogicalResult refineFunction(func::FuncOp function) {
  if (function.isExternal())
    return success();
  for (Block &block : function.getBody())
    if (failed(refineBlock(block)))
      return failure();
  auto returned =
      dyn_cast<func::ReturnOp>(function.getBody().back().getTerminator());
  if (!returned)
    return success();
  for (auto [declared, value] :
       llvm::zip_equal(function.getResultTypes(), returned.getOperands())) {
    auto expected = dyn_cast<RankedTensorType>(declared);
    auto found = dyn_cast<RankedTensorType>(value.getType());
    if (expected && found &&
        !mergeShapes(expected.getShape(), found.getShape()))
      return function.emitOpError("is declared to return ")
             << expected << ", but the sizes of the model make it " << found
             << "; write ? for sizes that follow from the model's";
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getBody().getArgumentTypes(),
                                     returned.getOperandTypes()));
  return success();
}

} // namespace tilegpt::gpt
