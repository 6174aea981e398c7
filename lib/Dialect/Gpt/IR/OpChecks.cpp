// Checks that ops of the dialect share.
#include "OpChecks.h"

using namespace mlir;

namespace tilegpt::gpt::detail {

FailureOr<ModelOp> requireModel(Operation *op) {
  if (ModelOp model = getModel(op))
    return model;
  return op->emitOpError(
      "expected to be nested in a gpt.model, which defines how "
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

LogicalResult verifyNumber(Operation *op, StringRef name,
                           std::optional<Attribute> value,
                           llvm::function_ref<bool(double)> check,
                           StringRef expected) {
  if (!value || isa<ExprAttr>(*value))
    return success();
  FailureOr<double> number = getNumber(op, *value, name);
  if (failed(number))
    return failure();
  if (check(*number))
    return success();
  return op->emitOpError("expected ")
         << name << " to be " << expected << ", found " << *number;
}

LogicalResult verifyCap(Operation *op, StringRef name,
                        std::optional<Attribute> value) {
  return verifyNumber(
      op, name, value, [](double x) { return x >= 0; },
      "positive, or 0 for none");
}

FailureOr<int64_t> getCount(Operation *op, Attribute value, StringRef what) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  FailureOr<int64_t> count = getInteger(op, value, what);
  if (succeeded(count) && (*count < 1 || *count > most))
    return op->emitOpError("expected a positive ")
           << what.drop_front(strlen("the ")) << ", found " << *count;
  return count;
}

FailureOr<bool> isBiased(Operation *op, std::optional<Attribute> bias) {
  if (!bias)
    return true;
  FailureOr<int64_t> given = getInteger(op, *bias, "bias");
  if (succeeded(given) && *given != 0 && *given != 1)
    return op->emitOpError("expected bias to be 0 or 1, found ") << *given;
  if (failed(given))
    return failure();
  return *given == 1;
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

LogicalResult verifyShard(Operation *op, std::optional<StringRef> shard,
                          std::optional<bundle::WeightShard::Axis> axis) {
  using Axis = bundle::WeightShard::Axis;
  if (!shard)
    return success();
  auto parsed = bundle::WeightShard::parse(*shard);
  auto isSplit = [&](Axis found) {
    return axis ? found == *axis
                : found == Axis::Rows || found == Axis::Columns;
  };
  if (parsed && isSplit(parsed->axis))
    return success();
  return op->emitOpError("expected a shard such as \"")
         << (axis == Axis::Columns ? "columns 768/2" : "rows 3x768/2")
         << "\", found \"" << *shard << '"';
}

FailureOr<int64_t> getPartSize(Operation *op, std::optional<StringRef> shard,
                               int64_t whole) {
  if (!shard)
    return whole;
  auto parsed = bundle::WeightShard::parse(*shard);
  if (parsed && parsed->wholeSize() == whole)
    return parsed->partSize();
  return op->emitOpError("expected a shard of ")
         << whole << ", found \"" << *shard << '"';
}

Type activations(Value rowsOf, int64_t columns) {
  auto type = cast<RankedTensorType>(rowsOf.getType());
  return RankedTensorType::get({type.getDimSize(0), columns},
                               Float32Type::get(type.getContext()));
}

} // namespace tilegpt::gpt::detail
