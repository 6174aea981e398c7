// Evaluators of the graph side: launches of kernels on tensors, and the globals
// they read and update.
#include "TileGPT/Bundle/LiteralWeight.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// Runs a collective among several ranks in place of its kernel.
static llvm::Error runCollective(StringRef kind, const TensorRef &mine,
                                 Tensor &out, const Exchange &exchange) {
  Expected<std::vector<TensorRef>> parts = exchange(mine);
  if (!parts)
    return parts.takeError();
  Expected<Tensor> result =
      kind == "all_reduce" ? sumOf(*parts) : sideBySide(*parts, out.shape()[1]);
  if (!result)
    return result.takeError();
  out = std::move(*result);
  return llvm::Error::success();
}

static llvm::Error runLaunch(tile::LaunchOp op, tile::KernelOp kernel,
                             ArrayRef<Value> arguments,
                             ArrayRef<TensorRef> outs, Frame &frame) {
  auto kind = kernel->getAttrOfType<StringAttr>(tile::collectiveAttr);
  if (const Exchange &exchange = frame.interpreter().exchange();
      kind && exchange)
    return runCollective(kind, frame.tensorRef(op.getIns()[0]), *outs[0],
                         exchange);
  return frame.interpreter().runKernel(kernel, arguments, op.getParamsAttr());
}

/// Tensors are values, so a launch writes copies of its outs. If an operand is
/// the value of a state, the copy becomes the state's next value.
static llvm::Error evaluateLaunch(tile::LaunchOp op, Frame &frame) {
  tile::KernelOp kernel = tile::lookupKernel(op, op.getKernelAttr().getAttr());
  if (!kernel)
    return fail(op, formatv("launches '{0}', but there is no tile.kernel of "
                            "that name; bring the library in with "
                            "--tile-link-library",
                            op.getKernel()));
  std::vector<Value> arguments;
  for (mlir::Value in : op.getIns()) {
    if (isa<RankedTensorType>(in.getType()))
      arguments.push_back(View::of(frame.tensorRef(in), /*writable=*/false));
    else
      arguments.push_back(frame.value(in));
  }
  std::vector<TensorRef> outs;
  for (mlir::Value out : op.getOuts()) {
    outs.push_back(std::make_shared<Tensor>(frame.tensor(out)));
    arguments.push_back(View::of(outs.back(), /*writable=*/true));
  }
  if (llvm::Error error = runLaunch(op, kernel, arguments, outs, frame))
    return fail(op, formatv("failed: {0}", llvm::toString(std::move(error))));
  for (auto [result, operand, out] :
       llvm::zip_equal(op.getResults(), op.getOuts(), outs)) {
    frame.interpreter().advanceState(frame.tensorRef(operand), out);
    frame.define(result, Value(out));
  }
  return llvm::Error::success();
}

static llvm::Error evaluateGetGlobal(tile::GetGlobalOp op, Frame &frame) {
  auto global = SymbolTable::lookupNearestSymbolFrom<tile::GlobalOp>(
      op, op.getNameAttr());
  if (!global)
    return fail(op, formatv("names '{0}', but there is no tile.global of that "
                            "name",
                            op.getName()));
  auto type = cast<RankedTensorType>(global.getType());
  ElementType elementType = frame.elementType(type);
  Interpreter &interpreter = frame.interpreter();
  TensorRef value = interpreter.lookup(op.getName());
  if (auto literal = bundle::parseLiteralWeight(op.getName());
      !value && literal) {
    Expected<Tensor> made =
        Tensor::zeros(ElementType::F32, {int64_t(literal->size())});
    if (!made)
      return fail(op, llvm::toString(made.takeError()));
    for (auto [i, number] : llvm::enumerate(*literal))
      made->store(int64_t(i), Element::of(double(number)));
    value = std::make_shared<Tensor>(std::move(*made));
  }
  if (!value && global.getKind() == tile::GlobalKind::Weight)
    return fail(
        op, formatv("reads weight '{0}', which is not bound", op.getName()));
  if (!value) {
    Expected<TensorRef> state =
        interpreter.state(op.getName(), elementType, type.getShape());
    if (!state)
      return fail(op, llvm::toString(state.takeError()));
    value = *state;
  }
  if (value->type() != elementType)
    return fail(op,
                formatv("expected {0} for '{1}', found {2}", type, op.getName(),
                        describe(value->type(), value->shape())));
  frame.define(op, Value(value));
  return llvm::Error::success();
}

void populateTileLaunchEvaluators(Registry &registry) {
  registry.add<tile::LaunchOp>(evaluateLaunch);
  registry.add<tile::GetGlobalOp>(evaluateGetGlobal);
}

} // namespace tilegpt::reference
