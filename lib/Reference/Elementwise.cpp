// The loop shared by all elementwise ops.
#include "Elementwise.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// An operand's value as people read it.
static std::string textOf(Element value, ElementType type) {
  return isFloat(type) ? formatv("{0}", value.f).str()
                       : formatv("{0}", signedValue(value.i, type)).str();
}

/// An error that names the operands for which an op has no defined result.
static llvm::Error failUndefined(Operation *op,
                                 ArrayRef<const Tensor *> operands,
                                 int64_t number) {
  std::string values;
  for (const Tensor *operand : operands)
    values += (values.empty() ? "" : ", ") +
              textOf((*operand)[number], operand->type());
  return fail(op, formatv("is undefined for {0} (element {1} of {2})", values,
                          number, operands.front()->size()));
}

llvm::Error evaluateElementwise(Operation *op, Frame &frame, ElementFn fn) {
  SmallVector<const Tensor *, 3> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(&frame.tensor(operand));
  ArrayRef<int64_t> shape = operands.front()->shape();
  for (const Tensor *operand : operands)
    if (operand->shape() != shape)
      return fail(op, formatv("expected operands of one shape, found {0} and "
                              "{1}",
                              describe(operands.front()->type(), shape),
                              describe(operand->type(), operand->shape())));
  ElementType type = frame.elementType(op->getResult(0).getType());
  Expected<Tensor> result = Tensor::zeros(type, shape);
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  SmallVector<Element, 3> values(operands.size());
  for (int64_t i = 0; i < result->size(); ++i) {
    for (auto [value, operand] : llvm::zip_equal(values, operands))
      value = (*operand)[i];
    std::optional<Element> element = fn(values);
    if (!element)
      return failUndefined(op, operands, i);
    (*result)[i] =
        isFloat(type) ? *element : Element::of(wrapTo(element->i, type));
  }
  frame.define(op->getResult(0), std::move(*result));
  return llvm::Error::success();
}

} // namespace tilegpt::reference
