// Runs the ops of a block in order, each through its evaluator.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

/// Regions inside regions and calls inside calls: enough for every program
/// written by hand, and far from the end of the stack.
static constexpr int maxDepth = 256;

Shape Frame::integers(ValueRange values) const {
  return llvm::map_to_vector<4>(values,
                                [&](mlir::Value v) { return integer(v); });
}

ElementType Frame::elementType(Type type) const {
  if (auto view = dyn_cast<tile::ViewType>(type))
    type = view.getElementType();
  type = getElementTypeOrSelf(type);
  if (auto variable = dyn_cast<tile::EltType>(type))
    return kernelBinding->types.lookup(variable.getName());
  return *elementTypeOf(type);
}

Shape Frame::sizes(ArrayAttr sizes) const {
  return llvm::map_to_vector<4>(sizes, [&](Attribute size) {
    if (auto name = dyn_cast<StringAttr>(size))
      return kernelBinding->sizes.lookup(name.getValue());
    return cast<IntegerAttr>(size).getInt();
  });
}

/// Whether a value conforms to its declared type: evaluators follow operands,
/// so a declared size can only be wrong if it was declared for an unknown one.
static llvm::Error checkResult(OpResult result, const Value &value) {
  auto declared = dyn_cast<ShapedType>(result.getType());
  auto *tensor = std::get_if<TensorRef>(&value);
  if (!declared || !tensor)
    return llvm::Error::success();
  ArrayRef<int64_t> shape = (*tensor)->shape();
  if (failed(verifyCompatibleShape(declared.getShape(), shape)))
    return fail(result.getOwner(),
                llvm::formatv("result {0} is declared as {1}, but is {2}",
                              result.getResultNumber(), declared,
                              describe((*tensor)->type(), shape)));
  return llvm::Error::success();
}

/// Types an element of the interpreter cannot hold are found before evaluators
/// ask for them.
static llvm::Error checkTypes(Operation &op) {
  for (Type type : op.getResultTypes()) {
    if (auto view = dyn_cast<tile::ViewType>(type))
      type = view.getElementType();
    if (auto pointer = dyn_cast<tile::PtrType>(type))
      type = pointer.getPointee();
    type = getElementTypeOrSelf(type);
    if (!isa<tile::EltType>(type) && !elementTypeOf(type))
      return fail(&op, llvm::formatv(
                           "the interpreter has no values of type {0}", type));
  }
  return llvm::Error::success();
}

llvm::Error Frame::runOp(Operation &op) {
  const Evaluator *evaluate = interp.evaluators.lookup(&op);
  if (!evaluate)
    return fail(&op, "has no evaluator in the reference interpreter");
  if (llvm::Error error = checkTypes(op))
    return error;
  llvm::Expected<bool> isEvaluated = interp.evaluators.isEvaluated(&op);
  if (!isEvaluated)
    return isEvaluated.takeError();
  if (!*isEvaluated)
    return llvm::Error::success();
  if (llvm::Error error = (*evaluate)(&op, *this))
    return error;
  // An evaluator may leave out a result that nothing reads.
  for (OpResult result : op.getResults())
    if (auto found = values.find(result); found != values.end())
      if (llvm::Error error = checkResult(result, found->second))
        return error;
  return llvm::Error::success();
}

Expected<std::vector<Value>> Frame::run(Block &block,
                                        ArrayRef<Value> arguments) {
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    define(argument, value);
  if (++interp.depth > maxDepth) {
    --interp.depth;
    return fail(block.getParentOp(), llvm::formatv("is nested deeper than {0} "
                                                   "regions and calls",
                                                   maxDepth));
  }
  llvm::Error error = llvm::Error::success();
  for (Operation &op : block.without_terminator())
    if ((error = runOp(op)))
      break;
  --interp.depth;
  if (error)
    return error;
  std::vector<Value> results;
  for (mlir::Value operand : block.getTerminator()->getOperands())
    results.push_back(value(operand));
  return results;
}

} // namespace tilegpt::reference
