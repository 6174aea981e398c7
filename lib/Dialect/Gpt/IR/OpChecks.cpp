// Checks that ops of the dialect share.
#include "OpChecks.h"

using namespace mlir;

namespace tilegpt::gpt::detail {

FailureOr<ModelOp> requireModel(Operation *op) {
  if (ModelOp model = getModel(op))
    return model;
  return op->emitOpError("expected to stand in a gpt.model, which says how "
                         "large the model is");
}

LogicalResult verifyName(Operation *op, StringRef name) {
  std::string plain = name.str();
  size_t at = plain.find(layerPlaceholder);
  bool perLayer = at != std::string::npos;
  for (; at != std::string::npos; at = plain.find(layerPlaceholder, at))
    plain.replace(at, layerPlaceholder.size(), "0");
  bool valid = !plain.empty() && llvm::all_of(plain, [](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '_' || c == '-';
  });
  if (!valid)
    return op->emitOpError("expected a name of letters, digits, '.', '_', '-' "
                           "and {l}, found \"")
           << name << '"';
  if (perLayer && !op->getParentOfType<LayersOp>())
    return op->emitOpError("names \"")
           << name << "\" outside of gpt.layers, where {l} stands for nothing";
  return success();
}

LogicalResult verifyAxis(Operation *op, StringRef operand, Type type,
                         int64_t axis, int64_t expected, StringRef meaning) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.isDynamicDim(axis) || tensor.getDimSize(axis) == expected)
    return success();
  return op->emitOpError("expected axis ")
         << axis << " of " << operand << " (" << type << ") to be " << expected
         << ", " << meaning;
}

Type activations(Value rowsOf, int64_t columns) {
  auto type = cast<RankedTensorType>(rowsOf.getType());
  return RankedTensorType::get({type.getDimSize(0), columns},
                               Float32Type::get(type.getContext()));
}

} // namespace tilegpt::gpt::detail
