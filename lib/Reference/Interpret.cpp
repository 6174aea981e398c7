// Entry points of the interpreter: calling functions, running kernels over
// their grids, and keeping globals.
#include "TileGPT/Reference/Frame.h"
#include "TileGPT/Reference/Interpreter.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

Interpreter::Interpreter(ModuleOp module, int64_t sequences)
    : module(module), sequences(sequences) {
  populateArithEvaluators(evaluators);
  populateArithCastEvaluators(evaluators);
  populateMathEvaluators(evaluators);
  populateScfEvaluators(evaluators);
  populateFuncEvaluators(evaluators);
  populateGptEvaluators(evaluators);
  populateTensorEvaluators(evaluators);
  populateTileGridEvaluators(evaluators);
  populateTileViewEvaluators(evaluators);
  populateTileMemoryEvaluators(evaluators);
  populateTilePointerEvaluators(evaluators);
  populateTileShapeEvaluators(evaluators);
  populateTileDotEvaluators(evaluators);
  populateTileReduceEvaluators(evaluators);
  populateTileLaunchEvaluators(evaluators);
}

/// The first op of a kind and name anywhere in the module: functions and
/// kernels may be in the symbol table of a model.
template <typename Op>
static Op find(ModuleOp module, StringRef name) {
  Op found;
  module.walk([&](Op op) {
    if (op.getSymName() != name)
      return WalkResult::skip();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

tile::KernelOp Interpreter::findKernel(StringRef name) const {
  return find<tile::KernelOp>(module, name);
}

func::FuncOp Interpreter::findFunction(StringRef name) const {
  return find<func::FuncOp>(module, name);
}

void Interpreter::bind(StringRef name, Tensor value) {
  globals[name] = std::make_shared<Tensor>(std::move(value));
}

TensorRef Interpreter::lookup(StringRef name) const {
  return globals.lookup(name);
}

Expected<TensorRef> Interpreter::state(StringRef name, ElementType type,
                                       ArrayRef<int64_t> shape) {
  TensorRef &value = globals[name];
  if (value)
    return value;
  Shape sizes(shape);
  for (int64_t &size : sizes)
    if (ShapedType::isDynamic(size))
      size = sequences;
  Expected<Tensor> zeros = Tensor::zeros(type, sizes);
  if (!zeros)
    return zeros.takeError();
  value = std::make_shared<Tensor>(std::move(*zeros));
  return value;
}

void Interpreter::advanceState(const TensorRef &current,
                               const TensorRef &next) {
  for (auto &entry : globals)
    if (entry.second == current)
      entry.second = next;
}

/// Checks an argument of a call against the function's declaration.
static llvm::Error checkArgument(func::FuncOp function, unsigned number,
                                 const Tensor &tensor) {
  Type declared = function.getArgumentTypes()[number];
  Type elementType = getElementTypeOrSelf(declared);
  auto shaped = dyn_cast<RankedTensorType>(declared);
  ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
  if (elementTypeOf(elementType) == tensor.type() &&
      succeeded(verifyCompatibleShape(shape, tensor.shape())))
    return llvm::Error::success();
  return fail(function,
              llvm::formatv("expected {0} for argument {1} of '{2}', found {3}",
                            declared, number, function.getSymName(),
                            describe(tensor.type(), tensor.shape())));
}

Expected<std::vector<TensorRef>>
Interpreter::call(StringRef name, std::vector<TensorRef> arguments) {
  func::FuncOp function = findFunction(name);
  if (!function || function.isExternal())
    return llvm::createStringError(
        llvm::formatv("there is no function '{0}' with a body", name));
  if (arguments.size() != function.getNumArguments())
    return fail(function,
                llvm::formatv("expected {0} arguments for '{1}', found {2}",
                              function.getNumArguments(), name,
                              arguments.size()));
  for (auto [number, argument] : llvm::enumerate(arguments))
    if (llvm::Error error = checkArgument(function, number, *argument))
      return error;
  Expected<std::vector<Value>> results =
      runFunction(function, {arguments.begin(), arguments.end()});
  if (!results)
    return results.takeError();
  std::vector<TensorRef> tensors;
  for (Value &result : *results)
    tensors.push_back(std::get<TensorRef>(result));
  return tensors;
}

Expected<std::vector<Value>>
Interpreter::runFunction(func::FuncOp function, std::vector<Value> arguments) {
  if (!function.getBody().hasOneBlock())
    return fail(function, "expected a body of one block; the interpreter runs "
                          "structured control flow only");
  Frame frame(*this);
  return frame.run(function.getBody().front(), arguments);
}

llvm::Error Interpreter::runKernel(tile::KernelOp kernel,
                                   ArrayRef<Value> arguments,
                                   DictionaryAttr parameters,
                                   std::optional<Grid> grid) {
  Expected<KernelBinding> binding =
      bindKernel(kernel, arguments, parameters, grid);
  if (!binding)
    return binding.takeError();
  for (const Value &argument : arguments)
    if (const auto *view = std::get_if<View>(&argument))
      addressSpace.place(*view->memory);
  const auto [blocksX, blocksY, blocksZ] = binding->grid;
  for (int64_t z = 0; z < blocksZ; ++z)
    for (int64_t y = 0; y < blocksY; ++y)
      for (int64_t x = 0; x < blocksX; ++x) {
        Frame frame(*this, *binding, {x, y, z});
        Expected<std::vector<Value>> done =
            frame.run(*kernel.getEntryBlock(), arguments);
        if (!done)
          return llvm::createStringError(llvm::formatv(
              "{0} (block [{1}, {2}, {3}] of '{4}')",
              llvm::toString(done.takeError()), x, y, z, kernel.getSymName()));
      }
  return llvm::Error::success();
}

} // namespace tilegpt::reference
