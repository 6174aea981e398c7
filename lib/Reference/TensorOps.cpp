// Evaluators of the tensor dialect: what graphs and kernels use of it.
#include "TileGPT/Reference/Frame.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// The shape of a type whose dynamic sizes are `open`, in order.
static Shape fillShape(RankedTensorType type, ArrayRef<int64_t> open) {
  Shape shape(type.getShape());
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size)) {
      size = open.front();
      open = open.drop_front();
    }
  return shape;
}

/// The row-major index of an element, or an error if it is out of bounds.
static Expected<int64_t> locate(Operation *op, const Tensor &tensor,
                                ArrayRef<int64_t> index) {
  int64_t position = 0;
  for (auto [axis, i, size] : llvm::enumerate(index, tensor.shape())) {
    if (i < 0 || i >= size)
      return fail(op, formatv("index {0} is outside axis {1} of size {2}", i,
                              axis, size));
    position = position * size + i;
  }
  return position;
}

static llvm::Error evaluateEmpty(tensor::EmptyOp op, Frame &frame) {
  Expected<Tensor> tensor = Tensor::unwritten(
      frame.elementType(op.getType()),
      fillShape(op.getType(), frame.integers(op.getDynamicSizes())));
  if (!tensor)
    return fail(op, llvm::toString(tensor.takeError()));
  frame.define(op, std::move(*tensor));
  return llvm::Error::success();
}

static llvm::Error evaluateTensorDim(tensor::DimOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  int64_t axis = frame.integer(op.getIndex());
  if (axis < 0 || axis >= source.rank())
    return fail(op, formatv("expected an axis of {0}, found {1}",
                            describe(source.type(), source.shape()), axis));
  frame.defineIndex(op, source.shape()[axis]);
  return llvm::Error::success();
}

static llvm::Error evaluateTensorExtract(tensor::ExtractOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getTensor());
  Expected<int64_t> at = locate(op, source, frame.integers(op.getIndices()));
  if (!at)
    return at.takeError();
  if (!source.isWritten(*at))
    return fail(op, "reads an element that has not been written");
  frame.define(op, Tensor(source.type(), source[*at]));
  return llvm::Error::success();
}

static llvm::Error evaluateTensorInsert(tensor::InsertOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getDest());
  Expected<int64_t> at = locate(op, result, frame.integers(op.getIndices()));
  if (!at)
    return at.takeError();
  result.store(*at, frame.tensor(op.getScalar()).item());
  frame.define(op, std::move(result));
  return llvm::Error::success();
}

static llvm::Error evaluateTensorSplat(tensor::SplatOp op, Frame &frame) {
  const Tensor &scalar = frame.tensor(op.getInput());
  Expected<Tensor> result = Tensor::zeros(
      scalar.type(), fillShape(cast<RankedTensorType>(op.getType()),
                               frame.integers(op.getDynamicSizes())));
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t i = 0; i < result->size(); ++i)
    (*result)[i] = scalar.item();
  frame.define(op, std::move(*result));
  return llvm::Error::success();
}

static llvm::Error evaluateFromElements(tensor::FromElementsOp op,
                                        Frame &frame) {
  auto type = cast<RankedTensorType>(op.getType());
  Expected<Tensor> result =
      Tensor::zeros(frame.elementType(type), type.getShape());
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    (*result)[i] = frame.tensor(element).item();
  frame.define(op, std::move(*result));
  return llvm::Error::success();
}

/// Shapes are checked where every result is held against its type.
static llvm::Error evaluateTensorCast(tensor::CastOp op, Frame &frame) {
  frame.define(op, frame.value(op.getSource()));
  return llvm::Error::success();
}

void populateTensorEvaluators(Registry &registry) {
  registry.add<tensor::EmptyOp>(evaluateEmpty);
  registry.add<tensor::DimOp>(evaluateTensorDim);
  registry.add<tensor::ExtractOp>(evaluateTensorExtract);
  registry.add<tensor::InsertOp>(evaluateTensorInsert);
  registry.add<tensor::SplatOp>(evaluateTensorSplat);
  registry.add<tensor::FromElementsOp>(evaluateFromElements);
  registry.add<tensor::CastOp>(evaluateTensorCast);
}

} // namespace tilegpt::reference
